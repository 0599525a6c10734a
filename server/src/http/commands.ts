// Turns request fields into a validated command: code after this never sees raw input. The contract's schema defines the
// parameters; what a schema cannot express is validated here.

import type { Method } from '@ringproof/contract/methods.ts'
import { isTrue, type MethodParameters, methodParameters, type Parameter } from '@ringproof/contract/parameters.ts'
import { Compile } from 'typebox/compile'
import type { PhoneNumber } from '../domain/numbers/phone-number.ts'
import { misspellingOf, uncallable } from '../domain/numbers/uncallable.ts'
import type { InboundCommand, StartCommand } from '../domain/verifications/call-request.ts'
import { Refusal } from '../process/errors.ts'
import type { Fields } from './request-fields.ts'

type UidCommand = { readonly uid: number }
type CheckPhone = { readonly phone: string }

export function initCallCommand(fields: Fields): StartCommand {
  const values = validate('initCall', fields)
  return {
    phone: digits(values.get('phone')) as PhoneNumber,
    code: optionalText(values.get('code'))?.padStart(4, '0'),
    client: optionalText(values.get('client')) ?? '',
    unique: optionalText(values.get('unique')),
    mode: isTrue(values.get('mix')) ? 'mix' : isTrue(values.get('voice')) ? 'voice' : 'flash',
  }
}

// A service may name the ID parameter itself: idAlias.
export function uidCommand(method: 'getInfo' | 'initRepeat', fields: Fields, idAlias: string): UidCommand {
  const alias = idAlias === '' ? undefined : fields.values.get(idAlias)
  const withUid = fields.values.has('uid') || alias === undefined ? fields : withField(fields, 'uid', alias)
  const uid = Number(validate(method, withUid).get('uid'))
  // Sixteen digits may exceed 2^53; such an ID is refused, never rounded to another ID.
  if (!Number.isSafeInteger(uid)) throw invalidParameter('uid', methodParameters[method].required.uid)
  return { uid }
}

export function inboundCallWaitingCommand(fields: Fields): InboundCommand {
  const values = validate('inboundCallWaiting', fields)
  return { phone: digits(values.get('phone')) as PhoneNumber, callbackUrl: String(values.get('callback_url')) }
}

export function checkPhoneCommand(fields: Fields): CheckPhone {
  return { phone: String(validate('checkPhone', fields).get('phone')) }
}

type Validator = { readonly name: string; readonly parameter: Parameter; readonly isRequired: boolean } & Record<
  Fields['kind'],
  ReturnType<typeof Compile>
>

const validators = new Map(
  Object.entries(methodParameters).map(([method, { required, optional }]: [string, MethodParameters]) => [
    method,
    [...validatorsOf(required, true), ...validatorsOf(optional, false)],
  ]),
)

function validatorsOf(parameters: Readonly<Record<string, Parameter>>, isRequired: boolean): readonly Validator[] {
  return Object.entries(parameters).map(([name, parameter]) => ({
    name,
    parameter,
    isRequired,
    json: Compile(parameter.json),
    text: Compile(parameter.text),
  }))
}

// Reports the first fault, in the order of the contract.
function validate(method: Method, fields: Fields): ReadonlyMap<string, unknown> {
  const { kind, values } = fields
  for (const validator of validators.get(method) ?? []) {
    const value = values.get(validator.name)
    if (value === undefined || (value === '' && emptyMeansAbsent.has(validator.parameter))) {
      if (validator.isRequired) throw missingParameter(validator.name, fields)
    } else if (!validator[kind].Check(value)) {
      // A number that cannot be called has a separate error code.
      if (validator.parameter === methodParameters.initCall.required.phone) throw uncallable(misspellingOf(value))
      throw invalidParameter(validator.name, validator.parameter)
    }
  }
  return values
}

// A published sample sends `&code=` when it wants no code. An empty flag is wrong, and so is an empty idempotency key: its
// client relies on a key that it does not have.
const emptyMeansAbsent: ReadonlySet<Parameter> = new Set([
  methodParameters.initCall.optional.code,
  methodParameters.initCall.optional.client,
])

const elsewhereRefusals = { getBody: 'parameterInGetBody', postQuery: 'parameterInPostQuery' } as const

// Says where the parameter is instead, or under which name.
function missingParameter(parameter: string, { values, elsewhere }: Fields): Refusal {
  const place = elsewhere?.(parameter)
  if (place) return new Refusal(elsewhereRefusals[place], { parameter })
  const name = [...values.keys()].find((sent) => isSameName(sent, parameter))
  return name === undefined
    ? new Refusal('parameterMissing', { parameter })
    : new Refusal('parameterMisnamed', { parameter, name })
}

// The ID is called vendor_id in responses. Other names differ in case and separators only, so they can be repeated in a refusal.
function isSameName(sent: string, parameter: string): boolean {
  if (sent.length > 40) return false
  const plain = sent.replaceAll(/[-_]/g, '').toLowerCase()
  return (
    plain === parameter.replaceAll('_', '').toLowerCase() ||
    (parameter === 'uid' && /^(vendor|ucaller|call)?id$/.test(plain))
  )
}

function invalidParameter(parameter: string, { expects }: Parameter): Refusal {
  return new Refusal('invalidParameter', { parameter, expected: expects })
}

function withField(fields: Fields, name: string, value: unknown): Fields {
  return { ...fields, values: new Map(fields.values).set(name, value) }
}

function digits(value: unknown): string {
  return optionalText(value)?.replace(/^\+/, '') ?? ''
}

function optionalText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
