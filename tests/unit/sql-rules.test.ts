// A rule has one home in the domain; SQL functions read it from the generated functions/rules.sql.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { idEpochSeconds } from '../../server/src/domain/core/slot.ts'

const dir = fileURLToPath(new URL('../../server/src/db/', import.meta.url))
const withoutComments = (file: string) => readFileSync(`${dir}${file}`, 'utf8').replace(/--.*$/gm, '')
// The ID epoch as seconds or as a date, and the durations of a call.
const literals = /1767225600|2026-01-01|interval '(?:5|15|20|55) seconds'|\b15000\b/g

test('no SQL function repeats a rule of rules.sql', () => {
  const files = globSync('functions/*.sql', { cwd: dir }).filter((file) => !file.endsWith('/rules.sql'))
  assert(files.length > 15)
  for (const file of files) assert.deepEqual(withoutComments(file).match(literals), null, file)
  assert((withoutComments('functions/rules.sql').match(literals) ?? []).length > 3)
})

// A migration runs before the functions exist.
test('the migration that creates the clock mark uses the ID epoch of the domain', () => {
  assert.match(withoutComments('migrations/0002_ids.sql'), new RegExp(`- ${idEpochSeconds}\\)`))
})
