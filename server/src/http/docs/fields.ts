// Schemas of the contract as rows of a table: name, type, description.

import { russianDescription } from '@ringproof/contract/descriptions-ru.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'
import type { MethodParameters } from '@ringproof/contract/parameters.ts'
import type { TSchema } from 'typebox'

export type Field = {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly isRequired: boolean
  readonly isDeprecated: boolean
}

// What this file reads of JSON Schema.
type Schema = {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly deprecated?: boolean
}

// The fields of an object and of the objects inside it, as `logs[].action`.
export function fieldsOf(schema: TSchema, language: Language, prefix = ''): readonly Field[] {
  const { properties = {}, required = [] }: Schema = schema
  return Object.entries(properties).flatMap(([name, one]) => [
    {
      name: `${prefix}${name}`,
      type: typeOf(one),
      description: describe(one, language),
      isRequired: required.includes(name),
      isDeprecated: one.deprecated === true,
    },
    ...(one.items?.properties ? fieldsOf(one.items as TSchema, language, `${prefix}${name}[].`) : []),
  ])
}

type ParameterField = Field & { readonly expects: string }

export function parameterFields(
  { required, optional }: MethodParameters,
  language: Language,
): readonly ParameterField[] {
  return [
    ...Object.entries(required).map(([name, one]) => ({ name, one, isRequired: true })),
    ...Object.entries(optional).map(([name, one]) => ({ name, one, isRequired: false })),
  ].map(({ name, one: { json, expects }, isRequired }) => ({
    name,
    type: typeOf(json as Schema),
    description: describe(json as Schema, language),
    isRequired,
    isDeprecated: false,
    expects: asSentence(expects[language]),
  }))
}

// Both languages start with words that fit into an error: "it takes …", "нужно …".
function asSentence(expects: string): string {
  const text = expects.replace(/^it takes/, 'takes')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function describe({ description = '' }: Schema, language: Language): string {
  return language === 'ru' ? (russianDescription(description) ?? description) : description
}

function typeOf(schema: Schema): string {
  if (schema.anyOf) {
    // The other spellings of a boolean are for queries and forms.
    if (schema.anyOf.some(({ type }) => type === 'boolean')) return 'boolean'
    return [...new Set(schema.anyOf.map((one) => typeOf(one)))].join(' | ')
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.type === 'array') return `${typeOf(schema.items ?? {})}[]`
  return schema.type ?? 'object'
}
