// Read-only links to statistics. Somebody who has one needs no session and sees sums and shares only: no number, no verification, no
// client and no name of a service or a person.

import { Type } from 'typebox'
import { anyone, builders, everyMember } from './access.ts'
import { change, guardedChange, id, money, object, read, shortId, text, time } from './endpoint.ts'
import { figures, ringThrough, statisticsInput, weekHour } from './statistics.ts'
import { verificationModes } from './verifications.ts'

export const shareDays = [7, 30, 90] as const

const { charged, ...countedFigures } = figures
// Null: the link shows no amounts.
const sharedFigures = object({ ...countedFigures, charged: Type.Union([charged, Type.Null()]) })
const count = Type.Integer()

const share = object({
  id,
  name: Type.String(),
  // The e-mail of the person who made it; empty if it is not known any more.
  createdBy: Type.String(),
  createdAt: time,
  validUntil: time,
  from: time,
  until: time,
  hasMoney: Type.Boolean(),
})

export const shareEndpoints = {
  'statistics-shares': read(everyMember, object({ shares: Type.Array(share) })),
  // It outlives the session that made it, so it takes a factor.
  'share-statistics': guardedChange(
    builders,
    object({
      name: text(1, 100),
      days: Type.Enum([...shareDays]),
      hasMoney: Type.Boolean(),
      filter: statisticsInput,
    }),
    object({ link: Type.String() }),
  ),
  'revoke-statistics-share': change(builders, object({ id: shortId })),
  // A change by its verb only: a token in a query would be in logs.
  'shared-statistics': change(
    anyone,
    object({ token: text(20, 100) }),
    object({
      name: Type.String(),
      validUntil: time,
      timeZone: Type.String(),
      isTest: Type.Boolean(),
      by: Type.Enum(['hour', 'day']),
      from: time,
      until: time,
      compared: object({ from: time, until: time }),
      mode: Type.Union([Type.Enum([...verificationModes]), Type.Null()]),
      provider: Type.Union([Type.String(), Type.Null()]),
      country: Type.Union([Type.String(), Type.Null()]),
      total: sharedFigures,
      before: sharedFigures,
      bins: Type.Array(object({ at: time, ...countedFigures })),
      providers: Type.Array(object(ringThrough)),
      modes: Type.Array(
        object({
          mode: Type.Enum([...verificationModes]),
          calls: count,
          succeeded: count,
          charged: Type.Union([money, Type.Null()]),
        }),
      ),
      hours: Type.Array(weekHour),
    }),
  ),
}
