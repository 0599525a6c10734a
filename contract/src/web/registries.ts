// Numbering data: which registries are in use, and what they say about a number.

import { Type } from 'typebox'
import { fetchResults } from '../lists/installation.ts'
import { admins, consoleReaders } from './access.ts'
import { change, guardedChange, nothing, object, optionalTime, read, text, time } from './endpoint.ts'

const count = Type.Integer()
const versionText = Type.String()
const orNone = <Part extends ReturnType<typeof object>>(part: Part) => Type.Union([part, Type.Null()])

// `largest`: the largest ranges, at most five; the holders are empty where there is none.
const changeSum = object({
  ranges: count,
  numbers: count,
  largest: Type.Array(object({ first: count, last: count, before: Type.String(), after: Type.String() })),
})
const portedCount = object({ numbers: count, changes: count })

export const registryEndpoints = {
  registries: read(
    consoleReaders,
    object({
      // Absent: this process has no directory of numbering data.
      state: Type.Enum(['here', 'absent', 'unreadable']),
      // Empty before the first import.
      version: versionText,
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
      fetch: object({
        // Off if RINGPROOF_REGISTRY_URL is empty.
        isOn: Type.Boolean(),
        everyHours: count,
        isRunning: Type.Boolean(),
        lastAttempt: orNone(object({ at: time, result: Type.Enum([...fetchResults]), reason: Type.String() })),
      }),
    }),
  ),
  // From the version that is kept to the one in use.
  'registry-diff': read(
    consoleReaders,
    object({
      // None: no version is kept.
      state: Type.Enum(['here', 'none', 'unreadable']),
      from: versionText,
      to: versionText,
      // Kinds whose file differs. All sums may be zero: then only places or spellings differ.
      registries: Type.Array(
        object({ kind: Type.String(), added: changeSum, removed: changeSum, changedOwner: changeSum }),
      ),
      ported: orNone(object({ before: portedCount, after: portedCount })),
    }),
  ),
  // A POST, so that the number is in no address and in no log of a proxy.
  'look-up-range': change(
    consoleReaders,
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
  // Asks the processes that fetch; it returns before they are done.
  'update-registries': change(admins, nothing),
  // `version` is the one that the person saw in use.
  'roll-back-registries': guardedChange(admins, object({ version: text(0, 200) }), object({ version: versionText })),
}
