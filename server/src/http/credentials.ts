// Reads the key and service ID of a request. The header takes precedence over the body, the body over the query; if a second
// scheme disagrees, the request has no credentials.

import type { IncomingHttpHeaders } from 'node:http'
import type { Sentences } from '@ringproof/contract/errors.ts'
import { badKeyLength, keyFaults } from '@ringproof/contract/request-faults.ts'
import { apiKeyLength } from '../domain/accounts/api-key.ts'
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

// What is wrong with the key or the service ID, as far as their text shows it; undefined if they look right. The text of the
// request is all that is looked at, so the sentence is the same whether the key exists or not.
export function keyFault(
  { authorization, 'x-api-key': apiKeyHeader }: IncomingHttpHeaders,
  fields: Fields | undefined,
): Sentences | undefined {
  const key = fields?.values.get('key')
  const serviceId = fields?.values.get('service_id')
  if (authorization !== undefined) {
    const fault = headerFault(authorization)
    if (fault || (key === undefined && serviceId === undefined)) return fault
    return credentialsOf(authorization, fields) ? undefined : keyFaults.disagreeing
  }
  if (key === undefined && serviceId === undefined) return apiKeyHeader ? keyFaults.apiKeyHeader : keyFaults.noKey
  if (key === undefined || key === '') return keyFaults.keyMissing
  if (serviceId === undefined || serviceId === '') return keyFaults.serviceIdMissing
  return pairFault(textOf(key), textOf(serviceId))
}

// A list or an object is neither a key nor an ID.
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?'
}

function headerFault(authorization: string): Sentences | undefined {
  const [, scheme = '', rest = ''] = /^([^\s.]*) *([^]*)$/.exec(authorization.trim()) ?? []
  if (scheme.toLowerCase() !== 'bearer') return /^\w{16,}$/.test(scheme) ? keyFaults.noScheme : keyFaults.otherScheme
  const parts = rest.split('.')
  if (rest === '') return keyFaults.noKey
  if (parts.length === 1) return keyFaults.noDot
  if (parts.length > 2) return keyFaults.dots
  const [key = '', serviceId = ''] = parts
  return pairFault(key, serviceId)
}

function pairFault(key: string, serviceId: string): Sentences | undefined {
  if (key === '') return keyFaults.keyMissing
  if (serviceId === '') return keyFaults.serviceIdMissing
  if (/^\d{1,10}$/.test(key) && !/^\d+$/.test(serviceId)) return keyFaults.swapped
  if (!/^\d+$/.test(serviceId)) return keyFaults.badServiceId
  if (!/^[A-Za-z0-9]*$/.test(key)) return keyFaults.keyCharacters
  return key.length === apiKeyLength ? undefined : badKeyLength(key.length, apiKeyLength)
}

function credentials(key: unknown, serviceId: unknown): Credentials | undefined {
  if (typeof key !== 'string' || key === '') return undefined
  const isId = typeof serviceId === 'number' || (typeof serviceId === 'string' && /^[1-9]\d{0,9}$/.test(serviceId))
  return isId ? { key, serviceId: Number(serviceId) } : undefined
}
