// Generates the types of every method's request and response from the OpenAPI document.

import { methods } from '@ringproof/contract/methods.ts'
import type { OpenApi, Schema } from './open-api.ts'

export function typescriptTypes({ paths }: OpenApi): string {
  const table = (title: string, schemaOf: (method: string) => Schema, isRequest: boolean) =>
    `export type ${title} = {\n${methods.map((method) => `${method}: ${typeOf(schemaOf(method), isRequest)}`).join('\n')}\n}\n`
  const post = (method: string) => paths[`/v1.0/${method}`]?.post ?? missing(method)
  return [
    '// Generated from the contract by `npm run generate`. Do not edit; a test checks that it is up to date.\n',
    table('Requests', (method) => post(method).requestBody.content['application/json'].schema, true),
    table('ApiResponses', (method) => post(method).responses['200'].content['application/json'].schema, false),
    'export type Method = keyof ApiResponses\n',
  ].join('\n')
}

// In requests an optional field may also be undefined; JSON.stringify omits it.
function typeOf(schema: Schema, isRequest: boolean): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  // The other spellings of a boolean are for untyped requests.
  if (isRequest && schema.anyOf?.some(({ type }) => type === 'boolean')) return 'boolean'
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, isRequest)).join(' | ')
  if (schema.type === 'array') return `(${typeOf(schema.items ?? missing('items'), isRequest)})[]`
  if (schema.type === 'object') return objectType(schema, isRequest)
  return schema.type === 'integer' ? 'number' : (schema.type ?? missing('type'))
}

function objectType({ properties = {}, required = [] }: Schema, isRequest: boolean): string {
  // The client sends key and service_id in its header.
  const entries = Object.entries(properties).filter(([name]) => !isRequest || (name !== 'key' && name !== 'service_id'))
  if (entries.length === 0) return 'Record<string, never>'
  const lines = entries.map(([name, schema]) => {
    const isRequired = required.includes(name)
    const type = `${typeOf(schema, isRequest)}${isRequest && !isRequired ? ' | undefined' : ''}`
    return `${comment(schema)}${name}${isRequired ? '' : '?'}: ${type}`
  })
  return `{\n${lines.join('\n')}\n}`
}

function comment({ description, deprecated }: Schema): string {
  const text = [deprecated ? '@deprecated' : '', description ?? ''].filter((part) => part !== '').join(' ')
  return text === '' ? '' : `/** ${text} */\n`
}

function missing(what: string): never {
  throw new Error(`the OpenAPI document lacks ${what}`)
}
