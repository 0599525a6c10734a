// What operators set about the whole installation.

import { Type } from 'typebox'
import { admins, everyOperator, operatorRoles } from './access.ts'
import { guardedChange, id, object, optionalTime, read, text, time } from './endpoint.ts'
import { language } from './identity.ts'

const link = Type.String({ maxLength: 500, pattern: '^(https?://\\S+)?$' })

const settings = object({
  name: text(1, 80),
  supportAddress: text(0, 200),
  termsUrl: link,
  privacyUrl: link,
  // Stored with every acceptance.
  termsVersion: text(0, 40),
  isSignUpOpen: Type.Boolean(),
})

export const installationEndpoints = {
  installation: read(everyOperator, settings),
  'set-installation': guardedChange(admins, settings),
  operators: read(
    everyOperator,
    object({
      operators: Type.Array(
        object({
          userId: id,
          email: Type.String(),
          name: Type.String(),
          role: Type.Enum([...operatorRoles]),
          hasFactor: Type.Boolean(),
          seenAt: optionalTime,
          createdAt: time,
        }),
      ),
    }),
  ),
  'invite-operator': guardedChange(
    admins,
    object({ email: Type.String({ maxLength: 254 }), role: Type.Enum([...operatorRoles]), language }),
  ),
  'set-operator': guardedChange(
    admins,
    object({ userId: id, role: Type.Union([Type.Enum([...operatorRoles]), Type.Null()]) }),
  ),
}
