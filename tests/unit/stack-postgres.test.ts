import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { whileWritten } from '../../scripts/stack/parts/postgres.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

test('a temporary system setting exists during installation and is removed afterwards, even on failure', async (t) => {
  const path = join(temporaryDirectory(t), 'setting.conf')
  assert.equal(await whileWritten(path, 'on\n', async () => readFileSync(path, 'utf8')), 'on\n')
  assert(!existsSync(path))
  const failing = async () => {
    assert(existsSync(path))
    throw new Error('no such package')
  }
  await assert.rejects(whileWritten(path, 'on\n', failing), /no such package/)
  assert(!existsSync(path))
})
