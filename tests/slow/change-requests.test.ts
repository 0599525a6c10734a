// Half a change does not stay unnoticed: in copies of the tree each request is started, and what guards the rest of it turns red.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { copyTree } from '../support/copied-tree.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { type ChangeRequest, changeRequests } from './change-requests/requests.ts'

const repository = join(import.meta.dirname, '../..')
const linted = changeRequests.filter(({ found }) => found === 'lint')
const tested = changeRequests.filter(({ found }) => found !== 'lint')

test('twenty requests, and what each touches exists', (t) => {
  assert.equal(changeRequests.length, 20)
  for (const { title, touches, before } of changeRequests) {
    t.diagnostic(`${title}: ${before} → ${touches.length}`)
    for (const path of touches) assert(existsSync(join(repository, path)), `${title}: ${path}`)
  }
})

test('half a change that types know turns the linter red', (t) => {
  const copy = copied(t)
  for (const request of linted) change(copy, request)
  const said = run(copy, 'node_modules/oxlint/bin/oxlint', '--type-aware', '--type-check', '--format=unix')
  for (const request of linted) assertSays(request, said)
})

test('half a change of anything else turns a test red', async (t) => {
  const copy = copied(t)
  for (const request of tested)
    await t.test(request.title, () => {
      const undo = change(copy, request)
      const said = run(copy, '--test', request.found)
      undo()
      assertSays(request, said)
    })
})

function copied(t: TestContext): string {
  const copy = temporaryDirectory(t)
  copyTree(copy)
  // Some tests ask git for the files of the tree.
  execFileSync('git', ['init', '--quiet'], { cwd: copy })
  return copy
}

function change(copy: string, { title, edits }: ChangeRequest): () => void {
  const undone = edits.map(([path, find, by]) => {
    const file = join(copy, path)
    const text = readFileSync(file, 'utf8')
    assert.equal(text.split(find).length, 2, `${title}: ${path} has it once: ${find}`)
    writeFileSync(
      file,
      text.replace(find, () => by),
    )
    return () => writeFileSync(file, text)
  })
  return () => {
    for (const undo of undone.toReversed()) undo()
  }
}

// What a command printed that must not succeed.
function run(copy: string, ...args: readonly string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'NODE_TEST_CONTEXT'))
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    env,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  assert.notEqual(status, 0, `green: ${args.join(' ')}`)
  return stripVTControlCharacters(`${stdout}${stderr}`)
}

function assertSays({ title, found, says }: ChangeRequest, said: string): void {
  const missing = says.filter((text) => !said.includes(text))
  // The linter names thousands of places; their files are enough.
  const files = [...new Set(said.match(/^[\w/.-]+\.tsx?(?=:)/gm))]
  assert.deepEqual(missing, [], `${title}: ${found} names ${files.length > 0 ? files.join(' ') : said}`)
}
