// Faults seeded in the product, each in a copy of the tree: the test that guards against it must turn red.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyTree } from '../support/copied-tree.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { mutationsOfCalls } from './mutations/calls.ts'
import { mutationsOfPeople } from './mutations/people.ts'
import { mutationsOfRights } from './mutations/rights.ts'

for (const { threat, file, replace, by, test: guard } of [
  ...mutationsOfPeople,
  ...mutationsOfCalls,
  ...mutationsOfRights,
]) {
  test(`${threat}: ${guard} turns red`, (t) => {
    const copy = temporaryDirectory(t)
    copyTree(copy)
    // The programs of the stack.
    symlinkSync(join(import.meta.dirname, '../../.stack'), join(copy, '.stack'))
    const path = join(copy, file)
    const source = readFileSync(path, 'utf8')
    assert.equal(source.split(replace).length, 2, `${file} has the text to replace once`)
    writeFileSync(path, source.replace(replace, by))
    const args = ['--disable-warning=ExperimentalWarning', '--test', guard]
    // Otherwise Node takes it for a part of this run, and runs nothing.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8' })
    assert.notEqual(status, 0, 'the fault was not found')
    // Red for the fault, not because the copy does not run.
    assert.match(stdout, /AssertionError|timed out/, stdout.slice(-2_000))
  })
}
