// Numbering data: which registries are in use, and what they say about a number.

import { Type } from 'typebox'
import { admins, everyOperator } from './access.ts'
import { change, guardedChange, object, optionalTime, read, text } from './endpoint.ts'

const count = Type.Integer()
const orNone = <Part extends ReturnType<typeof object>>(part: Part) => Type.Union([part, Type.Null()])

export const registryEndpoints = {
  registries: read(
    everyOperator,
    object({
      // Absent: this process has no directory of numbering data.
      state: Type.Enum(['here', 'absent', 'unreadable']),
      // Empty before the first import.
      version: Type.String(),
      importedAt: optionalTime,
      // When they were last fetched or found unchanged.
      fetchedAt: optionalTime,
      registries: Type.Array(
        object({
          kind: Type.String(),
          source: Type.String(),
          rows: count,
          ranges: count,
          numbers: count,
          organisations: count,
        }),
      ),
      ported: orNone(object({ source: Type.String(), numbers: count, asOf: Type.String() })),
      changes: orNone(object({ changes: count, asOf: Type.String() })),
      // The version that is kept; empty for the state before the first import.
      previousVersion: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  // A POST, so that the number is in no address and in no log of a proxy.
  'look-up-range': change(
    everyOperator,
    object({ phone: text(1, 40) }),
    object({
      isCovered: Type.Boolean(),
      range: orNone(
        object({
          organisation: Type.String(),
          inn: Type.String(),
          region: Type.String(),
          city: Type.String(),
          isReserve: Type.Boolean(),
        }),
      ),
      ported: orNone(object({ owner: Type.String(), mnc: Type.String() })),
    }),
  ),
  // `version` is the one that the person saw in use.
  'roll-back-registries': guardedChange(admins, object({ version: text(0, 200) }), object({ version: Type.String() })),
}
