// Number check: what the registry knows about a list of numbers. Numbers go up in a body only; what comes back has masks. A
// number is found again by its place in the list.

import { Type } from 'typebox'
import { serviceObstacles } from '../lists/accounts.ts'
import { languages } from '../lists/people.ts'
import { builders } from './access.ts'
import { change, money, object, optionalTime, shortId, text } from './endpoint.ts'
import { batchMax, listMax, textMax } from './number-limits.ts'

const count = Type.Integer({ minimum: 0 })
const numbersUpTo = (maxItems: number) => Type.Array(text(1, textMax), { minItems: 1, maxItems })

const row = object({
  // In the list of the request, from 0.
  place: count,
  // 'unpaid': the balance did not cover it. 'unsold': the tariff has no price for its country. Neither was charged.
  state: Type.Enum(['checked', 'invalid', 'unpaid', 'unsold']),
  // Empty if the text is not a number.
  mask: Type.String(),
  // Why it is not a number, in the language of the request.
  error: Type.String(),
  isMobile: Type.Boolean(),
  country: Type.String(),
  provider: Type.String(),
  organisation: Type.String(),
  region: Type.String(),
  city: Type.String(),
  // The mobile network code; 0 if it is not known.
  networkCode: Type.Integer(),
})

export const numberEndpoints = {
  // Charges nothing.
  'preview-number-check': change(
    builders,
    object({ serviceId: shortId, numbers: numbersUpTo(listMax) }),
    object({
      // Without repeats of the same number.
      valid: count,
      invalid: count,
      unsold: count,
      // The places of texts that repeat an earlier number.
      duplicates: Type.Array(count),
      cost: money,
      balance: money,
      // Why the service may not check numbers now.
      obstacle: Type.Union([Type.Enum([...serviceObstacles]), Type.Null()]),
      // When the registry was imported; null if there is none.
      registryAt: optionalTime,
    }),
  ),
  // A list goes up in several requests with one submission. Each number is charged once in a submission, however often it is sent.
  'check-numbers': change(
    builders,
    object({
      serviceId: shortId,
      submission: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
      language: Type.Enum([...languages]),
      numbers: numbersUpTo(batchMax),
    }),
    object({
      // None for a text that repeats an earlier number of the request.
      rows: Type.Array(row),
      charged: money,
      balance: money,
      registryAt: optionalTime,
    }),
  ),
}
