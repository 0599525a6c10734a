// Names of receivers. Asked of the name servers directly: the system's own look-up waits in one of four threads, and four
// names whose servers are dead would keep everybody else's waiting.

import { Resolver } from 'node:dns/promises'
import type { Resolve } from './connect-safely.ts'

const tryMs = 2_000
const triesMax = 2

// By default those of the machine.
export function openResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: tryMs, tries: triesMax })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason
    return addresses
  }
}
