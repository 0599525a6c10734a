// Trunks in the operator console: health with its cause, limits, and the test call.

import { Type } from 'typebox'
import { callerIdHeaders, numberFormats, sipTransports, trunkCauses, trunkStates, trunkUses } from '../lists/trunks.ts'
import { admins, consoleReaders, helpers } from './access.ts'
import { change, guardedChange, id, idDigits, object, optionalTime, read, text, time } from './endpoint.ts'

const name = Type.String({ pattern: '^[a-z0-9-]{1,32}$' })
const address = Type.String({ maxLength: 255, pattern: '^([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$' })
const sipUser = Type.String({ pattern: '^([A-Za-z0-9_.+-]{1,64})?$' })
const channels = Type.Integer({ minimum: 1, maximum: 100_000 })
const callsPerSecond = Type.Number({ exclusiveMinimum: 0, maximum: 10_000 })
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const cause = Type.Enum([...trunkCauses])
const status = orNull(Type.Integer())

export const health = object({
  state: Type.Enum([...trunkStates]),
  cause,
  status,
  // Only if not all nodes see it.
  node: orNull(Type.String()),
  changedAt: optionalTime,
  reportedAt: optionalTime,
})

const trunk = object({
  name,
  isOn: Type.Boolean(),
  isDraining: Type.Boolean(),
  isTest: Type.Boolean(),
  priority: Type.Integer(),
  countries: Type.Array(Type.String()),
  channels: Type.Integer(),
  callsPerSecond: Type.Number(),
  address: Type.String(),
  transport: Type.Enum([...sipTransports]),
  user: orNull(Type.String()),
  hasPassword: Type.Boolean(),
  registers: Type.Boolean(),
  calledFormat: Type.Enum([...numberFormats]),
  callerFormat: Type.Enum([...numberFormats]),
  callerIdHeader: Type.Enum([...callerIdHeaders]),
  isMediaEncrypted: Type.Boolean(),
  callerNumbers: Type.Integer(),
  health,
  // What nodes see of the carrier, whether the trunk takes calls or not.
  carrier: health,
  // Addresses from which nodes reach the carrier, as far as it says so.
  ourAddresses: Type.Array(Type.String()),
  rttMs: orNull(Type.Number()),
  activeCalls: Type.Integer(),
  startedPerSecond: Type.Number(),
  // Of the last hour.
  calls: object({
    dialled: Type.Integer(),
    rang: Type.Integer(),
    answered: Type.Integer(),
    postDialMsP95: orNull(Type.Number()),
    refusals: Type.Array(object({ status, calls: Type.Integer() })),
  }),
  dialString: Type.String(),
  sampleInvite: Type.String(),
})

const test = object({
  id: Type.Integer(),
  phone: Type.String(),
  startedAt: time,
  endedAt: optionalTime,
  rangAfterMs: orNull(Type.Number()),
  // What came of it, once it has ended.
  outcome: orNull(Type.String()),
  status,
  messages: Type.Array(
    object({
      sinceMs: Type.Number(),
      isSent: Type.Boolean(),
      line: Type.String(),
      text: Type.String(),
    }),
  ),
  // The digits that were sent are shown once the operator has said which arrived.
  seenDigits: orNull(Type.String()),
  sentDigits: orNull(Type.String()),
})

export const trunkEndpoints = {
  trunks: read(
    consoleReaders,
    object({
      stop: orNull(object({ reason: Type.String(), stoppedAt: time })),
      trunks: Type.Array(trunk),
    }),
  ),
  'trunk-log': read(
    consoleReaders,
    object({
      entries: Type.Array(
        object({
          id: Type.Integer(),
          at: time,
          who: Type.String(),
          action: Type.String(),
          changes: Type.Array(Type.String()),
        }),
      ),
    }),
    object({ name }),
  ),
  // It takes no customer's call until it is switched on.
  'add-trunk': guardedChange(
    admins,
    object({
      address,
      transport: Type.Enum([...sipTransports]),
      user: sipUser,
      password: text(0, 200),
      callerFormat: Type.Enum([...numberFormats]),
    }),
    object({ name }),
  ),
  'set-trunk': guardedChange(
    admins,
    object({
      name,
      address,
      transport: Type.Enum([...sipTransports]),
      user: sipUser,
      // Empty: as it is.
      password: text(0, 200),
      isRegistering: Type.Boolean(),
      calledFormat: Type.Enum([...numberFormats]),
      callerFormat: Type.Enum([...numberFormats]),
      callerIdHeader: Type.Enum([...callerIdHeaders]),
    }),
  ),
  'set-trunk-limits': change(admins, object({ name, channels, callsPerSecond })),
  'use-trunk': change(admins, object({ name, use: Type.Enum([...trunkUses]) })),
  // All of them, in the order in which they are tried.
  'order-trunks': change(admins, object({ names: Type.Array(name, { minItems: 1, maxItems: 100 }) })),
  'remove-trunk': guardedChange(admins, object({ name, isWithNumbers: Type.Boolean() })),
  'stop-trunks': guardedChange(admins, object({ reason: text(1, 200) })),
  'resume-trunks': guardedChange(admins, object({})),
  'start-trunk-test': change(
    helpers,
    // With country code. The caller ID is one of the trunk's numbers unless another is given.
    object({ name, phone: text(5, 30), callerNumber: text(0, 30) }),
    object({ id }),
  ),
  'trunk-test': read(consoleReaders, test, object({ id: idDigits })),
  'answer-trunk-test': change(
    helpers,
    object({ id, digits: Type.String({ pattern: '^\\d{4}$' }) }),
    object({ isIntact: Type.Boolean() }),
  ),
}
