// Where calls go: the order of the trunks, and a test of one number without a call. The number goes up in a body and never comes back.

import { Type } from 'typebox'
import { numberKinds, ruleStates } from '../lists/calls.ts'
import { routeParts } from '../lists/trunks.ts'
import { callModes } from '../methods.ts'
import { consoleReaders } from './access.ts'
import { change, money, object, read, shortId, text } from './endpoint.ts'
import { startRules } from './setting-names.ts'
import { switchOver } from './switch-overs.ts'

const name = Type.String()
const priority = Type.Integer()
const nameOrNone = Type.Union([Type.String(), Type.Null()])

export const routingEndpoints = {
  // In the order in which trunks are tried.
  routing: read(
    consoleReaders,
    object({
      trunks: Type.Array(
        object({
          name,
          priority,
          isOn: Type.Boolean(),
          countries: Type.Array(Type.String()),
          // Caller numbers in use.
          numbers: Type.Integer(),
        }),
      ),
      // Why all trunks are stopped, if they are.
      stop: nameOrNone,
    }),
  ),
  'explain-route': change(
    consoleReaders,
    object({
      phone: text(1, 40),
      mode: Type.Enum([...callModes]),
      // Empty: any.
      code: Type.String({ pattern: '^([0-9]{4})?$' }),
      // Whose prices and limits hold. Null: the default tariff.
      serviceId: Type.Union([shortId, Type.Null()]),
    }),
    object({
      isTest: Type.Boolean(),
      country: Type.String(),
      isValid: Type.Boolean(),
      kind: Type.Enum([...numberKinds]),
      // The provider that serves the number now, and the one that it was assigned to; empty: unknown.
      provider: Type.String(),
      assignedTo: Type.String(),
      isPorted: Type.Boolean(),
      region: Type.String(),
      tariff: Type.String(),
      mode: Type.Enum([...callModes]),
      trunks: Type.Array(
        object({
          name,
          priority,
          part: Type.Enum([...routeParts]),
        }),
      ),
      trunk: nameOrNone,
      // Why the first trunk in order is not tried first.
      switchOver: Type.Union([switchOver, Type.Null()]),
      // A mask.
      callerNumber: nameOrNone,
      price: Type.Union([money, Type.Null()]),
      refusal: Type.Union([
        object({ code: Type.Integer(), sentence: object({ en: Type.String(), ru: Type.String() }) }),
        Type.Null(),
      ]),
      rules: Type.Array(
        object({
          rule: Type.Enum([...startRules]),
          state: Type.Enum([...ruleStates]),
        }),
      ),
    }),
  ),
}
