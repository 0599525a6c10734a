// The API log: requests to /v1.0 that are still kept. Inputs are texts, because a read has them in its query.

import { Type } from 'typebox'
import { authSchemes, loggedMethods, logPeriods, requestResults, trafficKinds } from '../lists/requests.ts'
import { readers } from './access.ts'
import { id, idDigits, object, read, shortId, shortIdDigits, time } from './endpoint.ts'
import { settingNames } from './setting-names.ts'

const requestId = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const milliseconds = Type.String({ pattern: '^[0-9]{13}$' })
const traffic = Type.Enum([...trafficKinds])
const optionalId = Type.Union([id, Type.Null()])
const optionalMs = Type.Union([Type.Integer(), Type.Null()])
const sentences = object({ en: Type.String(), ru: Type.String() })

// The list, and the counts above it.
const countedFilters = { traffic, period: Type.Enum([...logPeriods]), serviceId: Type.Optional(shortIdDigits) }

// What a refusal means and what to do about it.
const refusal = object({
  code: Type.Integer(),
  title: sentences,
  fix: sentences,
  // Of the service: these lift it.
  settings: Type.Array(Type.Enum([...settingNames])),
})

const request = object({
  id: requestId,
  at: time,
  serviceId: shortId,
  serviceName: Type.String(),
  method: Type.Enum([...loggedMethods]),
  verb: Type.String(),
  httpStatus: Type.Integer(),
  refusal: Type.Union([refusal, Type.Null()]),
  ms: Type.Integer(),
  address: Type.String(),
  verificationId: optionalId,
})

const requestDetail = object({
  ...request.properties,
  auth: Type.Enum([...authSchemes]),
  userAgent: Type.String(),
  // Fields that no method has; their names are not kept.
  otherFields: Type.Integer(),
  isUnreadable: Type.Boolean(),
  request: Type.String(),
  response: Type.String(),
  curl: Type.String(),
})

export const logEndpoints = {
  'api-requests': read(
    readers,
    object({
      requests: Type.Array(request),
      // For the next page; null on the last one.
      before: Type.Union([Type.String(), Type.Null()]),
    }),
    object({
      ...countedFilters,
      method: Type.Optional(Type.Enum([...loggedMethods])),
      result: Type.Optional(Type.Enum([...requestResults])),
      code: Type.Optional(shortIdDigits),
      // Within the period: milliseconds since 1970, the end not included.
      from: Type.Optional(milliseconds),
      to: Type.Optional(milliseconds),
      before: Type.Optional(Type.String({ pattern: '^[0-9]{10,15}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })),
    }),
  ),
  'api-request': read(readers, requestDetail, object({ id: requestId })),
  // The request that started a verification; null if the log has no row of it.
  'verification-request': read(
    readers,
    object({ request: Type.Union([requestDetail, Type.Null()]) }),
    object({ verificationId: idDigits }),
  ),
  'api-errors': read(
    readers,
    object({
      total: Type.Integer(),
      refused: Type.Integer(),
      ours: Type.Integer(),
      // Of the installation's own: the time until a response was sent.
      p50Ms: optionalMs,
      p95Ms: optionalMs,
      columns: Type.Array(object({ at: time, served: Type.Integer(), refused: Type.Integer() })),
      columnMinutes: Type.Integer(),
      groups: Type.Array(
        object({
          refusal,
          // A parameter, a country or a scope; empty if the refusal is about none.
          subject: Type.String(),
          // Null if it was returned to several services.
          serviceId: optionalId,
          method: Type.Enum([...loggedMethods]),
          httpStatus: Type.Integer(),
          requests: Type.Integer(),
          lastAt: time,
          columns: Type.Array(Type.Integer()),
        }),
      ),
      // Whether the account has ever been seen here, within what the log keeps.
      hasAny: Type.Boolean(),
    }),
    object(countedFilters),
  ),
}
