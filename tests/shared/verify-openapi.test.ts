// The OpenAPI document of /v2 is the draft of its design with the amendments and without what is not served yet: the same operations,
// fields, types and limits. Words and examples are ours.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { verifyDocument } from '@ringproof/contract/v2/openapi.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

type Node = Record<string, unknown>
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Node>>>>
  readonly components: { readonly schemas: Record<string, Node> }
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const draftFile = `${root}../shared/design/verify/openapi.yaml`

// Of the connection, the account and the size of a body: the draft leaves them out.
const unlisted = new Set(['400', '403', '409', '413', '415', '429', '500', '503'])
// Not served: the stream, and what the hosted page needs.
const unserved = new Set(['/v2/verifications/{id}/events'])

test('every schema is that of the draft, amended', (t) => {
  const ours = verifyDocument('https://api.example.org') as unknown as Document
  const draft = amended(readDraft(t))
  for (const name of Object.keys(ours.components.schemas)) {
    const theirs = draft.components.schemas[name]
    assert(theirs, `the draft has no ${name}`)
    assert.deepEqual(plain(ours.components.schemas[name], ours), plain(theirs, draft), name)
  }
})

test('every operation has the parameters, body, result, authentication and statuses of the draft', (t) => {
  const ours = verifyDocument('https://api.example.org') as unknown as Document
  const draft = amended(readDraft(t))
  const served = Object.entries(draft.paths).filter(([path]) => !unserved.has(path))
  assert.deepEqual(
    Object.keys(ours.paths),
    served.map(([path]) => path),
  )
  for (const [path, methods] of served) {
    for (const [method, theirs] of Object.entries(methods)) {
      const own = ours.paths[path]?.[method]
      if (method === 'parameters') assert.deepEqual(plain(own, ours), plain(theirs, draft))
      else {
        assert(own, `${method} ${path}`)
        const parts = ({ operationId, parameters, requestBody, security }: Node) => ({
          operationId,
          parameters,
          requestBody,
          security,
        })
        assert.deepEqual(plain(parts(own), ours), plain(parts(theirs), draft), `${method} ${path}`)
        const [got, wanted] = [own['responses'] as Node, theirs['responses'] as Node]
        const results = (all: Node, of: Document) =>
          plain(Object.fromEntries(Object.entries(all).filter(([status]) => status < '300')), of)
        assert.deepEqual(results(got, ours), results(wanted, draft), `${method} ${path}`)
        const extra = Object.keys(got).filter((status) => !(status in wanted) && !unlisted.has(status))
        const missing = Object.keys(wanted).filter((status) => !(status in got))
        assert.deepEqual([extra, missing], [[], []], `${method} ${path}`)
      }
    }
  }
})

const metadataNames = '^[a-z0-9_]{1,40}$'

// What the amendments of the design add and take away, and what the product says in another way. Undefined: taken away.
const amendments: readonly (readonly [path: string, value: unknown])[] = [
  ['StartVerification.properties.client', undefined],
  // Of the hosted page, and of channels in another order.
  ['StartVerification.properties.page', undefined],
  ['StartedFields.properties.page_url', undefined],
  ['Verification.properties.first_channel', undefined],
  ['Problem.properties.reasons', undefined],
  // An installation has one currency, and not always this one.
  ['Money.properties.currency', { type: 'string' }],
  // The same in JSON Schema.
  ['StartVerification.properties.metadata.propertyNames', undefined],
  ['StartVerification.properties.metadata.additionalProperties', false],
  ['StartVerification.properties.metadata.patternProperties', { [metadataNames]: { type: 'string', maxLength: 200 } }],
  ['Verification.properties.metadata', { type: 'object', patternProperties: { '^.*$': { type: 'string' } } }],
]

function amended(draft: Document): Document {
  for (const [path, value] of amendments) {
    const keys = path.split('.')
    const parent = reach(draft.components.schemas, keys.slice(0, -1)) as Node
    parent[keys.at(-1) ?? ''] = value
  }
  return draft
}

function reach(from: unknown, keys: readonly string[]): unknown {
  return keys.reduce((at, key) => (at as Node)[key], from)
}

function readDraft(t: TestContext): Document {
  const path = `${temporaryDirectory(t)}/draft.json`
  const redocly = `${root}node_modules/@redocly/cli/bin/cli.js`
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { status, stderr } = spawnSync(process.execPath, [redocly, 'bundle', draftFile, '-o', path], {
    encoding: 'utf8',
    env,
  })
  assert.equal(status, 0, stderr)
  return JSON.parse(readFileSync(path, 'utf8')) as Document
}

const words = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags', 'headers'])

// Without words and references, and with one spelling of what JSON Schema can say in two ways.
function plain(node: unknown, document: Document): unknown {
  if (Array.isArray(node)) return node.map((one) => plain(one, document))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, oneOf, allOf, const: only, ...rest } = node as Node
  if (typeof $ref === 'string') {
    return plain(reach(document, $ref.split('/').slice(1)), document)
  }
  if (Array.isArray(allOf) && allOf.length === 1) return plain(allOf[0], document)
  const { type, default: fallback } = rest
  if (Array.isArray(type)) {
    const { default: _, description: __, ...one } = rest
    const either = type.map((each) => (each === 'null' ? { type: 'null' } : { ...one, type: each }))
    return plain({ anyOf: either, default: fallback }, document)
  }
  const isListed = only !== undefined || 'enum' in rest
  const entries = Object.entries({
    ...rest,
    ...(oneOf === undefined ? {} : { anyOf: oneOf }),
    ...(only === undefined ? {} : { enum: [only] }),
  }).filter(
    ([key, value]) => (!words.has(key) || isSchema(value)) && !(isListed && key === 'type') && value !== undefined,
  )
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      (key === 'required' || key === 'enum') && Array.isArray(value)
        ? value.map(String).toSorted()
        : plain(value, document),
    ]),
  )
}

// A property may have the name of a word.
function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('type' in value || '$ref' in value)
}
