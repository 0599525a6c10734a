// Every field of every endpoint of the internal API, and of the files that are made from them, with values that no page sends:
// control characters, IDs beyond their column, times beyond a date. The answer is a refusal or a result, and never a failure.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EndpointName, webApi } from '@ringproof/contract/web/api.ts'
import type { Endpoint } from '@ringproof/contract/web/endpoint.ts'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { createCli } from '../support/process/cli-in-process.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { operatorAs, signUp } from '../support/web/people.ts'
import { createVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.1)
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base, output } = await serve(installation, settings)
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })
const owner = (await signUp({ base, mailDir })).visitor
const admin = await operatorAs(base, cli, 'admin')
const nobody = createVisitor(base)

type Schema = TSchema & {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
}

const controlCharacters = ['\u0000', 'a\u001b[31mb', '\ud800']
const longNumbers = ['2147483648', '9007199254740993', '9'.repeat(30)]
const numbers = [2 ** 31, 2 ** 53 - 1, 8_640_000_000_000_001, -1e300]

function hostileValues({ enum: values, const: only, type, pattern, maxLength = 100 }: Schema): readonly unknown[] {
  if (values || only !== undefined) return ['\u0000']
  if (type === 'integer' || type === 'number') return numbers
  if (type !== 'string') return []
  // A text is not read as a number, and digits are no text.
  return pattern === undefined || !/d|0-9/.test(pattern)
    ? [...controlCharacters, 'a'.repeat(maxLength + 1)]
    : ['\u0000', ...longNumbers, '2026-99-99', '2026-99']
}

// A value that the schema takes.
function usualValue(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf) return usualValue(schema.anyOf[0] ?? {})
  switch (schema.type) {
    case 'string':
      return schema.pattern === undefined ? 'a'.repeat(schema.minLength ?? 1) : matching(schema.pattern)
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return schema.items ? [usualValue(schema.items)] : []
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, of]) => [name, usualValue(of)]))
    case undefined:
    default:
      return null
  }
}

const matching = (pattern: string) =>
  fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 })[0] ?? ''

// The value with one of its parts replaced, for each part.
function variantsOf(schema: Schema): readonly unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap(variantsOf)
  if (schema.type === 'array' && schema.items) return variantsOf(schema.items).map((item) => [item])
  if (schema.type !== 'object') return hostileValues(schema)
  // Filters exclude one another, so each is sent without the others.
  const { required = [] } = schema as { required?: readonly string[] }
  const all = Object.entries(usualValue(schema) as Record<string, unknown>)
  const usual = Object.fromEntries(all.filter(([name]) => required.includes(name)))
  const { properties = {} } = schema
  return Object.entries(properties).flatMap(([name, of]) =>
    variantsOf(of).map((value) => ({ ...usual, [name]: value })),
  )
}

function visitorOf({ access }: Endpoint) {
  if (access.kind === 'operator') return admin
  return access.kind === 'anyone' || access.kind === 'password' ? nobody : owner
}

// No service of this installation verifies phones, and it has no registry.
const unavailableHere: ReadonlySet<string> = new Set<EndpointName>(['call-own-phone', 'roll-back-registries'])

async function failuresOf(name: EndpointName, inputs: readonly unknown[]): Promise<readonly string[]> {
  const visitor = visitorOf(webApi[name])
  const { cookie } = visitor
  const before = output().length
  const answers: { readonly status: number }[] = []
  // Changes one after another, as a person makes them. Reads at once, but fewer than the pool has connections.
  const atOnce = webApi[name].verb === 'GET' ? 4 : 1
  for (let at = 0; at < inputs.length; at += atOnce) {
    answers.push(...(await Promise.all(inputs.slice(at, at + atOnce).map((input) => visitor.send(name, input)))))
  }
  visitor.cookie = cookie
  const refused = inputs.filter((_, at) => (answers[at]?.status ?? 0) >= 500)
  const logged = output()
    .slice(before)
    .split('\n')
    .filter((line) => line.includes('web request failed'))
  if (logged.length === 0 && (refused.length === 0 || unavailableHere.has(name))) return []
  return [`${name} ${JSON.stringify(refused).slice(0, 300)}`, ...logged.map((line) => line.slice(0, 300))]
}

test('no value of any field makes an endpoint of the pages fail', { timeout: 600_000 }, async () => {
  const failures: string[] = []
  let asked = 0
  for (const [name, endpoint] of Object.entries(webApi) as [EndpointName, Endpoint][]) {
    const inputs = variantsOf(endpoint.input)
    asked += inputs.length
    failures.push(...(await failuresOf(name, inputs)))
  }
  assert.deepEqual(failures, [])
  assert(asked > 500, `${asked} requests`)
  for (const visitor of [owner, admin]) assert.equal((await visitor.send('me', {})).status, 200, 'still signed in')
})
