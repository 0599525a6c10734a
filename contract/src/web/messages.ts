// The SIP messages of one verification: what was said on the wire, for 72 hours.

import { Type } from 'typebox'
import { everyMember } from './access.ts'
import { idDigits, object, optionalTime, read } from './endpoint.ts'

export const sipMessage = object({
  // Since the first message of the first attempt.
  sinceMs: Type.Number(),
  // Sent by us to the carrier, or received.
  isSent: Type.Boolean(),
  attempt: Type.Integer(),
  trunk: Type.String(),
  // The first line of the text.
  line: Type.String(),
  // Numbers are masked.
  text: Type.String(),
})

export const messageEndpoints = {
  'verification-messages': read(
    everyMember,
    object({
      // When the first message was sent; null if none is stored.
      startedAt: optionalTime,
      messages: Type.Array(sipMessage),
    }),
    // A query carries text.
    object({ verificationId: idDigits }),
  ),
}
