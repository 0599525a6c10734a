// The SIP messages of one verification: what was said on the wire, as long as it is kept.

import { Type } from 'typebox'
import { readers } from './access.ts'
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
    readers,
    object({
      // When the first message was sent; null if none is stored.
      startedAt: optionalTime,
      messages: Type.Array(sipMessage),
    }),
    // A query carries text.
    object({ verificationId: idDigits }),
  ),
}
