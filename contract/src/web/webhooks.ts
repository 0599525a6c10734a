// Webhooks: every delivery with its attempts, the hosts they go to, and the secrets that sign them.

import { Type } from 'typebox'
import { shownWebhookStates, trafficKinds } from '../lists/requests.ts'
import { builders, readers } from './access.ts'
import { change, guardedChange, id, idDigits, object, optionalTime, read, shortId, time } from './endpoint.ts'

const status = Type.Union([Type.Integer(), Type.Null()])

const attempt = object({
  endedAt: time,
  ms: Type.Integer(),
  // Null if there was no response; then `failure` says why.
  status,
  failure: Type.String(),
  // The start of the response, without digits.
  response: Type.String(),
})

const webhook = object({
  verificationId: id,
  serviceId: shortId,
  host: Type.String(),
  state: Type.Enum([...shownWebhookStates]),
  // Why nothing more is tried: gone (410), given-up, erased.
  reason: Type.Union([Type.String(), Type.Null()]),
  calledAt: time,
  // While it waits.
  nextAt: optionalTime,
  // Until then it can be sent again; null if the number is erased.
  numberUntil: optionalTime,
  // Of the current schedule; an attempt after sending again begins a new one.
  nth: Type.Integer(),
  attempts: Type.Array(attempt),
})

const host = object({
  host: Type.String(),
  // Of the last 24 hours.
  webhooks: Type.Integer(),
  delivered: Type.Integer(),
  medianMs: Type.Integer(),
  // The newest attempts, oldest first.
  recent: Type.Array(object({ ms: Type.Integer(), isGood: Type.Boolean() })),
  // The status of the newest attempts if none of them was delivered, and since when.
  failingSince: optionalTime,
  lastStatus: status,
})

const service = object({
  id,
  name: Type.String(),
  isTest: Type.Boolean(),
  // The last characters of the secret.
  secretEnd: Type.String(),
  oldSecretEnd: Type.Union([Type.String(), Type.Null()]),
  oldSecretUntil: optionalTime,
})

// A query carries text.
const isTest = Type.Boolean()

export const webhookEndpoints = {
  webhooks: read(
    readers,
    object({
      // Newest first.
      webhooks: Type.Array(webhook),
      hasMore: Type.Boolean(),
      hosts: Type.Array(host),
      services: Type.Array(service),
      // Seconds between the attempts of a schedule.
      retrySeconds: Type.Array(Type.Integer()),
    }),
    object({ traffic: Type.Optional(Type.Enum([...trafficKinds])), before: Type.Optional(idDigits) }),
  ),
  'resend-webhook': change(builders, object({ verificationId: id })),
  'recover-webhooks': change(builders, object({ since: time, isTest }), object({ count: Type.Integer() })),
  'send-example-webhook': change(
    builders,
    object({ serviceId: shortId, url: Type.String({ minLength: 8, maxLength: 2_000 }) }),
    object({ attempt, body: Type.String() }),
  ),
  'rotate-webhook-secret': guardedChange(
    builders,
    object({ serviceId: shortId, overlapHours: Type.Integer({ minimum: 0, maximum: 168 }) }),
    object({ serviceId: shortId, secret: Type.String() }),
  ),
}
