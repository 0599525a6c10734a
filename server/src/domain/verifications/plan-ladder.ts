// Plans a call of a ladder: an outgoing one with the ladder's code, or one from the subscriber. A mode by which this number cannot be
// reached is skipped, and the next one is tried.

import { problemCode } from '@ringproof/contract/v2/problems.ts'
import { Refusal, type UnavailableCause } from '../../process/errors.ts'
import type { ApiClient } from '../accounts/api-client.ts'
import type { ServiceMode } from '../accounts/modes.ts'
import { clientDigests, verifyDigests } from '../crypto/keyed-digest.ts'
import { describeNumber } from '../numbers/number-plan.ts'
import type { NumberingIndex } from '../numbers/numbering-index.ts'
import type { NumberRef, PhoneNumber } from '../numbers/phone-number.ts'
import { isTestNumber } from '../numbers/test-number.ts'
import { everyCode } from '../trunks/caller-pool.ts'
import { pickCode } from '../trunks/routing.ts'
import type { CallOrder } from './call-order.ts'
import type { StartCommand } from './call-request.ts'
import type { RungRequest } from './ladder.ts'
import { type CallTable, type PlanInput, planCall } from './plan-call.ts'
import { planWait, type WaitInput } from './plan-inbound-request.ts'

export type LadderCommand = Pick<StartCommand, 'phone' | 'client' | 'unique' | 'metadata'>

export type RungInput = Omit<PlanInput, 'command' | 'table'> & {
  readonly command: LadderCommand
  readonly table: PlanInput['table'] & WaitInput['table']
  readonly code: string | undefined
  // Of the ladder: an inbound call waits no longer.
  readonly secondsLeft: number
}

export type RungPlan = {
  readonly call: RungRequest
  readonly number: NumberRef
  // Of an outgoing call.
  readonly order: Pick<CallOrder, 'routes' | 'mode' | 'code' | 'destination' | 'isTest'> | undefined
}

export type SkippedMode = { readonly mode: ServiceMode; readonly code: string }

// The first of these modes by which the number can be reached, and those that were skipped before it. Throws the first refusal if
// none can, with all of them skipped.
export function planRung(
  input: RungInput,
  modes: readonly ServiceMode[],
  skipped: SkippedMode[] = [],
): { readonly plan: RungPlan; readonly mode: ServiceMode; readonly skipped: readonly SkippedMode[] } {
  let first: Refusal | undefined
  for (const mode of modes) {
    try {
      return { plan: planMode(input, mode), mode, skipped }
    } catch (refusal) {
      if (!(refusal instanceof Refusal) || !concernsMode(refusal)) throw refusal
      first ??= refusal
      skipped.push({ mode, code: problemCode(refusal.refusal) })
    }
  }
  throw first ?? new Refusal('modeNotAvailable', { mode: 'flash' })
}

function planMode(input: RungInput, mode: ServiceMode): RungPlan {
  const { apiClient, command, keys } = input
  const keyDigests =
    command.unique === undefined ? undefined : verifyDigests(keys.phoneTenant, apiClient.serviceId, command.unique)
  if (mode !== 'inbound') {
    const { request, number, routes, destination, isTest, code } = planCall({
      ...input,
      command: { ...command, code: input.code, mode },
    })
    const order = { routes, mode: request.mode, code, destination, isTest }
    return { call: { ...request, keyDigests }, number, order }
  }
  const { request, number } = planWait({
    ...input,
    random: { candidate: input.random.route, personNonce: input.random.nonce },
  })
  const inboundSeconds = Math.max(1, Math.min(request.inboundSeconds, Math.floor(input.secondsLeft)))
  const [clientDigest] = clientDigests(keys.phoneTenant, apiClient.accountId, command.client)
  return { call: { ...request, inboundSeconds, keyDigests, clientDigest }, number, order: undefined }
}

const ofMode: ReadonlySet<string> = new Set(['modeNotAvailable', 'modeSwitchedOff', 'noCallerNumber'])
const causesOfMode: ReadonlySet<UnavailableCause> = new Set([
  'no_trunk',
  'trunks_off',
  'no_caller_number',
  'no_price',
  'no_confirmation_number',
  'confirmation_numbers_in_use',
  'queue_full',
])

// Whether another mode may do.
function concernsMode({ refusal, unavailableCause }: Refusal): boolean {
  return ofMode.has(refusal) || (unavailableCause !== undefined && causesOfMode.has(unavailableCause))
}

// Cheapest first. Mixed calls stand in where spoken ones are off.
export function automaticModes({ modes }: Pick<ApiClient, 'modes'>): readonly ServiceMode[] {
  const spoken = modes.includes('voice') ? 'voice' : 'mix'
  return (['flash', spoken, 'inbound'] as const).filter((mode) => modes.includes(mode))
}

// One code for the whole ladder, so that nothing has to be said about which call's code counts. If a call shows it, it is one that a
// caller number for the country ends with. Undefined: there is nothing to type.
export function ladderCode(
  table: Pick<CallTable, 'codesFor'>,
  index: NumberingIndex,
  {
    phone,
    modes,
    isTest,
  }: { readonly phone: PhoneNumber; readonly modes: readonly ServiceMode[]; readonly isTest: boolean },
  random: number,
): string | undefined {
  if (modes.every((mode) => mode === 'inbound')) return undefined
  const isShown = modes.some((mode) => mode === 'flash' || mode === 'mix')
  const { country } = describeNumber(phone, index)
  const shown = isShown && !isTest && !isTestNumber(phone) && country !== undefined ? table.codesFor(country) : []
  return pickCode(shown.length > 0 ? shown : everyCode, random)
}
