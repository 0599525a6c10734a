// A further call of a ladder: asked for by the customer or by the person, or due because the one before it failed. It is accepted under
// its ladder, once for each number of calls before it. A process that dies after the accept has dispatched nothing: the call ends at
// its start deadline, and the next one is due.

import { problemCode } from '@ringproof/contract/v2/problems.ts'
import { followSlot } from '../../db/core/follow-slot.ts'
import { mapLockTimeout } from '../../db/core/map-lock-timeout.ts'
import {
  acceptRung,
  delayLadder,
  isRungRefusal,
  type RungRefusal,
  readLadder,
  readLadderSecrets,
  skipMode,
} from '../../db/verifications/ladder.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import type { ServiceMode } from '../../domain/accounts/modes.ts'
import { type AccountId, slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import type { Ladder, RungRequest } from '../../domain/verifications/ladder.ts'
import { planRung, type RungInput, type RungPlan, type SkippedMode } from '../../domain/verifications/plan-ladder.ts'
import { refuseDecision } from '../../domain/verifications/refuse-decision.ts'
import { Refusal, unavailable } from '../../process/errors.ts'
import { acceptRungPlan, dispatchRung, type LadderDeps, refuseOptOutElsewhere, rungInput } from './place-rung.ts'

// A limit of seconds, such as the cooldown of a number, is waited for. What lasts longer leaves a mode out.
const waitMsMax = 60_000

export type NextRung = 'called' | RungRefusal

type NextCommand = {
  readonly ladder: Ladder
  // Of any number of requests with the same one, one places a call.
  readonly callsBefore: number
  // Undefined: the next one that is left.
  readonly mode: ServiceMode | undefined
  // A worker: its lease is over when a mode is skipped.
  readonly isDue?: boolean
}

// Throws a refusal that another mode would not lift, such as that of a limit of the number.
export async function callNext(
  deps: LadderDeps,
  apiClient: ApiClient,
  { ladder, callsBefore, mode, isDue = false }: NextCommand,
): Promise<NextRung> {
  const { id } = ladder
  const database = deps.slots.databaseOf(slotOfVerification(id))
  const secrets = await readLadderSecrets(database, id)
  const secondsLeft = ladder.leftMs / 1_000 / deps.timeScale
  if (!secrets || ladder.state !== 'pending' || secondsLeft <= 0) return 'ladder-over'
  if (ladder.callIds.length !== callsBefore) return 'ladder-exists'
  const modes = mode === undefined ? ladder.modesLeft : [mode]
  if (modes.length === 0) return 'no-channel-left'
  const phone = await read(deps, secrets.vaultName)
  const command = { phone, client: '', unique: undefined }
  const input = await rungInput(deps, apiClient, command, { code: secrets.code ?? undefined, secondsLeft })
  // A mode that was asked for is refused, and not given up.
  const { plan, mode: planned, skipped } = mode === undefined ? tryPlan(input, modes) : planRung(input, modes)
  for (const one of skipped) await skipMode(database, id, one, isDue ? callsBefore : undefined)
  if (!plan) return 'no-channel-left'
  await refuseOptOutElsewhere(deps, plan)
  const accept = (call: RungRequest) =>
    followSlot(deps.slots, [slotOfVerification(id)], () =>
      acceptRung(
        deps.slots.databaseOf(slotOfVerification(id)),
        { id, callsBefore, mode: planned },
        call,
        deps.timeScale,
      ),
    )
  const { accepted, numberLeaseId } = await mapLockTimeout(
    acceptRungPlan(deps, continuing(plan, secrets.continuesLease), accept),
  )
  const { decision } = accepted
  if (isRungRefusal(decision)) return decision
  if (accepted.id === null || decision !== 'accepted') throw refuseDecision({ ...accepted, decision }, apiClient)
  const { language } = ladder
  await dispatchRung(deps, apiClient, plan, { id: accepted.id, numberLeaseId, phone, language })
  return 'called'
}

// What the worker does with a ladder whose next call is due.
export async function callDue(
  deps: LadderDeps,
  id: VerificationId,
  callsBefore: number,
  findClient: (ladder: Ladder) => Promise<ApiClient | undefined>,
): Promise<AccountId | undefined> {
  const database = deps.slots.databaseOf(slotOfVerification(id))
  const ladder = await readLadder(database, id)
  const apiClient = ladder && (await findClient(ladder))
  if (!ladder || !apiClient) return undefined
  // Modes before it may have been skipped on the way.
  const skipFirst = async (code: string) => {
    const [mode] = (await readLadder(database, id))?.modesLeft ?? []
    if (mode !== undefined) await skipMode(database, id, { mode, code }, callsBefore)
  }
  try {
    const outcome = await callNext(deps, apiClient, { ladder, callsBefore, mode: undefined, isDue: true })
    if (outcome === 'no-channel-left') await skipFirst('no_channel_left')
    // Until it expires.
    if (outcome === 'too-late') await delayLadder(database, id, callsBefore, ladder.leftMs)
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
    // A limit of a few seconds is waited for; what lasts longer leaves this mode out.
    const waitMs = (refusal.retryAfterSeconds ?? Number.POSITIVE_INFINITY) * 1_000
    if (waitMs <= waitMsMax) await delayLadder(database, id, callsBefore, waitMs * deps.timeScale)
    else await skipFirst(problemCode(refusal.refusal))
  }
  return ladder.accountId
}

async function read({ vault }: LadderDeps, name: string): Promise<PhoneNumber> {
  const phone = await vault.read(name).catch((error: unknown) => {
    throw unavailable('nats_down', { cause: error })
  })
  // NATS has lost it. Codes that were called stay valid.
  if (phone === undefined) throw unavailable('nats_down')
  return phone
}

// Every mode may be one by which the number cannot be reached.
function tryPlan(input: RungInput, modes: readonly ServiceMode[]) {
  const skipped: SkippedMode[] = []
  try {
    return planRung(input, modes, skipped)
  } catch (refusal) {
    if (skipped.length < modes.length) throw refusal
    return { plan: undefined, mode: undefined, skipped }
  }
}

// In another database the limits of the number know nothing of the ladder.
function continuing(plan: RungPlan, lease: number | null): RungPlan {
  if (lease === null || !('mode' in plan.call)) return plan
  return { ...plan, call: { ...plan.call, continuesLease: lease } }
}
