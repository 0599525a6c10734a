// Reads the key and service ID of a request. The header takes precedence over the body, the body over the query; if a second
// scheme disagrees, the request has no credentials.

import type { Fields } from './request-fields.ts'

export type Credentials = { readonly key: string; readonly serviceId: number }

// Undefined if there are none, or they are malformed or contradictory.
export function credentialsOf(authorization: string | undefined, fields: Fields | undefined): Credentials | undefined {
  const key = fields?.values.get('key')
  const serviceId = fields?.values.get('service_id')
  if (authorization === undefined) return credentials(key, serviceId)
  const [, headerKey, headerServiceId] = /^Bearer +([^\s.]+)\.(\d+)$/i.exec(authorization) ?? []
  const first = credentials(headerKey, headerServiceId)
  const second = credentials(key ?? headerKey, serviceId ?? headerServiceId)
  return first?.key === second?.key && first?.serviceId === second?.serviceId ? first : undefined
}

function credentials(key: unknown, serviceId: unknown): Credentials | undefined {
  if (typeof key !== 'string' || key === '') return undefined
  const isId = typeof serviceId === 'number' || (typeof serviceId === 'string' && /^[1-9]\d{0,9}$/.test(serviceId))
  return isId ? { key, serviceId: Number(serviceId) } : undefined
}
