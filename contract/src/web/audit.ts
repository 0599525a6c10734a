// The audit log: who changed what, in every database, and whether its chain of hashes is whole.

import { Type } from 'typebox'
import { consoleReaders } from './access.ts'
import { idDigits, object, optionalTime, read, shortIdDigits, time } from './endpoint.ts'

const auditFilters = {
  account: Type.Optional(shortIdDigits),
  // A part of the name of the action.
  action: Type.Optional(Type.String({ maxLength: 60 })),
  // An e-mail, or the user of the machine behind the command line.
  who: Type.Optional(Type.String({ maxLength: 254 })),
  // Microseconds since 1970: the next page.
  before: Type.Optional(idDigits),
}

export const auditEndpoints = {
  'audit-log': read(
    consoleReaders,
    object({
      entries: Type.Array(
        object({
          // Unique over all databases.
          key: Type.String(),
          at: time,
          accountId: Type.Union([Type.Integer(), Type.Null()]),
          action: Type.String(),
          who: Type.String(),
          address: Type.String(),
          // As JSON; never a secret.
          details: Type.String(),
        }),
      ),
      nextBefore: Type.Union([Type.String(), Type.Null()]),
      // One per database.
      chains: Type.Array(object({ sequence: Type.Integer(), hash: Type.String(), chainedAt: optionalTime })),
    }),
    object(auditFilters),
  ),
}
