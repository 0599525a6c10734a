// The fields of a request, wherever they stand: the query of a GET, the JSON or the form of a POST. Nothing is evaluated
// here but whether the body can be read at all.

import { parse as parseQuery } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import { repeatedNames } from './repeated-names.ts'

// JSON has types; in a query or a form everything is text, and a repeated field is a list.
export type Fields = { readonly kind: 'json' | 'text'; readonly values: ReadonlyMap<string, unknown> }

export type UnreadableBody = 'malformedRequest' | 'mediaTypeUnknown'

const decoder = new TextDecoder('utf-8', { fatal: true })

// The query of anything but a GET is not looked at, so that a key in it ends up in no habit.
export function fieldsOf(request: FastifyRequest): Fields | UnreadableBody {
  if (request.method === 'GET') return textFields(request.raw.url?.split('?').slice(1).join('?') ?? '')
  const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
  if (body.length === 0) return { kind: 'json', values: new Map() }
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  const isForm = mediaType === 'application/x-www-form-urlencoded'
  // A client in the field sends JSON without saying so.
  if (!isForm && mediaType !== '' && mediaType !== 'application/json') return 'mediaTypeUnknown'
  const text = decode(body)
  if (text === undefined) return 'malformedRequest'
  return isForm ? textFields(text) : jsonFields(text)
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
  // Absent and null are the same. A map has no prototype that a field's name could reach.
  const values = new Map(Object.entries(parsed).filter(([, value]) => value !== null))
  // A list, as in a query: whoever looks for one value refuses it.
  for (const name of repeatedNames(text, parsed)) values.set(name, [])
  return { kind: 'json', values }
}

// Of any number: how long a query or a body may be is bounded elsewhere, and a field must not be lost in a limit.
function textFields(text: string): Fields {
  return { kind: 'text', values: new Map(Object.entries(parseQuery(text, '&', '=', { maxKeys: 0 }))) }
}
