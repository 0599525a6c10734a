// Starts outgoing calls and inbound verifications for the API, and records refusals by fraud rules.

import { repeatVerification } from '../../actions/verifications/repeat-verification.ts'
import { type InboundDeps, startInboundVerification } from '../../actions/verifications/start-inbound-verification.ts'
import { type StartDeps, startVerification } from '../../actions/verifications/start-verification.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import type { VerificationId } from '../../domain/core/slot.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import type { InboundCommand, StartCommand } from '../../domain/verifications/call-request.ts'
import { unavailable } from '../../process/errors.ts'
import type { Events } from '../../process/metrics/events.ts'
import type { Traces } from '../../process/traces/traces.ts'
import { traceStart } from '../accounts/trace-start.ts'
import type { NoteChange } from '../core/live-hints.ts'
import type { RepeatVault } from '../core/vault.ts'
import { createFraudRecorder, type FraudDeps } from '../protection/fraud-recorder.ts'

type RepeatNumbers = { readonly repeats: RepeatVault | undefined }
type LiveHints = { readonly noteChange: NoteChange }
type StartEvents = { readonly events: Pick<Events, 'startReplayed' | 'repeatStarted'> }

type StartTraces = { readonly traces: Traces | undefined }

type StartsDeps = Omit<StartDeps, 'keepForRepeat'> &
  InboundDeps &
  FraudDeps &
  RepeatNumbers &
  LiveHints &
  StartEvents &
  StartTraces

export function createStarts(deps: StartsDeps) {
  const fraud = createFraudRecorder(deps)
  const startDeps: StartDeps = { ...deps, keepForRepeat: (id, number) => keepForRepeat(deps, id, number) }
  const start = deps.traces ? traceStart(deps.traces, deps.clock, startVerification) : startVerification
  const startCall = fraud.watch(start)
  const startInbound = fraud.watch(startInboundVerification)
  const noted = async <T>({ accountId }: ApiClient, started: Promise<T>): Promise<T> => {
    const response = await started
    deps.noteChange(accountId, 'verifications', 'phones', 'start')
    return response
  }
  const { batches, keys, timeScale, events } = deps
  const call = async (apiClient: ApiClient, command: StartCommand) => {
    const response = await noted(apiClient, startCall(startDeps, apiClient, command))
    if (response.exists === true) events.startReplayed()
    return response
  }
  const readForRepeat = (id: VerificationId) => readNumber(deps, id)
  return {
    call,
    repeat: async (apiClient: ApiClient, uid: number) => {
      const repeatDeps = { batches, keys, timeScale, readForRepeat, start: call }
      const response = await repeatVerification(repeatDeps, apiClient, uid)
      events.repeatStarted()
      return response
    },
    inbound: (apiClient: ApiClient, command: InboundCommand) =>
      noted(apiClient, startInbound(deps, apiClient, command)),
    close: fraud.close,
  }
}

// The call is on its way by now: a number that cannot be kept must not fail it.
async function keepForRepeat(
  { repeats, log }: RepeatNumbers & Pick<FraudDeps, 'log'>,
  id: VerificationId,
  number: PhoneNumber,
): Promise<void> {
  await repeats
    ?.put(id, number)
    .catch((err: unknown) => log.warn({ vendor_id: id, err }, 'number not kept for repeats'))
}

async function readNumber({ repeats }: RepeatNumbers, id: VerificationId): Promise<PhoneNumber | undefined> {
  if (!repeats) throw unavailable('nats_down')
  return repeats.read(id).catch((error: unknown) => {
    throw unavailable('nats_down', { cause: error })
  })
}
