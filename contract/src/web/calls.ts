// Calls of all customers, for operators: found, and one of them with every leg and message. Codes are not in the list; in the
// detail they are hidden as from everybody else.

import { Type } from 'typebox'
import { everyOperator } from './access.ts'
import { change, id, money, object, optionalTime, read, text, time } from './endpoint.ts'
import { shownStatuses, verificationModes } from './verifications.ts'

const digits = Type.String({ pattern: '^\\d{1,16}$' })
const name = Type.String({ maxLength: 60 })
const optionalText = Type.Union([Type.String(), Type.Null()])
const optionalNumber = Type.Union([Type.Number(), Type.Null()])
export const sides = ['subscriber', 'carrier', 'operator'] as const
const side = Type.Enum([...sides])

export const callFilters = {
  traffic: Type.Enum(['live', 'test']),
  // Milliseconds since 1970.
  from: Type.Optional(digits),
  until: Type.Optional(digits),
  status: Type.Optional(Type.Enum([...shownStatuses])),
  mode: Type.Optional(Type.Enum([...verificationModes])),
  account: Type.Optional(digits),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  provider: Type.Optional(name),
  trunk: Type.Optional(name),
  reason: Type.Optional(name),
  sip: Type.Optional(Type.String({ pattern: '^[3-6]\\d\\d$' })),
  side: Type.Optional(side),
  ids: Type.Optional(Type.String({ maxLength: 1_000, pattern: '^\\d+(,\\d+)*$' })),
}

const row = {
  id,
  at: time,
  accountId: id,
  accountName: Type.String(),
  phoneMask: Type.String(),
  mode: Type.Enum([...verificationModes]),
  status: Type.Enum(['checking', 'ringing', 'waiting', 'succeeded', 'failed']),
  isTest: Type.Boolean(),
  country: Type.String(),
  provider: Type.String(),
  region: Type.String(),
  trunk: optionalText,
  reason: optionalText,
  sipStatus: optionalNumber,
  // Null: nobody, or it is not over.
  atFault: Type.Union([side, Type.Null()]),
  ringDelayMs: optionalNumber,
  charged: money,
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

const message = object({
  sinceMs: Type.Number(),
  isSent: Type.Boolean(),
  attempt: Type.Integer(),
  trunk: Type.String(),
  line: Type.String(),
  text: Type.String(),
})

export const callEndpoints = {
  calls: read(
    everyOperator,
    object({
      calls: Type.Array(object(row)),
      // Everything from this ID on was searched, and there may be more below it.
      nextBefore: Type.Union([id, Type.Null()]),
    }),
    object({ ...callFilters, before: Type.Optional(digits) }),
  ),
  // By ID or by a phone number. Written to the audit log.
  'find-calls': change(
    everyOperator,
    object({ text: text(1, 60) }),
    // Not complete: there are more accounts than could be searched in time.
    object({ ids: Type.Array(id), isComplete: Type.Boolean() }),
  ),
  call: read(
    everyOperator,
    object({
      ...row,
      serviceId: id,
      serviceName: Type.String(),
      acceptedAt: time,
      dialledAt: optionalTime,
      rangAt: optionalTime,
      answeredAt: optionalTime,
      endedAt: optionalTime,
      ringMs: optionalNumber,
      endedBy: Type.Union([Type.Enum(['us', 'them', 'nobody']), Type.Null()]),
      attempt: Type.Integer(),
      // Our number; its last four digits are the code of a flash call.
      callerStart: optionalText,
      callerEnd: optionalText,
      price: money,
      ledger: Type.Array(
        object({
          at: time,
          kind: Type.Enum(['held', 'captured', 'released']),
          amount: money,
          sequence: Type.Integer(),
        }),
      ),
      legs: Type.Array(leg),
      messagesFrom: optionalTime,
      messages: Type.Array(message),
    }),
    object({ id: digits }),
  ),
}
