// The whole installation at a glance, for operators and for a screen on the wall.

import { Type } from 'typebox'
import { consoleReaders } from './access.ts'
import { id, money, object, read, time } from './endpoint.ts'
import { health } from './trunks.ts'

const share = Type.Number({ minimum: 0, maximum: 1 })
const count = Type.Integer()

export const wallboardEndpoints = {
  wallboard: read(
    consoleReaders,
    object({
      at: time,
      stop: Type.Union([object({ reason: Type.String(), stoppedAt: time }), Type.Null()]),
      trunks: Type.Array(
        object({
          name: Type.String(),
          health,
          channels: count,
          activeCalls: count,
          callsPerSecond: Type.Number(),
          startedPerSecond: Type.Number(),
          // Of the last hour.
          dialled: count,
          rang: count,
        }),
      ),
      // Traffic that has left its trunk.
      moved: Type.Array(
        object({
          id,
          provider: Type.String(),
          from: Type.String(),
          to: Type.String(),
          at: time,
          fromShare: share,
          toShare: share,
        }),
      ),
      // The last hour, oldest first: calls dialled, and how many rang over the trunk that was tried first.
      minutes: Type.Array(object({ at: time, dialled: count, rang: count })),
      // Calls that wait to be dialled.
      waiting: count,
      webhooksDue: count,
      areWebhooksLate: Type.Boolean(),
      // What doctor finds bad, other than of trunks; null: it has not ended yet.
      faults: Type.Union([
        Type.Array(object({ check: Type.String(), subject: Type.String(), cause: Type.String() })),
        Type.Null(),
      ]),
      // Since the hour began.
      earned: money,
    }),
  ),
}
