// Inbound verifications: the pool of confirmation numbers, the requests that wait, and calls that matched none. No caller is in here.

import { Type } from 'typebox'
import { admins, consoleReaders } from './access.ts'
import { guardedChange, id, object, read, shortId, time } from './endpoint.ts'

const count = Type.Integer({ minimum: 0 })
const number = Type.Integer({ minimum: 1_000_000, maximum: 999_999_999_999_999 })
const span = object({ trunk: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }), first: number, last: number })

export const inboundEndpoints = {
  inbound: read(
    consoleReaders,
    object({
      pool: Type.Array(
        object({
          trunk: Type.String(),
          first: number,
          last: number,
          // Given to no further subscriber.
          isRemoved: Type.Boolean(),
        }),
      ),
      free: count,
      // The oldest first; there may be more.
      open: Type.Array(
        object({
          id,
          accountId: shortId,
          confirmationNumber: number,
          ageSeconds: Type.Number(),
          leftSeconds: Type.Number(),
        }),
      ),
      openCount: count,
      // Of the last 24 hours.
      unmatched: Type.Array(object({ trunk: Type.String(), reason: Type.String(), calls: count, lastAt: time })),
      trunks: Type.Array(object({ name: Type.String(), isOn: Type.Boolean() })),
    }),
  ),
  'add-confirmation-numbers': guardedChange(admins, span),
  'remove-confirmation-numbers': guardedChange(admins, span),
}
