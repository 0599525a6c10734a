// Reads the fields of a request: the query of a GET, the JSON or form body of a POST. Only checks that the body can be
// parsed; nothing is validated here.

import { parse as parseQuery } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import { repeatedNames } from './repeated-names.ts'

// JSON has types; in a query or a form everything is text, and a repeated field is a list.
export type Fields = {
  readonly kind: 'json' | 'text'
  readonly values: ReadonlyMap<string, unknown>
  // A GET came with a body. It is not read, and errors say so.
  readonly ignoredBody?: boolean
}

export type UnreadableBody = 'malformedRequest' | 'mediaTypeUnknown' | 'jsonSentAsForm'

const decoder = new TextDecoder('utf-8', { fatal: true })

// The query is read only for GET, so that no client gets used to sending its key there.
export function fieldsOf(request: FastifyRequest): Fields | UnreadableBody {
  if (request.method === 'GET') {
    const fields = textFields(request.raw.url?.split('?').slice(1).join('?') ?? '')
    return hasBody(request) ? { ...fields, ignoredBody: true } : fields
  }
  const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
  if (body.length === 0) return { kind: 'json', values: new Map() }
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  const isForm = mediaType === 'application/x-www-form-urlencoded'
  // Some clients send JSON without a content type.
  if (!isForm && mediaType !== '' && mediaType !== 'application/json') return 'mediaTypeUnknown'
  const text = decode(body)
  if (text === undefined) return 'malformedRequest'
  if (!isForm) return jsonFields(text)
  // What curl -d sends without a Content-Type: a form that is JSON.
  return text.trimStart().startsWith('{') ? 'jsonSentAsForm' : textFields(text)
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function decode(body: Buffer): string | undefined {
  try {
    return decoder.decode(body)
  } catch {
    return undefined
  }
}

function jsonFields(text: string): Fields | UnreadableBody {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return 'malformedRequest'
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return 'malformedRequest'
  // Null counts as absent. A Map, because a field name cannot reach a prototype.
  const values = new Map(Object.entries(parsed).filter(([, value]) => value !== null))
  // A list, like a repeated query parameter: code that expects one value refuses it.
  for (const name of repeatedNames(text, parsed)) values.set(name, [])
  return { kind: 'json', values }
}

// Any number of fields: the length of query and body is limited elsewhere, and no field may be silently dropped.
function textFields(text: string): Fields {
  return { kind: 'text', values: new Map(Object.entries(parseQuery(text, '&', '=', { maxKeys: 0 }))) }
}
