// Protection in the operator console: the fraud rules with their limits and hits, blocked ranges, the opt-out list, and the replay
// of a limit on past calls. The kill switch is with the trunks.

import { Type } from 'typebox'
import { fraudRules, limitedRules, protectionLevels } from '../lists/protection.ts'
import { admins, consoleReaders, helpers } from './access.ts'
import { change, guardedChange, id, object, optionalTime, read, shortId, text, time } from './endpoint.ts'

const limitedRule = Type.Enum([...limitedRules])
const level = Type.Enum([...protectionLevels])
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const callsMax = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
// Null: off.
const limit = orNull(callsMax)
const limits = object({ 'prefix-cap': limit, 'prefix-cap-all': limit, breaker: limit })
// A range by the digest of its digits, or a country.
const scope = Type.String({ pattern: '^(\\d{1,15}|[A-Z]{2})$' })
// The number without its last four digits; null for a country, or while no call to it was refused.
const prefix = orNull(Type.String())
const phone = text(5, 30)
const reason = text(1, 200)

const replayed = object({
  rule: limitedRule,
  callsMax,
  blocked: Type.Integer(),
  // Of the blocked calls, those that succeeded in reality.
  succeeded: Type.Integer(),
  services: Type.Integer(),
  most: orNull(object({ serviceId: shortId, blocked: Type.Integer() })),
  blockedParts: Type.Array(Type.Integer()),
})

export const protectionEndpoints = {
  protection: read(
    consoleReaders,
    object({
      stop: orNull(object({ reason: Type.String(), stoppedAt: time })),
      level: orNull(level),
      // Null: an operator has set none, so the configuration holds.
      limits,
      isSet: Type.Boolean(),
      levels: Type.Array(object({ level, limits })),
      rules: Type.Array(
        object({
          rule: Type.Enum([...fraudRules]),
          hitsDay: Type.Integer(),
          hitsWeek: Type.Integer(),
          lastAt: optionalTime,
        }),
      ),
      blocked: Type.Array(
        object({
          scope: Type.String(),
          prefix,
          rule: limitedRule,
          serviceId: orNull(id),
          ownMax: orNull(Type.Integer()),
          since: time,
          until: optionalTime,
        }),
      ),
      allowed: Type.Array(
        object({ scope: Type.String(), prefix, reason: Type.String(), since: time, until: optionalTime }),
      ),
      hits: Type.Array(
        object({
          at: time,
          rule: Type.Enum([...fraudRules]),
          serviceId: shortId,
          prefix,
          hits: Type.Integer(),
        }),
      ),
      optOuts: Type.Integer(),
      // There are more than are counted.
      isMoreOptOuts: Type.Boolean(),
    }),
  ),
  'replay-fraud-rules': change(
    helpers,
    object({
      days: Type.Integer({ minimum: 1, maximum: 30 }),
      candidates: Type.Array(object({ rule: limitedRule, callsMax }), { minItems: 1, maxItems: 9 }),
    }),
    object({
      from: time,
      until: time,
      // False: there were more calls than are read.
      isWhole: Type.Boolean(),
      calls: Type.Integer(),
      succeeded: Type.Integer(),
      callParts: Type.Array(Type.Integer()),
      rules: Type.Array(replayed),
    }),
  ),
  // The rules that are given; the others stay as they are.
  'set-fraud-limits': guardedChange(
    admins,
    Type.Object(
      { 'prefix-cap': Type.Optional(limit), 'prefix-cap-all': Type.Optional(limit), breaker: Type.Optional(limit) },
      { additionalProperties: false },
    ),
  ),
  'unblock-prefix': change(helpers, object({ scope, reason })),
  'allow-prefix': guardedChange(admins, object({ scope, reason })),
  'end-prefix-allowance': change(admins, object({ scope })),
  // A number in a body, so that it is in no address. Who searched is in the audit log.
  'find-opt-out': change(helpers, object({ phone }), object({ mask: Type.String(), since: optionalTime })),
  'add-opt-out': change(helpers, object({ phone, reason }), object({ mask: Type.String(), isNew: Type.Boolean() })),
  'remove-opt-out': change(
    helpers,
    object({ phone, reason }),
    object({ mask: Type.String(), wasThere: Type.Boolean() }),
  ),
}
