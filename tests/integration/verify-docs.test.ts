// The documentation of the Verify API over HTTP.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyDocument } from '@ringproof/contract/v2/openapi.ts'
import { install, serve } from '../support/process/server.ts'

const publicUrl = 'https://calls.example'
const installation = await install()
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
