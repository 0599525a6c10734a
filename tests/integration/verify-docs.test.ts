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
