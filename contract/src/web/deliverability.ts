// How providers ring over trunks, for operators.

import { Type } from 'typebox'
import { verificationModes } from '../lists/calls.ts'
import { consoleReaders } from './access.ts'
import { object, read, time } from './endpoint.ts'

const share = Type.Number({ minimum: 0, maximum: 1 })
const cell = { provider: Type.String(), trunk: Type.String(), mode: Type.Enum([...verificationModes]) }

export const deliverabilityEndpoints = {
  deliverability: read(
    consoleReaders,
    object({
      from: time,
      until: time,
      cells: Type.Array(
        object({
          ...cell,
          dialled: Type.Integer(),
          rang: Type.Integer(),
          // Wilson's 95 % interval of the share that rang.
          low: share,
          high: share,
          // The same hours of the last four weeks.
          usual: Type.Union([share, Type.Null()]),
          hasFallen: Type.Boolean(),
        }),
      ),
      // Of the last two days, newest first.
      changes: Type.Array(object({ ...cell, hourMs: time, before: share, after: share })),
    }),
    object({ hours: Type.Optional(Type.Enum(['3', '24'])) }),
  ),
}
