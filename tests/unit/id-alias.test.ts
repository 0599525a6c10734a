import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methodParameters } from '@ringproof/contract/parameters.ts'
import { Health, Refused, Root, responses } from '@ringproof/contract/responses.ts'
import { isIdAlias } from '../../server/src/domain/accounts/api-client.ts'

type Schema = {
  readonly properties?: Readonly<Record<string, object>>
  readonly items?: object
  readonly anyOf?: readonly object[]
}

// At any depth.
function fieldNames({ properties = {}, items, anyOf = [] }: Schema): readonly string[] {
  const inside = [...Object.values(properties), ...(items ? [items] : []), ...anyOf]
  return [...Object.keys(properties), ...inside.flatMap((schema) => fieldNames(schema))]
}

test('a field name of a request or response cannot be an alias of the ID', () => {
  const ofResponses = [...Object.values(responses), Refused, Root, Health].flatMap((schema) => fieldNames(schema))
  const ofRequests = Object.values(methodParameters).flatMap(({ required, optional }) =>
    Object.keys({ ...required, ...optional }),
  )
  // One inside a list, one of a union, one of a public page, one that is optional.
  for (const name of ['mnp', 'country_iso', 'providers', 'repeat_times']) assert(ofResponses.includes(name), name)
  for (const name of ['uid', 'mix', 'callback_url']) assert(ofRequests.includes(name), name)
  for (const name of [...ofResponses, ...ofRequests, 'key', 'service_id']) assert(!isIdAlias(name), name)
})

test('any other word can be an alias of the ID', () => {
  for (const name of ['other_id', 'Vendor_id', '_', 'x'.repeat(32)]) assert(isIdAlias(name), name)
  for (const none of ['', 'with space', '1st', 'x'.repeat(33), 'имя']) assert(!isIdAlias(none), none)
})
