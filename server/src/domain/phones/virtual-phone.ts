// A virtual phone: what it does with a call, and what goes wrong on purpose. Where no handset is real, the call is simulated:
// this says how it goes, and outcomeOf decides what it means, as for any call.

import type { phoneActions, phoneCallerIds, phoneFaults, phoneStates } from '@ringproof/contract/lists/phones.ts'
import type { CallMode } from '@ringproof/contract/methods.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'
import { failingNumber, isScenarioNumber } from '../numbers/test-number.ts'
import type { CallProgress } from '../verifications/call-outcome.ts'
import { answerTimeoutMs, ringTimeoutMs } from '../verifications/verification.ts'

export type PhoneState = (typeof phoneStates)[number]
export type PhoneFault = (typeof phoneFaults)[number]
export type VirtualPhone = { readonly state: PhoneState; readonly faults: ReadonlySet<PhoneFault> }

// Of one account: a page with more handsets is no use, and there are only nine thousand numbers.
export const phonesMax = 8
// Where handsets are real, every account has these from the start.
export const firstPhones = 2

// What the page asks of a real handset. The status is SIP's: that of the dialled call, or 200 if there was a call to act on and
// 404 if there was none. Undefined: no process drives handsets.
export type PhoneCommand =
  | { readonly do: 'act'; readonly number: PhoneNumber; readonly action: (typeof phoneActions)[number] }
  | {
      readonly do: 'dial'
      readonly number: PhoneNumber
      readonly called: string
      readonly callerId: (typeof phoneCallerIds)[number]
    }
export type PhoneReply = { readonly status: number }
export type CommandPhone = (command: PhoneCommand) => Promise<PhoneReply | undefined>

const postDialMs = 400
export const latePostDialMs = 4_000
// Rings long enough to count, then answers.
export const answerAfterMs = 1_500
const speechMs = 3_000
const refusals: Partial<Record<PhoneState, 404 | 480 | 486>> = { fails: 404, busy: 486, off: 480 }

// The test numbers belong to everybody: nothing can be set on them. A spoken code needs a phone that answers.
export function testNumberPhone(number: string, mode: CallMode): VirtualPhone | undefined {
  if (isScenarioNumber(number)) return undefined
  const state = number === failingNumber ? 'fails' : mode === 'flash' ? 'rings' : 'answers'
  return { state, faults: new Set() }
}

// The SIP status with which a phone in this state refuses a call; undefined: it rings.
export function refusalOf(state: PhoneState): 404 | 480 | 486 | undefined {
  return refusals[state]
}

// Flash calls ring for ringMs.
export function simulateProgress({ state, faults }: VirtualPhone, mode: CallMode, ringMs: number): CallProgress {
  const nothing = { earlyMediaAtMs: undefined, answeredAtMs: undefined, spokenAtMs: undefined, status: undefined }
  const status = refusalOf(state)
  if (status !== undefined) {
    return { ...nothing, rangAtMs: undefined, endedAtMs: postDialMs, status, endedBy: 'them' }
  }
  if (faults.has('no-ring')) return { ...nothing, rangAtMs: undefined, endedAtMs: ringTimeoutMs, endedBy: 'us' }
  const rangAtMs = faults.has('late-ring') ? latePostDialMs : postDialMs
  const hangUpMs = rangAtMs + (mode === 'flash' ? ringMs : answerTimeoutMs)
  const answeredAtMs = rangAtMs + answerAfterMs
  if (state === 'rings' || answeredAtMs >= hangUpMs) {
    return { ...nothing, rangAtMs, endedAtMs: hangUpMs, endedBy: 'us' }
  }
  // A flash call is hung up at once; a code is spoken twice.
  if (mode === 'flash') return { ...nothing, rangAtMs, answeredAtMs, endedAtMs: answeredAtMs, endedBy: 'us' }
  const spokenAtMs = answeredAtMs + speechMs
  return { ...nothing, rangAtMs, answeredAtMs, spokenAtMs, endedAtMs: spokenAtMs + speechMs, endedBy: 'us' }
}
