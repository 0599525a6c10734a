// The form of an endpoint of the internal API, `/web/<name>`. A read is a GET with its input in the query; a change is a POST with
// a JSON body, so that no link and no form of another site can make one.

import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Access } from './access.ts'

export type Endpoint<Input extends TObject = TObject, Output extends TSchema = TSchema> = {
  readonly verb: 'GET' | 'POST'
  readonly access: Access
  // Dangerous: the person has shown a factor within the last ten minutes.
  readonly isGuarded: boolean
  readonly input: Input
  readonly output: Output
}

export type InputOf<One extends Endpoint> = Static<One['input']>
export type OutputOf<One extends Endpoint> = Static<One['output']>

export function read<Output extends TSchema>(access: Access, output: Output): Endpoint<typeof nothing, Output>
export function read<Input extends TObject, Output extends TSchema>(
  access: Access,
  output: Output,
  input: Input,
): Endpoint<Input, Output>
export function read(access: Access, output: TSchema, input: TObject = nothing): Endpoint {
  return { verb: 'GET', access, isGuarded: false, input, output }
}

export function change<Input extends TObject, Output extends TSchema = typeof nothing>(
  access: Access,
  input: Input,
  output?: Output,
): Endpoint<Input, Output> {
  return { verb: 'POST', access, isGuarded: false, input, output: output ?? (nothing as TSchema as Output) }
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
// Milliseconds since 1970.
export const time = Type.Number()
export const id = Type.Integer({ minimum: 1 })
export const optionalTime = Type.Union([time, Type.Null()])
// Roubles.
export const money = Type.Number()
