// Trunks in the operator console: health with its cause, limits, and the test call.

import { type TSchema, type TUnsafe, Type } from 'typebox'
import {
  optionsIn,
  type TrunkOption,
  type TrunkOptionName,
  type TrunkOptionsIn,
  type TrunkOptionValues,
  trunkOptionNames,
  trunkOptions,
} from '../lists/trunk-options.ts'
import { trunkCauses, trunkStates, trunkUses } from '../lists/trunks.ts'
import { admins, consoleReaders, helpers } from './access.ts'
import { change, guardedChange, id, idDigits, object, optionalTime, read, text, time } from './endpoint.ts'

const name = Type.String({ pattern: '^[a-z0-9-]{1,32}$' })
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

// As they are shown, and as they are typed.
const optionSchemas = schemasOf((option) => schemaOf(option))
const typed = schemasOf((option) => typedSchema(option))

const trunk = object({
  name,
  isOn: Type.Boolean(),
  isDraining: Type.Boolean(),
  hasPassword: Type.Boolean(),
  ...optionSchemas,
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
      address: typed.address,
      transport: typed.transport,
      user: typed.user,
      password: text(0, 200),
      callerFormat: typed.callerFormat,
    }),
    object({ name }),
  ),
  'set-trunk': guardedChange(
    admins,
    object({
      name,
      // Empty: as it is.
      password: text(0, 200),
      ...typedIn('connection'),
    }),
  ),
  'set-trunk-limits': change(admins, object({ name, ...typedIn('limits') })),
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

type OptionSchemas = { readonly [Name in TrunkOptionName]: TUnsafe<TrunkOptionValues[Name]> }

function schemasOf(schema: (option: TrunkOption) => TSchema): OptionSchemas {
  return Object.fromEntries(
    trunkOptionNames.map((one) => {
      const option: TrunkOption = trunkOptions[one]
      return [one, option.absent?.value === null ? orNull(schema(option)) : schema(option)]
    }),
  ) as unknown as OptionSchemas
}

function schemaOf(option: TrunkOption): TSchema {
  switch (option.kind) {
    case 'whole':
      return Type.Integer()
    case 'rate':
      return Type.Number()
    case 'text':
      return Type.String()
    case 'choice':
      return Type.Enum([...option.of])
    case 'countries':
      return Type.Array(Type.String())
    case 'switch':
      return Type.Boolean()
  }
}

function typedSchema(option: TrunkOption): TSchema {
  switch (option.kind) {
    case 'whole':
      return Type.Integer({ minimum: option.min, maximum: option.max })
    case 'rate':
      return Type.Number({ exclusiveMinimum: 0, maximum: option.max })
    case 'text':
      return Type.String({ maxLength: 255, pattern: option.pattern.source })
    case 'choice':
    case 'countries':
    case 'switch':
      return schemaOf(option)
  }
}

function typedIn<Form extends TrunkOption['form']>(form: Form): Pick<OptionSchemas, TrunkOptionsIn<Form>> {
  return Object.fromEntries(optionsIn(form).map((one) => [one, typed[one]]))
}
