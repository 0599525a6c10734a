// The linter takes longer than all other tests without a server, so it is not part of `npm run check`.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '@ringproof/contract/openapi.ts'
import { verifyDocument } from '@ringproof/contract/v2/openapi.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const redocly = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url))
const about = { publicUrl: 'https://calls.example', version: '1.2.3' }

test('the OpenAPI documents have no linter errors, and a broken document has one', (t) => {
  const path = `${temporaryDirectory(t)}/openapi.json`
  const lint = (document: unknown) => {
    writeFileSync(path, JSON.stringify(document))
    const args = [
      redocly,
      'lint',
      path,
      '--extends=recommended',
      '--skip-rule=operation-4xx-response',
      '--max-problems=50',
    ]
    // Without this it would check for its own updates.
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    return spawnSync(process.execPath, args, { encoding: 'utf8', env })
  }
  const document = openApiDocument(about)
  for (const sound of [document, verifyDocument(about.publicUrl)]) {
    const { status, stdout, stderr } = lint(sound)
    assert.equal(status, 0, stdout + stderr)
    assert.doesNotMatch(stderr, /warning/i)
  }
  assert.equal(
    lint({ ...document, paths: { '/x': { get: { responses: {} } } } }).status,
    1,
    'the linter missed a seeded error',
  )
})
