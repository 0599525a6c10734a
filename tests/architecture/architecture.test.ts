import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkTree } from './laws.ts'

const repository = join(import.meta.dirname, '../..')

test('the repository follows every architecture law', () => {
  const { moduleCount, findings } = checkTree(repository)
  assert.ok(moduleCount > 0, 'no module was read')
  assert.equal(findings.length, 0, findings.map(({ sentence }) => sentence).join('\n'))
})
