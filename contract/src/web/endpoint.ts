// The form of an endpoint of the internal API, `/web/<name>`. A read is a GET with its input in the query; a change is a POST with
// a JSON body, so that no link and no form of another site can make one.

import { type TObject, type TSchema, Type } from 'typebox'
import type { Access } from './access.ts'

export type Endpoint<Input extends TObject = TObject, Output extends TSchema = TSchema> = {
  readonly verb: 'GET' | 'POST'
  readonly access: Access
  // Dangerous: the person has shown a factor lately.
  readonly isGuarded: boolean
  readonly input: Input
  readonly output: Output
}

export function read<Output extends TSchema>(access: Access, output: Output): Endpoint<typeof nothing, Output>
export function read<Input extends TObject, Output extends TSchema>(
  access: Access,
  output: Output,
  input: Input,
): Endpoint<Input, Output>
export function read(access: Access, output: TSchema, input: TObject = nothing): Endpoint {
  return { verb: 'GET', access, isGuarded: false, input: withoutControlCharacters(input), output }
}

export function change<Input extends TObject, Output extends TSchema = typeof nothing>(
  access: Access,
  input: Input,
  output?: Output,
): Endpoint<Input, Output> {
  return {
    verb: 'POST',
    access,
    isGuarded: false,
    input: withoutControlCharacters(input),
    output: output ?? (nothing as TSchema as Output),
  }
}

export function guardedChange<Input extends TObject, Output extends TSchema = typeof nothing>(
  access: Access,
  input: Input,
  output?: Output,
): Endpoint<Input, Output> {
  return { ...change(access, input, output), isGuarded: true }
}

export function object<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}

export const nothing = object({})

export const text = (minLength: number, maxLength: number) => Type.String({ minLength, maxLength })
const idMax = Number.MAX_SAFE_INTEGER
// The last moment that a Date can name.
const timeMax = 8_640_000_000_000_000
// Accounts, services and people: columns of 32 bits.
const shortIdMax = 2 ** 31 - 1
// Milliseconds since 1970.
export const time = Type.Number({ minimum: -timeMax, maximum: timeMax })
export const id = Type.Integer({ minimum: 1, maximum: idMax })
export const shortId = Type.Integer({ minimum: 1, maximum: shortIdMax })
// In an address everything is text.
export const idDigits = digitsUpTo(idMax)
export const shortIdDigits = digitsUpTo(shortIdMax)
export const timeDigits = digitsUpTo(timeMax)
export const optionalTime = Type.Union([time, Type.Null()])
// In the currency of the installation.
export const money = Type.Number()

// The digits of a number from 0 to this one.
function digitsUpTo(most: number) {
  const digits = String(most)
  const below = [...digits].flatMap((digit, at) =>
    digit === '0' ? [] : `${digits.slice(0, at)}[0-${Number(digit) - 1}]\\d{${digits.length - at - 1}}`,
  )
  return Type.String({ pattern: `^(\\d{1,${digits.length - 1}}|${[...below, digits].join('|')})$` })
}

// Tabs and line ends are allowed, and half a surrogate pair is no character. The database takes none of the others.
const printable = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$'

// Every text of an input without a pattern.
function withoutControlCharacters<Schema extends TSchema>(schema: Schema): Schema {
  const { type, pattern, enum: values, anyOf, items, properties } = schema as Schema & Parts
  if (type === 'string' && pattern === undefined && values === undefined) return { ...schema, pattern: printable }
  return {
    ...schema,
    ...(anyOf && { anyOf: anyOf.map(withoutControlCharacters) }),
    ...(items && { items: withoutControlCharacters(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, withoutControlCharacters(property)]),
      ),
    }),
  }
}

type Parts = {
  readonly type?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
}
