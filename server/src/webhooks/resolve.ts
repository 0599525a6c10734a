// Resolves receivers' host names. It queries the name servers directly: the system resolver uses a pool of four threads, and
// four names with dead servers would block all others. A lookup has a total deadline, and lookups in flight are limited:
// above the limit they fail at once and their webhooks are retried.

import { Resolver } from 'node:dns/promises'
import type { Clock } from '../process/clock.ts'
import type { Resolve } from './connect-safely.ts'

const tryMs = 2_000
const triesMax = 2
const deadlineMs = 5_000
export const lookupsMax = 256

type Deps = { readonly clock: Clock; readonly timeScale: number }

// The machine's name servers by default.
export function createResolver({ clock, timeScale }: Deps, servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: tryMs, tries: triesMax })
  if (servers) resolver.setServers(servers)
  let inFlight = 0
  return async (name) => {
    if (inFlight >= lookupsMax) throw new Error('too many names are being resolved')
    inFlight += 1
    const late = Promise.withResolvers<never>()
    // Real time, not scaled: it bounds someone else's server.
    const timer = clock.after(deadlineMs / timeScale, () =>
      late.reject(new Error('host name was not resolved in time')),
    )
    const answered = lookUp(resolver, name).finally(() => {
      inFlight -= 1
      timer.stop()
    })
    return Promise.race([answered, late.promise])
  }
}

async function lookUp(resolver: Resolver, name: string): Promise<readonly string[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = [v4, v6].flatMap((response) => (response.status === 'fulfilled' ? response.value : []))
  if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason
  return addresses
}
