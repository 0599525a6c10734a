// How one attempt of a call goes over a trunk: what the switch would report of it.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import type { CallProgress } from '../../server/src/domain/verifications/call-outcome.ts'
import { answerTimeoutMs, ringTimeoutMs } from '../../server/src/domain/verifications/verification.ts'
import { type ProviderName, providers, type TrunkName } from './cast.ts'
import type { Draw } from './random.ts'
import { providerOf, scenarioOf } from './subscribers.ts'

// A trunk refuses calls to a provider for a while.
export type Fault = {
  readonly trunk: TrunkName
  readonly provider: ProviderName
  readonly fromMs: number
  readonly untilMs: number
  // Of its calls.
  readonly share: number
  readonly status: number
}

type Attempt = {
  readonly mode: CallMode
  readonly phone: PhoneNumber
  readonly trunk: TrunkName
  readonly atMs: number
  readonly key: string
}

// As RINGPROOF_FLASH_RING_SECONDS says.
const flashRingMs = 5_000
const answerMs = 2_000
const shortRingMs = 300
const talkMs = 1_000
const spokenMs = 5_200

const nothing = {
  rangAtMs: undefined,
  earlyMediaAtMs: undefined,
  answeredAtMs: undefined,
  spokenAtMs: undefined,
  status: undefined,
} as const

export function progressOf(draw: Draw, faults: readonly Fault[], attempt: Attempt): CallProgress {
  const { phone, trunk, key } = attempt
  const provider = providerOf(phone)
  const status = faultOf(draw, faults, attempt, provider) ?? refusalOf(scenarioOf(phone))
  const spread = draw(key, 'delay')
  if (status !== undefined) return { ...nothing, status, endedBy: 'them', endedAtMs: 130 + Math.round(spread * 420) }
  const { postDialMs } = providers[provider]
  // Most calls ring after about the median, few after three times of it.
  const setupMs = Math.round(postDialMs * (0.7 + 0.5 * spread + 1.8 * spread ** 9) * (trunk === 'south' ? 1.15 : 1))
  return connected(attempt, setupMs, Math.round(12 + 60 * draw(key, 'tail')))
}

function faultOf(draw: Draw, faults: readonly Fault[], { trunk, atMs, key }: Attempt, of: ProviderName) {
  const fault = faults.find(
    ({ trunk: ill, provider, fromMs, untilMs }) => ill === trunk && provider === of && fromMs <= atMs && atMs < untilMs,
  )
  return fault && draw(key, 'fault', trunk) < fault.share ? fault.status : undefined
}

const unrefused = new Set(['100', '180', '183', '200', '201', '299', '580', '581', '586'])

function refusalOf(scenario: string): number | undefined {
  return unrefused.has(scenario) ? undefined : Number(scenario)
}

function connected({ mode, phone }: Attempt, setupMs: number, tailMs: number): CallProgress {
  const ringsForMs = mode === 'flash' ? flashRingMs : answerTimeoutMs
  const byUs = (endedAtMs: number) => ({ ...nothing, endedBy: 'us' as const, endedAtMs: endedAtMs + tailMs })
  const rings = { ...nothing, rangAtMs: setupMs }
  const refused = (status: number, afterMs: number): CallProgress => ({
    ...rings,
    status,
    endedBy: 'them',
    endedAtMs: setupMs + afterMs,
  })
  switch (scenarioOf(phone)) {
    case '100':
      return byUs(ringTimeoutMs)
    case '183':
      return { ...byUs(ringTimeoutMs), earlyMediaAtMs: setupMs }
    case '201':
      return { ...byUs(setupMs), answeredAtMs: setupMs }
    case '581':
      return refused(480, shortRingMs)
    case '580':
      return refused(480, answerMs)
    case '586':
      return refused(486, answerMs)
    case '200':
    case '299':
      return answered(mode, setupMs, tailMs, scenarioOf(phone) === '299')
    default:
      return { ...byUs(setupMs + ringsForMs), rangAtMs: setupMs }
  }
}

// A flash call is hung up at once. Otherwise the code is spoken twice, unless the person hangs up first.
function answered(mode: CallMode, setupMs: number, tailMs: number, hangsUp: boolean): CallProgress {
  const answeredAtMs = setupMs + answerMs
  const base = { ...nothing, rangAtMs: setupMs, answeredAtMs }
  if (mode === 'flash') return { ...base, endedBy: 'us', endedAtMs: answeredAtMs + tailMs }
  if (hangsUp) return { ...base, endedBy: 'them', endedAtMs: answeredAtMs + talkMs }
  const spokenAtMs = answeredAtMs + spokenMs
  return { ...base, spokenAtMs, endedBy: 'us', endedAtMs: spokenAtMs + spokenMs + tailMs }
}
