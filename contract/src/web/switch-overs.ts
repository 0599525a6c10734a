// Traffic that left a trunk because it rang fewer phones than usual.

import { Type } from 'typebox'
import { switchOverEnds } from '../lists/trunks.ts'
import { admins, consoleReaders } from './access.ts'
import { change, id, object, optionalTime, read, time } from './endpoint.ts'

const count = object({ dialled: Type.Integer(), rang: Type.Integer() })

export const switchOver = object({
  id,
  country: Type.String(),
  // Empty: unknown.
  provider: Type.String(),
  from: Type.String(),
  to: Type.String(),
  phase: Type.Enum(['trial', 'moved']),
  since: time,
  // Null: it was only tried.
  movedAt: optionalTime,
  // How both trunks rang when it was decided.
  fromCount: count,
  toCount: count,
  usual: Type.Union([Type.Number(), Type.Null()]),
  // Since when the trunk that was left rings as usual, and how long it has to.
  recoveredSince: optionalTime,
  holdMs: Type.Number(),
  isPinned: Type.Boolean(),
  // Pinned, and its trunk is unusable.
  isPaused: Type.Boolean(),
  endedAt: optionalTime,
  end: Type.Union([Type.Enum([...switchOverEnds]), Type.Null()]),
})

export const switchOverEndpoints = {
  // The active ones first, then the latest that have ended.
  'switch-overs': read(consoleReaders, object({ isOn: Type.Boolean(), switchOvers: Type.Array(switchOver) })),
  'set-switch-over': change(admins, object({ isOn: Type.Boolean() })),
  'take-back-switch-over': change(admins, object({ id })),
  'pin-switch-over': change(admins, object({ id, isPinned: Type.Boolean() })),
}
