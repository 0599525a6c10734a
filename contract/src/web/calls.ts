// Calls of all customers, for operators: found, and one of them with every leg and message. Codes are not in the list; in the
// detail they are hidden as from everybody else.

import { Type } from 'typebox'
import { consoleReaders } from './access.ts'
import { change, id, idDigits, object, optionalTime, read, shortId, shortIdDigits, text } from './endpoint.ts'
import { sipMessage } from './messages.ts'
import { commonDetail, commonFilters, commonRow, optionalNumber, side } from './verifications.ts'

const filters = {
  ...commonFilters,
  account: Type.Optional(shortIdDigits),
  sip: Type.Optional(Type.String({ pattern: '^[3-6]\\d\\d$' })),
  side: Type.Optional(side),
  ids: Type.Optional(Type.String({ maxLength: 1_000, pattern: '^\\d{1,16}(,\\d{1,16})*$' })),
}

const row = {
  ...commonRow,
  accountId: shortId,
  accountName: Type.String(),
  trunk: Type.Union([Type.String(), Type.Null()]),
  atFault: commonDetail.atFault,
}

const leg = object({
  attempt: Type.Integer(),
  trunk: Type.String(),
  callId: Type.String(),
  source: Type.String(),
  destination: Type.String(),
  // The last response to the INVITE.
  response: Type.String(),
  // As in `Reason: Q.850;cause=20`.
  cause: optionalNumber,
  tookMs: Type.Number(),
})

export const callEndpoints = {
  calls: read(
    consoleReaders,
    object({
      calls: Type.Array(object(row)),
      // Everything from this ID on was searched, and there may be more below it.
      nextBefore: Type.Union([id, Type.Null()]),
    }),
    object({ ...filters, before: Type.Optional(idDigits) }),
  ),
  // By ID or by a phone number. Written to the audit log.
  'find-calls': change(
    consoleReaders,
    object({ text: text(1, 60) }),
    // Not complete: there are more accounts than could be searched in time.
    object({ ids: Type.Array(id), isComplete: Type.Boolean() }),
  ),
  call: read(
    consoleReaders,
    object({
      ...row,
      ...commonDetail,
      legs: Type.Array(leg),
      messagesFrom: optionalTime,
      messages: Type.Array(sipMessage),
    }),
    object({ id: idDigits }),
  ),
}
