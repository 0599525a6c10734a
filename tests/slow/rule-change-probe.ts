// Run by rule-change.test.ts in a copy of the tree: two calls to one number at once, and how one of them is refused.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'

const [, , resultFile = ''] = process.argv
const installation = await installPhones(0.5)
const { base } = await serveProcess(installation)
const { bearer } = await makeService(installation)

test('the second of two calls to one number is refused', async () => {
  const phone = freshNumber('180')
  const start = () => ask(`${base}/v1.0/initCall`, { method: 'POST', headers: bearer, body: { phone } })
  const refused = (await Promise.all([start(), start()])).filter(({ status }) => status === 429)
  const [only] = refused
  assert(only && refused.length === 1)
  const { code, error } = only.json
  writeFileSync(resultFile, JSON.stringify({ code, error, retryAfter: Number(only.headers.get('retry-after')) }))
})
