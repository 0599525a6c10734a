// The keys of a running process. The directory is read again every ten seconds, on SIGHUP, and when a key is missing, so a
// copied or activated key takes effect without a restart. If the directory is not valid, the keys in use stay.

import type { KeyRing } from '../domain/crypto/sealing.ts'
import { dayMs } from '../domain/values/time.ts'
import { type Clock, wallMs } from './clock.ts'
import type { Logger } from './log/log.ts'
import { keysDue, type NamedKeys, namedKeys, type RingName, readSecrets, ringNames, type Secrets } from './secrets.ts'

const rereadEveryMs = 10_000
// A destroyed key may be requested again and again, so reading is throttled.
const rereadMsMin = 500

type SecretsWatch = {
  readonly rings: Secrets
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
  const reread = () => {
    readAtMs = clock.monotonicMs()
    try {
      const next = readSecrets(secretsDir, live)
      for (const ring of ringNames.filter((name) => describeRing(next[name]) !== describeRing(live[name]))) {
        log.info({ ring, keys: describeRing(next[ring]) }, 'keys changed')
      }
      put(next)
    } catch (error) {
      log.error({ err: error }, 'key reload failed')
    }
  }
  const loadMissing = (ring: RingName, keyNumber: number) => {
    if (clock.monotonicMs() - readAtMs > clock.scaledMs(rereadMsMin)) reread()
    return live[ring].keys.get(keyNumber)
  }
  const remind = () => {
    try {
      for (const { ring, number } of keysDue(secretsDir, verificationDays, wallMs())) {
        log.warn({ ring, key: number, fix: `run: ringproof secrets add ${ring}` }, 'key rotation due')
      }
    } catch (error) {
      log.error({ err: error }, 'key age not known')
    }
  }
  put(live)
  remind()
  process.on('SIGHUP', reread)
  const timers = [clock.every(rereadEveryMs, reread), clock.every(dayMs, remind)]
  return {
    rings: live,
    keys: namedKeys(live),
    close: async () => {
      for (const { stop } of timers) stop()
      process.off('SIGHUP', reread)
    },
  }
}

// '1 2*': the key numbers, the active one marked.
function describeRing({ active, keys }: KeyRing): string {
  return [...keys.keys()]
    .toSorted((a, b) => a - b)
    .map((number) => (number === active ? `${number}*` : String(number)))
    .join(' ')
}
