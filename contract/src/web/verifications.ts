// Verifications of an account: found, counted, and one of them in detail. A phone number or a client never enters an address:
// a search for one is a change, and returns an opaque name for it.

import { Type } from 'typebox'
import { builders, everyMember } from './access.ts'
import { change, id, money, object, optionalTime, read, text, time } from './endpoint.ts'
import { scenarioNumber } from './phones.ts'
import { ran } from './start.ts'

// In an address everything is text.
const digits = Type.String({ pattern: '^\\d{1,16}$' })
const name = Type.String({ maxLength: 60 })
const traffic = Type.Enum(['live', 'test'])
export const verificationModes = ['flash', 'voice', 'mix', 'inbound'] as const
export const shownStatuses = ['succeeded', 'failed', 'open'] as const

export const verificationFilters = {
  traffic,
  // Milliseconds since 1970.
  from: Type.Optional(digits),
  until: Type.Optional(digits),
  status: Type.Optional(Type.Enum([...shownStatuses])),
  mode: Type.Optional(Type.Enum([...verificationModes])),
  service: Type.Optional(digits),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  provider: Type.Optional(name),
  trunk: Type.Optional(name),
  reason: Type.Optional(name),
  // What `find-verifications` returned.
  number: Type.Optional(Type.String({ maxLength: 200, pattern: '^[\\w.-]+$' })),
  client: Type.Optional(Type.String({ maxLength: 100, pattern: '^[\\w.-]+$' })),
  ids: Type.Optional(Type.String({ maxLength: 400, pattern: '^\\d+(,\\d+)*$' })),
}

const optionalText = Type.Union([Type.String(), Type.Null()])
const optionalNumber = Type.Union([Type.Number(), Type.Null()])
const mode = Type.Enum([...verificationModes])

const row = {
  id,
  at: time,
  serviceId: id,
  serviceName: Type.String(),
  phoneMask: Type.String(),
  client: Type.String(),
  mode,
  status: Type.Enum(['checking', 'ringing', 'waiting', 'succeeded', 'failed']),
  isTest: Type.Boolean(),
  // Null: there is none, or it may not be seen yet.
  code: optionalText,
  isCodeHidden: Type.Boolean(),
  country: Type.String(),
  provider: Type.String(),
  region: Type.String(),
  reason: optionalText,
  sipStatus: optionalNumber,
  // Until the phone rang.
  ringDelayMs: optionalNumber,
  charged: money,
}

const count = object({
  at: time,
  calls: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  charged: money,
})

export const verificationEndpoints = {
  verifications: read(
    everyMember,
    object({
      verifications: Type.Array(object(row)),
      // Everything from this ID on was searched, and there may be more below it.
      nextBefore: Type.Union([id, Type.Null()]),
    }),
    object({ ...verificationFilters, before: Type.Optional(digits) }),
  ),
  'verification-counts': read(
    everyMember,
    object({ by: Type.Enum(['hour', 'day']), from: time, until: time, counts: Type.Array(count) }),
    object(verificationFilters),
  ),
  'find-verifications': change(
    everyMember,
    object({ text: text(1, 200) }),
    object({ number: optionalText, client: optionalText, ids: optionalText }),
  ),
  verification: read(
    everyMember,
    object({
      ...row,
      acceptedAt: time,
      dialledAt: optionalTime,
      rangAt: optionalTime,
      answeredAt: optionalTime,
      endedAt: optionalTime,
      endUntil: time,
      ringMs: optionalNumber,
      endedBy: Type.Union([Type.Enum(['us', 'them', 'nobody']), Type.Null()]),
      // Null: nobody, or it is not over.
      atFault: Type.Union([Type.Enum(['subscriber', 'carrier', 'operator']), Type.Null()]),
      attempt: Type.Integer(),
      // Our number that called, or that was called. Its last four digits are the code of a flash call.
      callerStart: optionalText,
      callerEnd: optionalText,
      unique: optionalText,
      price: money,
      firstId: Type.Union([id, Type.Null()]),
      repeatIds: Type.Array(id),
      ledger: Type.Array(
        object({
          at: time,
          kind: Type.Enum(['held', 'captured', 'released']),
          amount: money,
          sequence: Type.Integer(),
        }),
      ),
      webhooks: Type.Array(object({ at: time, status: optionalNumber, error: Type.String() })),
    }),
    object({ id: digits }),
  ),
  // The same mode again, to a virtual phone of the account.
  'repeat-as-test': change(builders, object({ id }), object({ ...ran, number: scenarioNumber })),
}
