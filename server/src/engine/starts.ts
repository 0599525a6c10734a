// Starts outgoing calls and inbound verifications for the API, and records refusals by fraud rules.

import { type InboundDeps, startInboundVerification } from '../actions/start-inbound-verification.ts'
import { type StartDeps, startVerification } from '../actions/start-verification.ts'
import type { ApiClient } from '../domain/accounts/api-client.ts'
import type { InboundCommand } from '../domain/calls/inbound-command.ts'
import type { StartCommand } from '../domain/calls/start-command.ts'
import { createFraudRecorder, type FraudDeps } from './fraud-recorder.ts'

export function createStarts(deps: StartDeps & InboundDeps & FraudDeps) {
  const fraud = createFraudRecorder(deps)
  const startCall = fraud.watch(startVerification)
  const startInbound = fraud.watch(startInboundVerification)
  return {
    call: (apiClient: ApiClient, command: StartCommand) => startCall(deps, apiClient, command),
    inbound: (apiClient: ApiClient, command: InboundCommand) => startInbound(deps, apiClient, command),
    close: fraud.close,
  }
}
