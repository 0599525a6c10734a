// Reads the fields of a request: the query of a GET, the JSON or form body of a POST. Only checks that the body can be
// parsed; nothing is validated here. Of a body that cannot be parsed, the refusal says why, and where in the JSON.

import { type ParsedUrlQuery, parse as parseQuery } from 'node:querystring'
import type { Sentences } from '@ringproof/contract/errors.ts'
import { badJson, requestFaults } from '@ringproof/contract/request-faults.ts'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../process/errors.ts'
import { findJsonFault } from './json-fault.ts'
import { repeatedNames } from './repeated-names.ts'

// JSON has types; in a query or a form everything is text, and a repeated field is a list.
export type Fields = {
  readonly kind: 'json' | 'text'
  readonly values: ReadonlyMap<string, unknown>
  // Where a missing field may be instead: in the body of a GET or the query of a POST, which are not read. Errors say so.
  readonly elsewhere?: (name: string) => 'getBody' | 'postQuery' | undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true })

// The query is read only for GET, so that no client gets used to sending its key there.
export function fieldsOf(request: FastifyRequest): Fields | Refusal {
  if (request.method === 'GET') {
    const fields = textFields(queryOf(request))
    return hasBody(request) ? { ...fields, elsewhere: () => 'getBody' } : fields
  }
  const fields = bodyFields(request)
  if (fields instanceof Refusal || !request.raw.url?.includes('?')) return fields
  // The query is looked at only once something is missing, to word the refusal.
  const isInQuery = (name: string) => Object.hasOwn(queryFields(queryOf(request)), name)
  return { ...fields, elsewhere: (name) => (isInQuery(name) ? 'postQuery' : undefined) }
}

function bodyFields(request: FastifyRequest): Fields | Refusal {
  const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
  if (body.length === 0) return { kind: 'json', values: new Map() }
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  const isForm = mediaType === 'application/x-www-form-urlencoded'
  // Some clients send JSON without a content type.
  if (!isForm && mediaType !== '' && mediaType !== 'application/json') return new Refusal('mediaTypeUnknown')
  const text = decode(body)
  if (text === undefined)
    return malformed(isCompressed(request, body) ? requestFaults.compressed : requestFaults.notUtf8)
  if (!isForm) return jsonFields(text)
  // What curl -d sends without a Content-Type: a form that is JSON.
  return text.trimStart().startsWith('{') ? new Refusal('jsonSentAsForm') : textFields(text)
}

function malformed(fault: Sentences): Refusal {
  return new Refusal('malformedRequest', { fault })
}

function queryOf({ raw }: FastifyRequest): string {
  return raw.url?.split('?').slice(1).join('?') ?? ''
}

function isCompressed({ headers }: FastifyRequest, body: Buffer): boolean {
  return headers['content-encoding'] !== undefined || (body[0] === 0x1f && body[1] === 0x8b)
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

function jsonFields(text: string): Fields | Refusal {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    if (/^[\w.~%+-]+=/.test(text)) return malformed(requestFaults.formSentAsJson)
    const { fault, ...place } = findJsonFault(text)
    return malformed(badJson(fault, place))
  }
  if (Array.isArray(parsed)) return malformed(requestFaults.array)
  if (typeof parsed === 'string' && /^\s*\{/.test(parsed)) return malformed(requestFaults.encodedTwice)
  if (typeof parsed !== 'object' || parsed === null) return malformed(requestFaults.notObject)
  // Null counts as absent. A Map, because a field name cannot reach a prototype.
  const values = new Map(Object.entries(parsed).filter(([, value]) => value !== null))
  // A list, like a repeated query parameter: code that expects one value refuses it.
  for (const name of repeatedNames(text, parsed)) values.set(name, [])
  return { kind: 'json', values }
}

// Any number of fields: the length of query and body is limited elsewhere, and no field may be silently dropped.
function textFields(text: string): Fields {
  return { kind: 'text', values: new Map(Object.entries(queryFields(text))) }
}

function queryFields(text: string): ParsedUrlQuery {
  return parseQuery(text, '&', '=', { maxKeys: 0 })
}
