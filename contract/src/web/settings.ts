// The settings of one service: read, previewed, saved, and tested with a number. Values are texts, in the form in which the
// operator's command line takes and shows them.

import { type TSchema, Type } from 'typebox'
import { ruleStates } from '../lists/calls.ts'
import { callModes } from '../methods.ts'
import { builders, readers } from './access.ts'
import { change, id, money, object, read, shortId, shortIdDigits, text } from './endpoint.ts'
import { type SettingName, settingNames, startRules } from './setting-names.ts'

const settingName = Type.Enum([...settingNames])
const valueMax = 4_000
const sentences = object({ en: Type.String(), ru: Type.String() })

// Every setting with the same schema.
function everySetting<Value extends TSchema>(value: Value) {
  return object(Object.fromEntries(settingNames.map((name) => [name, value])) as Record<SettingName, Value>)
}

const given = everySetting(Type.Optional(text(0, valueMax)))

// What it would have refused of the last 30 days. Days: on which the cap would have been reached.
const settingEffect = object({ name: settingName, unit: Type.Enum(['calls', 'days']), count: Type.Integer() })

const settingChange = object({ name: settingName, was: Type.String(), becomes: Type.String() })

const usage = object({ startedHour: Type.Integer(), startedDay: Type.Integer(), spentDay: money })

const country = object({
  code: Type.String(),
  dial: Type.String(),
  // Of a flash call; null if the tariff does not sell it.
  price: Type.Union([money, Type.Null()]),
})

const outcome = object({
  isAccepted: Type.Boolean(),
  // What would be held; null if it is refused.
  price: Type.Union([money, Type.Null()]),
  refusal: Type.Union([
    object({
      code: Type.Integer(),
      sentence: sentences,
      // These lift it.
      settings: Type.Array(settingName),
      retryAfter: Type.Union([Type.Integer(), Type.Null()]),
    }),
    Type.Null(),
  ]),
  // In the order in which they were checked. Not reached: an earlier one has refused. Not tested: no address was given.
  rules: Type.Array(
    object({
      rule: Type.Enum([...startRules]),
      state: Type.Enum([...ruleStates]),
    }),
  ),
})

export const settingEndpoints = {
  'service-settings': read(
    readers,
    object({
      id,
      isTest: Type.Boolean(),
      settings: everySetting(Type.String()),
      // Safe values; a setting without one depends on the customer.
      recommended: given,
      usage,
      countries: Type.Array(country),
      // Requests from one address in a second; the operator can raise it.
      requestsPerSecond: Type.Integer(),
    }),
    object({ serviceId: shortIdDigits }),
  ),
  // What saving would change. Changes nothing.
  'preview-settings': change(
    builders,
    object({ serviceId: shortId, settings: given }),
    object({
      changes: Type.Array(settingChange),
      effects: Type.Array(settingEffect),
      // Settings whose value cannot be saved.
      mistakes: Type.Array(settingName),
    }),
  ),
  // `was` is what the page showed: a setting that has another value by now is a conflict, and nothing is saved.
  'save-settings': change(
    builders,
    object({ serviceId: shortId, settings: given, was: given }),
    object({ changes: Type.Array(settingChange) }),
  ),
  // Whether a call start would be accepted, by the saved settings and by these. Nothing is called, charged or counted.
  'test-settings': change(
    builders,
    object({
      serviceId: shortId,
      settings: given,
      phone: text(1, 40),
      // Empty: not tested.
      address: text(0, 60),
      mode: Type.Enum([...callModes]),
    }),
    object({ saved: outcome, drafted: outcome }),
  ),
}
