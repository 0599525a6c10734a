// Verifications of an account: found, counted, and one of them in detail. A phone number or a client never enters an address:
// a search for one is a change, and returns an opaque name for it.

import { Type } from 'typebox'
import { assurances, enders, shownStatuses, sides, statusFilters, verificationModes } from '../lists/calls.ts'
import { trafficKinds } from '../lists/requests.ts'
import { builders, readers } from './access.ts'
import {
  change,
  id,
  idDigits,
  money,
  object,
  optionalTime,
  read,
  shortId,
  shortIdDigits,
  text,
  time,
  timeDigits,
} from './endpoint.ts'
import { scenarioNumber } from './phones.ts'
import { ran } from './start.ts'

const name = Type.String({ maxLength: 60 })
const mode = Type.Enum([...verificationModes])
const optionalText = Type.Union([Type.String(), Type.Null()])
export const optionalNumber = Type.Union([Type.Number(), Type.Null()])
export const side = Type.Enum([...sides])

// Customers and operators filter by these. Counts are kept by all of them.
export const commonFilters = {
  traffic: Type.Enum([...trafficKinds]),
  // Milliseconds since 1970.
  from: Type.Optional(timeDigits),
  until: Type.Optional(timeDigits),
  status: Type.Optional(Type.Enum([...statusFilters])),
  mode: Type.Optional(mode),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  provider: Type.Optional(name),
  trunk: Type.Optional(name),
  reason: Type.Optional(name),
}

// The list, the chart above it and the statistics.
export const countedFilters = { ...commonFilters, service: Type.Optional(shortIdDigits) }

// The list alone: a person or single verifications are not counted, and the page shows no chart.
const searchFilters = {
  // What `find-verifications` returned.
  number: Type.Optional(Type.String({ maxLength: 200, pattern: '^[\\w.-]+$' })),
  client: Type.Optional(Type.String({ maxLength: 100, pattern: '^[\\w.-]+$' })),
  ids: Type.Optional(Type.String({ maxLength: 400, pattern: '^\\d{1,16}(,\\d{1,16})*$' })),
}

// What everybody who may see the verification sees of it in a list.
export const commonRow = {
  id,
  at: time,
  phoneMask: Type.String(),
  mode,
  status: Type.Enum([...shownStatuses]),
  isTest: Type.Boolean(),
  country: Type.String(),
  provider: Type.String(),
  region: Type.String(),
  reason: optionalText,
  sipStatus: optionalNumber,
  // Until the phone rang.
  ringDelayMs: optionalNumber,
  charged: money,
}

// And in its detail.
export const commonDetail = {
  serviceId: shortId,
  serviceName: Type.String(),
  acceptedAt: time,
  dialledAt: optionalTime,
  rangAt: optionalTime,
  answeredAt: optionalTime,
  endedAt: optionalTime,
  ringMs: optionalNumber,
  endedBy: Type.Union([Type.Enum([...enders]), Type.Null()]),
  // What proves that the carrier sent an inbound call. Null: it is not one, or it matched nothing.
  assurance: Type.Union([Type.Enum([...assurances]), Type.Null()]),
  // Null: nobody, or it is not over.
  atFault: Type.Union([side, Type.Null()]),
  attempt: Type.Integer(),
  // Our number that called, or that was called. Its last four digits are the code of a flash call.
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
}

const row = {
  ...commonRow,
  serviceId: shortId,
  serviceName: Type.String(),
  client: Type.String(),
  // Null: there is none, or it may not be seen yet.
  code: optionalText,
  isCodeHidden: Type.Boolean(),
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
    readers,
    object({
      verifications: Type.Array(object(row)),
      // Everything from this ID on was searched, and there may be more below it.
      nextBefore: Type.Union([id, Type.Null()]),
    }),
    object({ ...countedFilters, ...searchFilters, before: Type.Optional(idDigits) }),
  ),
  'verification-counts': read(
    readers,
    object({ by: Type.Enum(['hour', 'day']), from: time, until: time, counts: Type.Array(count) }),
    object(countedFilters),
  ),
  'find-verifications': change(
    readers,
    object({ text: text(1, 200) }),
    object({ number: optionalText, client: optionalText, ids: optionalText }),
  ),
  verification: read(
    readers,
    object({
      ...row,
      ...commonDetail,
      endUntil: time,
      unique: optionalText,
      firstId: Type.Union([id, Type.Null()]),
      repeatIds: Type.Array(id),
      webhooks: Type.Array(object({ at: time, status: optionalNumber, error: Type.String() })),
    }),
    object({ id: idDigits }),
  ),
  // The same mode again, to a virtual phone of the account.
  'repeat-as-test': change(builders, object({ id }), object({ ...ran, number: scenarioNumber })),
}
