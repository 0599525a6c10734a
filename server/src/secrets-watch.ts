// The keys of a process that runs. It reads the directory anew every ten seconds, on SIGHUP, and when it meets a key that
// it lacks: so a key that was distributed or activated is in force without a restart. What is not in order on the disk
// leaves the keys as they were.

import { type Clock, wallMs } from './clock.ts'
import type { KeyRing } from './domain/crypto/sealing.ts'
import type { Logger } from './log.ts'
import { keysDue, type NamedKeys, namedKeys, type RingName, readSecrets, ringNames, type Secrets } from './secrets.ts'

const readEveryMs = 10_000
// A key that was destroyed may be asked for again and again.
const rereadMs = 500
const dayMs = 86_400_000

export type SecretsWatch = {
  readonly keys: NamedKeys
  readonly close: () => Promise<void>
}

type WatchDeps = {
  readonly secretsDir: string
  readonly verificationDays: number
  readonly clock: Clock
  readonly log: Logger
}

export function watchSecrets({ secretsDir, verificationDays, clock, log }: WatchDeps): SecretsWatch {
  const live: Record<RingName, KeyRing> = { ...readSecrets(secretsDir) }
  let readAtMs = clock.monotonicMs()
  const put = (secrets: Secrets) => {
    for (const ring of ringNames) live[ring] = { ...secrets[ring], loadMissing: (number) => loadMissing(ring, number) }
  }
  const readAgain = () => {
    readAtMs = clock.monotonicMs()
    try {
      const next = readSecrets(secretsDir, live)
      for (const ring of ringNames.filter((name) => spelled(next[name]) !== spelled(live[name]))) {
        log.info({ ring, keys: spelled(next[ring]) }, 'keys changed')
      }
      put(next)
    } catch (error) {
      log.error({ err: error }, 'key reload failed')
    }
  }
  const loadMissing = (ring: RingName, keyNumber: number) => {
    if (clock.monotonicMs() - readAtMs > clock.scaledMs(rereadMs)) readAgain()
    return live[ring].keys.get(keyNumber)
  }
  const remind = () => {
    for (const { ring, number } of keysDue(secretsDir, verificationDays, wallMs())) {
      log.warn({ ring, key: number, fix: `run: ringproof secrets add ${ring}` }, 'key rotation due')
    }
  }
  put(live)
  remind()
  process.on('SIGHUP', readAgain)
  const timers = [clock.every(readEveryMs, readAgain), clock.every(dayMs, remind)]
  return {
    keys: namedKeys(live),
    close: async () => {
      for (const { stop } of timers) stop()
      process.off('SIGHUP', readAgain)
    },
  }
}

// '1 2*': the numbers, the active one marked.
function spelled({ active, keys }: KeyRing): string {
  return [...keys.keys()]
    .toSorted((a, b) => a - b)
    .map((number) => (number === active ? `${number}*` : String(number)))
    .join(' ')
}
