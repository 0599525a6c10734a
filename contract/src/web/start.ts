// The first five minutes: the checklist, "run here", and the digits typed back.

import { Type } from 'typebox'
import { callModes } from '../methods.ts'
import { builders, readers } from './access.ts'
import { change, id, object, optionalTime, read, shortId, time } from './endpoint.ts'

const step = object({ doneAt: optionalTime })

// A request that was sent to the public API for a person in the browser.
export const ran = {
  status: Type.Integer(),
  // The response as it came, and the request without its key.
  body: Type.String(),
  request: Type.String(),
  ms: Type.Integer(),
  verificationId: Type.Union([id, Type.Null()]),
}

export const startEndpoints = {
  start: read(
    readers,
    object({
      signedUpAt: time,
      steps: object({ service: step, key: step, testCall: step, realCall: step, webhook: step }),
      service: Type.Union([object({ id, name: Type.String() }), Type.Null()]),
    }),
  ),
  'note-key-stored': change(builders, object({})),
  // Sends the request to the public API with a separate key that expires in an hour.
  'run-here': change(
    builders,
    object({
      serviceId: shortId,
      method: Type.Enum(['initCall', 'inboundCallWaiting']),
      phone: Type.String({ pattern: '^7900000[0-9]{4}$' }),
      mode: Type.Enum([...callModes]),
    }),
    object(ran),
  ),
  'type-digits': change(
    builders,
    object({ verificationId: id, digits: Type.String({ pattern: '^[0-9]{4}$' }) }),
    object({ isRight: Type.Boolean(), secondsSinceSignUp: Type.Number() }),
  ),
}
