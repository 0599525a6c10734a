// Services and their keys.

import { Type } from 'typebox'
import { keyScopes, serviceStates } from '../lists/accounts.ts'
import { builders, readers } from './access.ts'
import { change, guardedChange, id, money, object, optionalTime, read, shortId, text, time } from './endpoint.ts'

const scopes = Type.Array(Type.Enum([...keyScopes]), { minItems: 1, uniqueItems: true })

const key = object({
  name: Type.String(),
  // The first characters: the rest is known to nobody but its owner.
  start: Type.String(),
  scopes,
  validUntil: optionalTime,
  // After a rotation, while the old key is still valid.
  isReplaced: Type.Boolean(),
  lastUsedAt: optionalTime,
  createdAt: time,
})

const service = object({
  id,
  name: Type.String(),
  state: Type.Enum([...serviceStates]),
  // Calls only test and scenario numbers, and is free.
  isTest: Type.Boolean(),
  areTestNumbersOn: Type.Boolean(),
  // Real calls were started within the last day while test numbers are on.
  isLiveWithTestNumbers: Type.Boolean(),
  createdAt: time,
  lastRequestAt: optionalTime,
  startedToday: Type.Integer(),
  spentToday: money,
  spendDayMax: Type.Union([money, Type.Null()]),
  keys: Type.Array(key),
  // A known client that needs other settings, as a sentence.
  advice: Type.Union([Type.String(), Type.Null()]),
})

const newKey = object({ serviceId: shortId, key: Type.String() })

export const serviceEndpoints = {
  services: read(readers, object({ services: Type.Array(service), canCreateLive: Type.Boolean() })),
  'create-service': change(
    builders,
    object({ name: text(1, 100), isTest: Type.Boolean(), isMovingFromUcaller: Type.Boolean() }),
    newKey,
  ),
  'rename-service': change(builders, object({ serviceId: shortId, name: text(1, 100) })),
  'set-service-state': change(builders, object({ serviceId: shortId, state: Type.Enum([...serviceStates]) })),
  'set-test-numbers': change(builders, object({ serviceId: shortId, isOn: Type.Boolean() })),
  'rotate-service-key': guardedChange(
    builders,
    object({ serviceId: shortId, name: text(1, 40), overlapHours: Type.Integer({ minimum: 0, maximum: 168 }) }),
    newKey,
  ),
  'end-old-key': guardedChange(builders, object({ serviceId: shortId, name: text(1, 40) })),
  'add-service-key': guardedChange(
    builders,
    object({
      serviceId: shortId,
      name: text(1, 40),
      scopes,
      days: Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()]),
    }),
    newKey,
  ),
  'revoke-service-key': guardedChange(builders, object({ serviceId: shortId, name: text(1, 40) })),
}
