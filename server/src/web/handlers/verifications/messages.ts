// SIP messages of a verification.

import { showSipMessages } from '../../../actions/verifications/sip-messages.ts'
import type { VerificationId } from '../../../domain/core/slot.ts'
import type { WebDeps } from '../core/deps.ts'
import { type Handlers, readerOf } from '../core/handlers.ts'

export function messageHandlers(deps: WebDeps) {
  return {
    'verification-messages': async (visit, { verificationId }) => {
      return showSipMessages(deps, readerOf(visit.visitor), Number(verificationId) as VerificationId)
    },
  } satisfies Partial<Handlers>
}
