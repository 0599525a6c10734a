// The documentation of the Verify API: what is served, and every command of the guide, word for word.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { verifyDocument } from '@ringproof/contract/v2/openapi.ts'
import { exampleProblem } from '@ringproof/contract/v2/problems.ts'
import { StartedVerification, verifySchemas } from '@ringproof/contract/v2/verification.ts'
import { Compile } from 'typebox/compile'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'

const publicUrl = 'https://calls.example'
const installation = await installPhones(0.3)
const { base } = await serve(installation, { RINGPROOF_PUBLIC_URL: publicUrl })

test('the served OpenAPI document is the generated one, with the public address', async () => {
  const response = await fetch(`${base}/openapi-v2.json`)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  // Through JSON, because schemas carry more than is written.
  assert.deepEqual(await response.json(), JSON.parse(JSON.stringify(verifyDocument(publicUrl))))
})

test('the type of a problem leads to its line, in the language of the reader', async () => {
  for (const [language, title] of [
    ['en', 'The client token is not valid'],
    ['ru', 'Токен клиента недействителен'],
  ] as const) {
    const headers = { authorization: 'Bearer ct_forged', 'accept-language': language }
    const refused = await fetch(`${base}/v2/verifications/ver_00000000000`, { headers })
    const { type, ...problem } = (await refused.json()) as { type: string; title: string }
    assert.equal(problem.title, title)
    const { origin, pathname, hash } = new URL(type)
    assert.equal(origin, publicUrl)
    const page = await (await fetch(base + pathname, { headers })).text()
    assert(
      page
        .split(`<tr id="${hash.slice(1)}">`)[1]
        ?.split('</tr>')[0]
        ?.includes(title),
      type,
    )
  }
})

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/verify.md'), 'utf8')
const fence = '```'
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^${fence}${language}\\n([^]*?)^${fence}$`, 'gm'))].map(([, text = '']) => text)

test('the commands of the guide, in their order in one shell, respond as it says', { timeout: 60_000 }, async () => {
  const { key, serviceId } = await makeService(installation)
  const settings = { BASE_URL: base, KEY: key, SERVICE_ID: String(serviceId) }
  const commands = blocks('sh').map((block) => `${block.replace('. .stack/service.env\n', '')}\necho; echo ---\n`)
  const { stdout } = await promisify(execFile)('sh', ['-euc', commands.join('')], {
    env: { PATH: process.env['PATH'], ...settings },
  })
  const [setup, started, rang, wrong, right, read, next, replayed, token, ...rest] = stdout.split('---\n')
  assert.deepEqual([setup?.trim(), rest], ['', ['']], stdout)
  assert.match(started ?? '', /"status":"pending".*"test":\{"code":"\d{4}"\}.*"client_token":"ct_/)
  assert.match(rang ?? '', /"status":"(ringing|reached)"/)
  assert.match(wrong ?? '', /"code":"code_wrong".*"checks_left":2\} 422$/m)
  assert.match(right ?? '', /"status":"approved".* 200$/m)
  assert.match(read ?? '', /"status":"approved".*"approved_by":"code"/)
  assert.match(next ?? '', /"channel":"flash".*"channel":"inbound".*"confirmation_number"/)
  assert.deepEqual(
    [...(replayed ?? '').matchAll(/ (\d{3})$/gm)].map(([, status]) => status),
    ['201', '200'],
  )
  assert.match(token ?? '', /"object":"verification"/)
  assert.doesNotMatch(token ?? '', /reference|metadata|cost|"test"/)
})

test('the responses that the guide shows are those of the contract, and its tables name every field and word', () => {
  const [started = '', problem = ''] = blocks('json')
  const validator = Compile(StartedVerification)
  assert(validator.Check(JSON.parse(started)), JSON.stringify(validator.Errors(JSON.parse(started))))
  const shown = JSON.parse(problem) as Record<string, unknown>
  assert.deepEqual(shown, {
    ...exampleProblem('codeWrong', 'https://api.example.org'),
    request_id: shown['request_id'],
  })
  const { StartVerification, Status, FailReason } = verifySchemas
  const named = [...Object.keys(StartVerification.properties), ...Status.enum, ...FailReason.enum]
  assert(named.length > 14)
  for (const name of named.filter((one) => one !== 'phone')) assert(guide.includes(`\n| \`${name}\` |`), name)
})
