// SIP messages of a verification.

import { showSipMessages } from '../../actions/show-sip-messages.ts'
import type { VerificationId } from '../../domain/slot.ts'
import { Denial } from '../../errors.ts'
import type { WebDeps } from './deps.ts'
import { type HandlersOf, visitorOf } from './handlers.ts'

export function messageHandlers(deps: WebDeps): HandlersOf<'verification-messages'> {
  return {
    'verification-messages': async (visit, { verificationId }) => {
      const { membership } = visitorOf(visit)
      if (!membership) throw new Denial('forbidden')
      return showSipMessages(deps, membership, Number(verificationId) as VerificationId)
    },
  }
}
