// A rule has one home. In a copy of the tree the cooldown becomes 20 seconds by one edit and `npm run generate`; then the API,
// the error sentence and the error page of that copy say 20.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyTree } from '../support/copied-tree.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const home = 'contract/src/limits.ts'
const page = 'docs/reference/errors.md'
const probe = 'tests/slow/rule-change-probe.ts'
type Refused = { readonly code: number; readonly error: string; readonly retryAfter: number }

const sentence = (seconds: number) =>
  `Too soon: ${seconds} seconds must pass between two calls to one number, and the first must be over.`

test('the cooldown changes from 15 to 20 seconds by one edit: API, error sentence and error page follow', (t) => {
  const copy = temporaryDirectory(t)
  copyTree(copy)
  const run = (...args: readonly string[]) => execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  const read = (path: string) => readFileSync(join(copy, path), 'utf8')
  const refused = (): Refused => {
    run(probe, join(copy, 'refused.json'))
    return JSON.parse(read('refused.json'))
  }
  // The probe runs at half the time scale; the wait is rounded up to whole seconds.
  const [old, now] = [15, 20]

  const first = refused()
  assert.deepEqual([first.code, first.error], [19, sentence(old)])
  assert(first.retryAfter > 0 && first.retryAfter <= Math.ceil(old / 2), `${first.retryAfter} s`)
  assert(read(page).includes(sentence(old)))

  const [before, after] = [`cooldownSeconds = ${old}\n`, `cooldownSeconds = ${now}\n`]
  assert.equal(read(home).split(before).length, 2, `${home} sets it once`)
  writeFileSync(join(copy, home), read(home).replace(before, after))
  run('scripts/generate/main.ts')

  const second = refused()
  assert.deepEqual([second.code, second.error], [19, sentence(now)])
  assert(second.retryAfter > Math.ceil(old / 2) && second.retryAfter <= now / 2, `${second.retryAfter} s`)
  assert(read(page).includes(sentence(now)))
  assert(!read(page).includes(sentence(old)))
})
