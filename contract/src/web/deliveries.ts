// Webhooks of all customers: the backlog, the hosts they go to, and those that failed. A host, never an address: that may contain anything.

import { Type } from 'typebox'
import { consoleReaders, helpers } from './access.ts'
import { change, id, object, optionalTime, read, shortId, text, time } from './endpoint.ts'

const count = Type.Integer({ minimum: 0 })
const status = Type.Union([Type.Integer(), Type.Null()])
// Why there was no response: address-refused, address-busy, too-slow, unreachable.
const failure = Type.Union([Type.String(), Type.Null()])
const hostName = text(1, 300)

const host = object({
  host: Type.String(),
  // Whose webhooks go there.
  accountIds: Type.Array(id),
  // Of the last 24 hours.
  webhooks: count,
  delivered: count,
  waiting: count,
  // Failed ones whose number is still there.
  recoverable: count,
  medianMs: Type.Union([count, Type.Null()]),
  // Null if the newest one was delivered.
  failingSince: optionalTime,
  lastStatus: status,
  lastFailure: failure,
})

const failed = object({
  verificationId: id,
  accountId: shortId,
  host: Type.String(),
  calledAt: time,
  // gone (410), given-up, erased.
  reason: Type.String(),
  attempts: count,
  lastStatus: status,
  lastFailure: failure,
  // Until then it can be sent again; null if the number is erased.
  numberUntil: optionalTime,
})

export const deliveryEndpoints = {
  deliveries: read(
    consoleReaders,
    object({
      // Due now or later.
      waiting: count,
      // How long the one that is due longest has waited; null if none is late.
      lateSeconds: Type.Union([Type.Number(), Type.Null()]),
      // In trouble first.
      hosts: Type.Array(host),
      // Newest first.
      failed: Type.Array(failed),
      // The hosts are of so many newest webhooks at most.
      examinedMax: count,
    }),
  ),
  'send-delivery-again': change(helpers, object({ verificationId: id })),
  'recover-host': change(helpers, object({ host: hostName }), object({ count })),
}
