import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ladderFaults } from '../support/model/ladder-faults.ts'
import { mutated, sqlMutations } from '../support/model/sql-mutations.ts'

const repository = join(import.meta.dirname, '../..')

// tests/slow/model-mutations.test.ts applies them, but not in every run; a renamed alias must not go unnoticed until then.
test('every mutation of an SQL function has exactly one place in its source', () => {
  const sql = globSync('server/src/db/functions/*.sql', { cwd: repository })
    .map((file) => readFileSync(join(repository, file), 'utf8'))
    .join('\n')
  for (const mutation of [...sqlMutations, ...ladderFaults]) {
    const [definition] =
      new RegExp(`CREATE OR REPLACE FUNCTION ${mutation.function}\\b.*?\n\\$\\$;`, 's').exec(sql) ?? []
    assert(definition, `there is no function ${mutation.function}`)
    assert.notEqual(mutated(definition, mutation), definition)
  }
})

test('a mutation without a place in the source, or with two, is an error', () => {
  const [mutation] = sqlMutations
  assert(mutation)
  assert.throws(() => mutated('', mutation), /0 places/)
  assert.throws(() => mutated('next_at > at OR next_at > at', mutation), /2 places/)
})
