// Virtual phones: handsets that ring in the browser.

import { Type } from 'typebox'
import { verificationModes } from '../lists/calls.ts'
import { phoneActions, phoneCallerIds, phoneFaults, phoneStates } from '../lists/phones.ts'
import { builders, readers } from './access.ts'
import { change, id, money, object, optionalTime, read, time } from './endpoint.ts'

// Only test and scenario numbers are ever sent in full: they belong to nobody.
export const scenarioNumber = Type.String({ pattern: '^7900000[0-9]{4}$' })
const number = scenarioNumber

const phone = object({
  number,
  // What it does with the next call.
  state: Type.Enum([...phoneStates]),
  // Over real SIP: it can be answered and can dial. Otherwise the call is only simulated.
  isReal: Type.Boolean(),
})

// One call on a virtual phone, on the clock of its request; times in ms since the request, null if it did not happen.
const phoneCall = object({
  id,
  number,
  mode: Type.Enum([...verificationModes]),
  state: Type.Enum(['accepted', 'ringing', 'talking', 'waiting', 'succeeded', 'failed']),
  reason: Type.Union([Type.String(), Type.Null()]),
  sipStatus: Type.Union([Type.Integer(), Type.Null()]),
  // Shown in full: it calls a test number only.
  callerNumber: Type.Union([Type.String(), Type.Null()]),
  code: Type.Union([Type.String(), Type.Null()]),
  confirmationNumber: Type.Union([Type.String(), Type.Null()]),
  serviceName: Type.String(),
  // What it would have cost.
  price: money,
  startedAt: time,
  dialledMs: optionalTime,
  rangMs: optionalTime,
  answeredMs: optionalTime,
  endedMs: optionalTime,
  expiresMs: optionalTime,
  webhooks: Type.Array(
    object({ atMs: Type.Number(), status: Type.Union([Type.Integer(), Type.Null()]), error: Type.String() }),
  ),
})

export const phoneEndpoints = {
  phones: read(
    readers,
    object({
      phones: Type.Array(phone),
      // Newest first; the first may still be going on.
      calls: Type.Array(phoneCall),
      faults: Type.Array(Type.Enum([...phoneFaults])),
      // Where the handsets are real SIP: the demo, and an operator's test trunk.
      areReal: Type.Boolean(),
    }),
  ),
  'act-on-call': change(builders, object({ number, action: Type.Enum([...phoneActions]) })),
  'set-phone': change(builders, object({ number, state: Type.Enum([...phoneStates]) })),
  'add-phone': change(builders, object({}), object({ number })),
  'dial-from-phone': change(
    builders,
    object({
      number,
      called: Type.String({ pattern: '^[0-9]{5,15}$' }),
      callerId: Type.Enum([...phoneCallerIds]),
    }),
    object({ status: Type.Integer() }),
  ),
  'set-phone-fault': change(builders, object({ fault: Type.Enum([...phoneFaults]), isOn: Type.Boolean() })),
}
