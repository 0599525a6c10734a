// Caller numbers and the codes that they cover. They are the installation's own numbers, and operators see them in full.

import { Type } from 'typebox'
import { codeGapCauses } from '../lists/trunks.ts'
import { admins, consoleReaders } from './access.ts'
import { change, guardedChange, object, optionalTime, read, text, time } from './endpoint.ts'
import { importBytesMax } from './number-limits.ts'

const count = Type.Integer({ minimum: 0 })
const trunk = Type.String({ pattern: '^[a-z0-9-]{1,32}$' })
const country = Type.String({ pattern: '^[A-Z]{2}$' })
const number = Type.Integer({ minimum: 1_000_000, maximum: 999_999_999_999_999 })
const span = { trunk, first: number, last: number }
const codes = object({ first: Type.String(), last: Type.String() })
const list = object({ trunk, country, text: text(1, importBytesMax) })

export const callerNumberEndpoints = {
  'caller-numbers': read(
    consoleReaders,
    object({
      // Those with the most numbers first. The country of a range may be '*': any.
      countries: Type.Array(object({ country: Type.String(), numbers: count, missing: count })),
      // The one whose codes are shown; empty without caller numbers.
      country: Type.String(),
      // A digit for each code from 0000 on: how many live numbers end with it, 9 for nine and more.
      counts: Type.String(),
      // Codes without a live number, those in a row with one cause together. The trunk has the only numbers, and is off or does
      // not serve the country.
      gaps: Type.Array(
        object({
          first: Type.String(),
          last: Type.String(),
          cause: Type.Enum([...codeGapCauses]),
          trunk: Type.String(),
        }),
      ),
      // Codes of further gaps, which are too many to list.
      gapsLeft: count,
      ranges: Type.Array(
        object({
          trunk: Type.String(),
          country: Type.String(),
          first: number,
          last: number,
          isTrunkOn: Type.Boolean(),
          // Numbers of it that no call shows now.
          out: count,
        }),
      ),
      rangesLeft: count,
      quarantines: Type.Array(
        object({
          trunk: Type.String(),
          first: number,
          last: number,
          reason: Type.String(),
          since: time,
          // Null: until an operator returns them.
          until: optionalTime,
        }),
      ),
      trunks: Type.Array(object({ name: Type.String(), isOn: Type.Boolean(), countries: Type.Array(Type.String()) })),
    }),
    object({ country: Type.Optional(Type.String({ maxLength: 2 })) }),
  ),
  // How evenly the newest calls have used the numbers of a country.
  'caller-use': read(
    consoleReaders,
    object({
      calls: count,
      numbers: count,
      unused: count,
      most: count,
      isEven: Type.Boolean(),
      // How many numbers were shown by no call, by one, by two and so on.
      histogram: Type.Array(count),
    }),
    object({ country: Type.String({ maxLength: 2 }) }),
  ),
  'preview-caller-import': change(
    admins,
    list,
    object({
      added: count,
      // Already numbers of this trunk for this country.
      duplicates: count,
      // Of another trunk or country, or confirmation numbers.
      taken: count,
      // More than once in the list.
      repeated: count,
      // Lines that are no number, from 1; the first of them.
      invalidLines: Type.Array(count),
      invalid: count,
      // Codes that become possible.
      gained: Type.Array(codes),
      gainedCodes: count,
      missingAfter: count,
    }),
  ),
  'import-caller-numbers': guardedChange(
    admins,
    // How many the preview has shown.
    object({ trunk, country, text: text(1, importBytesMax), expected: count }),
    object({ added: count }),
  ),
  'preview-number-removal': change(
    admins,
    object(span),
    object({
      numbers: count,
      // Codes that no call could show any more.
      lost: Type.Array(object({ country: Type.String(), codes: Type.Array(codes), count })),
    }),
  ),
  'remove-caller-numbers': guardedChange(admins, object(span)),
  'quarantine-caller-numbers': guardedChange(
    admins,
    object({
      ...span,
      reason: text(1, 200),
      // Null: until they are returned.
      days: Type.Union([Type.Integer({ minimum: 1, maximum: 999 }), Type.Null()]),
    }),
  ),
  'return-caller-numbers': change(admins, object(span)),
}
