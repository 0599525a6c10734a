import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describedInRussian, russianDescription } from '@ringproof/contract/descriptions-ru.ts'
import { exampleSentence } from '@ringproof/contract/error-examples.ts'
import { errorPages } from '@ringproof/contract/error-pages.ts'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import { openApiDocument } from '@ringproof/contract/openapi.ts'

type Node = { readonly [key: string]: unknown }

const document = openApiDocument({ publicUrl: 'https://ringproof.example', version: '1.2.3' })

test('every parameter, response field and webhook field has an English and a Russian description', () => {
  const described = describedFields(document)
  assert(described.size > 80, `${described.size} fields were read`)
  for (const [path, description] of described) {
    assert.match(description ?? '', /^\S.*\.$/, `${path} has no description`)
    assert.match(russianDescription(description ?? '') ?? '', /[а-яё]/i, `${path} has no Russian description`)
  }
})

test('every Russian description translates one that exists', () => {
  const english = new Set(JSON.stringify(document).match(/(?<="description":)"(?:[^"\\]|\\.)*"/g))
  assert.deepEqual(
    describedInRussian.filter((description) => !english.has(JSON.stringify(description))),
    [],
  )
})

test('a field without a description is found', () => {
  const seeded = {
    properties: { outer: { description: 'Outer.', items: { properties: { inner: { type: 'string' } } } } },
  }
  assert.deepEqual(
    [...describedFields(seeded)].filter(([, description]) => description === undefined),
    [['/properties/outer/items/properties/inner', undefined]],
  )
})

test('the OpenAPI document describes the webhook with its eight fields and three headers', () => {
  const { webhooks, components } = document as {
    webhooks: { inboundCall: { post: { parameters: { name: string; in: string }[] } } }
    components: { schemas: { InboundCall: { properties: object; required: string[] } } }
  }
  const { properties, required } = components.schemas.InboundCall
  assert.equal(Object.keys(properties).length, 8)
  assert.deepEqual(required.toSorted(), Object.keys(properties).toSorted())
  assert.deepEqual(
    webhooks.inboundCall.post.parameters.map(({ name, in: where }) => [name, where]),
    [
      ['webhook-id', 'header'],
      ['webhook-timestamp', 'header'],
      ['webhook-signature', 'header'],
    ],
  )
})

test('every error has a page, and its example sentences have no placeholder left', () => {
  for (const name of Object.keys(refusals) as RefusalName[]) {
    assert(errorPages[refusals[name].code], name)
    for (const language of ['en', 'ru'] as const) assert.doesNotMatch(exampleSentence(name, language), /[{}]/, name)
  }
  assert.doesNotMatch(JSON.stringify(document), /\{(parameter|expected|limit|country|mode|cap|from|until|scope)\}/)
})

// Properties of objects and OpenAPI parameters, by path.
function describedFields(node: unknown, path = ''): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  if (typeof node !== 'object' || node === null) return found
  for (const [key, value] of Object.entries(node as Node)) {
    if (key === 'example' || key === 'examples') continue
    const at = `${path}/${key}`
    const isNamed = path.endsWith('/properties') || path.endsWith('/parameters')
    if (isNamed) found.set(at, (value as { description?: string }).description)
    for (const entry of describedFields(value, at)) found.set(...entry)
  }
  return found
}
