// What starts calls and waits for requests of the API; whatever a rule against fraud refuses is recorded on its way.

import type { StartDeps } from '../actions/plan-call.ts'
import { type InboundDeps, startInboundVerification } from '../actions/start-inbound-verification.ts'
import { startVerification } from '../actions/start-verification.ts'
import type { ApiClient } from '../domain/accounts/api-client.ts'
import type { InboundCommand } from '../domain/calls/inbound-command.ts'
import type { StartCommand } from '../domain/calls/start-command.ts'
import { createFraudRecorder, type FraudDeps } from './fraud-recorder.ts'

export function createStarts(deps: StartDeps & InboundDeps & FraudDeps) {
  const fraud = createFraudRecorder(deps)
  const startCall = fraud.watch(startVerification)
  const startWait = fraud.watch(startInboundVerification)
  return {
    call: (apiClient: ApiClient, command: StartCommand) => startCall(deps, apiClient, command),
    wait: (apiClient: ApiClient, command: InboundCommand) => startWait(deps, apiClient, command),
    close: fraud.close,
  }
}
