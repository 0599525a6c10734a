// POST /v2/verifications. The number is put into the vault first: a ladder whose number nobody can find could not call again. Then
// one step in the database accepts the ladder with its first call, and the call is dispatched.

import { mapLockTimeout } from '../../db/core/map-lock-timeout.ts'
import type { LadderRequest } from '../../db/verifications/ladder.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import type { PromptLanguage, ServiceMode } from '../../domain/accounts/modes.ts'
import type { VerificationId } from '../../domain/core/slot.ts'
import { verifyDigests } from '../../domain/crypto/keyed-digest.ts'
import { randomFraction } from '../../domain/crypto/random-fraction.ts'
import { type PhoneNumber, tenantHashes } from '../../domain/numbers/phone-number.ts'
import type { RungRequest } from '../../domain/verifications/ladder.ts'
import { automaticModes, type LadderCommand, ladderCode, planRung } from '../../domain/verifications/plan-ladder.ts'
import { refuseDecision } from '../../domain/verifications/refuse-decision.ts'
import { Refusal, unavailable } from '../../process/errors.ts'
import { acceptRungPlan, dispatchRung, type LadderDeps, refuseOptOutElsewhere, rungInput } from './place-rung.ts'

export type StartLadderCommand = LadderCommand & {
  readonly channels: readonly ServiceMode[] | 'auto'
  readonly language: PromptLanguage | undefined
  readonly ttlSeconds: number
  readonly checks: number
  readonly silenceSeconds: number | undefined
}

export type StartedLadder =
  | { readonly outcome: 'started' | 'replayed'; readonly id: VerificationId }
  | { readonly outcome: 'key-reused' | 'guesses-used-up'; readonly id?: undefined }

export async function startLadder(
  deps: LadderDeps,
  apiClient: ApiClient,
  command: StartLadderCommand,
): Promise<StartedLadder> {
  const modes = command.channels === 'auto' ? automaticModes(apiClient) : command.channels
  try {
    const started = await startWith(deps, apiClient, command, modes)
    if (started.outcome === 'guesses-used-up') {
      // Of several retries at once the first one may have used them up.
      const id = await findByKey(deps, apiClient, command)
      if (id !== undefined) return await replay(deps, apiClient, command, id)
    }
    // Too many guesses: a call from the subscriber has nothing to guess, so the person is not locked out.
    const isLockedOut = started.outcome === 'guesses-used-up' && modes.includes('inbound')
    return isLockedOut ? await startWith(deps, apiClient, command, ['inbound']) : started
  } catch (refusal) {
    // What changed since the first request does not take its result away.
    const id = refusal instanceof Refusal ? await findByKey(deps, apiClient, command) : undefined
    if (id === undefined) throw refusal
    return replay(deps, apiClient, command, id)
  }
}

async function startWith(
  deps: LadderDeps,
  apiClient: ApiClient,
  command: StartLadderCommand,
  modes: readonly ServiceMode[],
): Promise<StartedLadder> {
  const { phone } = command
  const language = command.language ?? apiClient.language
  const code = ladderCode(
    deps.routing(),
    deps.numbers(),
    { phone, modes, isTest: apiClient.isTest },
    randomFraction(deps.randomBytes),
  )
  const input = await rungInput(deps, apiClient, command, { code, secondsLeft: command.ttlSeconds })
  const { plan, mode, skipped } = planRung(input, modes)
  // Where the operator has another mode in its place.
  const placed = 'mode' in plan.call ? plan.call.mode : 'inbound'
  const left = modes.filter((one) => one !== mode && one !== placed && !skipped.some((other) => other.mode === one))
  await refuseOptOutElsewhere(deps, plan)
  const vaultName = await put(deps, phone)
  const ladder: LadderRequest = {
    modes: [placed, ...left],
    code,
    checksMax: command.checks,
    phoneHashes: tenantHashes(deps.keys.phoneTenant, apiClient.accountId, phone),
    silenceSeconds: command.silenceSeconds,
    ttlSeconds: command.ttlSeconds,
    vaultName,
    language,
    skipped,
  }
  const accept = (call: RungRequest) => deps.batches.acceptLadder({ call, ladder })
  const { accepted, numberLeaseId } = await mapLockTimeout(acceptRungPlan(deps, plan, accept))
  const { decision, id } = accepted
  if (decision !== 'accepted') await deps.vault.erase(vaultName).catch(() => undefined)
  if (decision === 'guesses-used-up') return { outcome: decision }
  if (id === null || (decision !== 'accepted' && decision !== 'exists')) throw refuseDecision(accepted, apiClient)
  if (decision === 'exists') return replay(deps, apiClient, command, id)
  await dispatchRung(deps, apiClient, plan, { id, numberLeaseId, phone, language })
  return { outcome: 'started', id }
}

async function put({ vault }: LadderDeps, phone: PhoneNumber): Promise<string> {
  try {
    return await vault.put(phone)
  } catch (error) {
    throw unavailable('nats_down', { cause: error })
  }
}

async function findByKey(
  { batches, keys }: LadderDeps,
  { accountId, serviceId }: ApiClient,
  { unique }: StartLadderCommand,
): Promise<VerificationId | undefined> {
  if (unique === undefined) return undefined
  return batches.findKey({ accountId, serviceId, keyDigests: verifyDigests(keys.phoneTenant, serviceId, unique) })
}

// The ladder of the key, as it is now. If the first request died before its dispatch, the call ends by itself and the next one follows.
async function replay(
  { batches, keys }: LadderDeps,
  { accountId }: ApiClient,
  { phone }: StartLadderCommand,
  id: VerificationId,
): Promise<StartedLadder> {
  const first = await batches.read(id)
  // Undone a moment ago, so the key is free again.
  if (!first || (first.reason === 'not-dispatched' && !first.pinned)) throw unavailable('dispatch_failed')
  const hashes = tenantHashes(keys.phoneTenant, accountId, phone)
  if (!hashes.some((hash) => hash.equals(first.phoneHash))) return { outcome: 'key-reused' }
  // The client relies on this result from now on, so the first request may not undo it any more.
  if (first.state === 'accepted' && !first.pinned) await batches.pin(id)
  return { outcome: 'replayed', id }
}
