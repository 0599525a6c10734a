import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyNotMigrate, whyNotServe } from '../../server/src/domain/installation/schema-version.ts'

const allowed = (program: string, schema: string) =>
  [whyNotMigrate, whyNotServe].map((why) => why(program, schema) === undefined)

test('a program migrates its own and older schemas, and serves on the next minor one', () => {
  const [both, servesOnly, neither] = [
    [true, true],
    [false, true],
    [false, false],
  ]
  assert.deepEqual(allowed('0.1.0', ''), both)
  assert.deepEqual(allowed('0.1.0', '0.1.0'), both)
  assert.deepEqual(allowed('0.10.0', '0.9.3'), both)
  assert.deepEqual(allowed('0.1.0', '0.1.0-rc.1'), both)
  assert.deepEqual(allowed('0.1.0-rc.10', '0.1.0-rc.9'), both)
  assert.deepEqual(allowed('0.1.0-rc.1', '0.1.0'), servesOnly)
  assert.deepEqual(allowed('0.1.0', '0.1.1'), servesOnly)
  assert.deepEqual(allowed('0.1.9', '0.2.0'), servesOnly)
  assert.deepEqual(allowed('0.1.0', '0.3.0'), neither)
  assert.deepEqual(allowed('0.9.0', '1.0.0'), neither)
  assert.throws(() => whyNotMigrate('0.1', '0.1.0'), /is not a version/)
})
