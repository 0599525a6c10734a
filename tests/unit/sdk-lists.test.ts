// The clients import nothing, so they spell lists of the contract again.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { methods } from '@ringproof/contract/methods.ts'

const wordsAfter = (start: string, path: string) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const [, list = ''] = text.slice(text.indexOf(start)).match(/\[([^\]]+)\]/) ?? []
  return [...list.matchAll(/'(\w+)'/g)].map(([, word]) => word)
}

test('both clients repeat the same methods, and only those of the contract', () => {
  const repeated = wordsAfter('const idempotent', 'sdk/src/transport.ts')
  assert.deepEqual(wordsAfter('const REPEATABLE', 'sdk-php/src/Transport.php'), repeated)
  assert.deepEqual(
    methods.filter((method) => !repeated.includes(method)),
    ['initRepeat', 'inboundCallWaiting', 'checkPhone'],
  )
})
