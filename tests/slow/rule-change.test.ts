// A rule has one home. In a copy of the tree it is changed by one edit and `npm run generate`; then everything of that copy follows:
// with the cooldown the API, the error sentence and the error page; with how long something is kept the SQL functions, the pages in both
// languages, the settings and the documentation.

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

test('three periods of retention change by one edit each: SQL, pages, settings and documentation in both languages follow', (t) => {
  const copy = temporaryDirectory(t)
  copyTree(copy)
  const read = (path: string) => readFileSync(join(copy, path), 'utf8')
  const table = 'server/src/domain/values/retention.ts'
  const edits = [
    ['sipMessages: { kept: hours(72)', 'sipMessages: { kept: hours(51)'],
    ['apiRequests: { kept: days(7)', 'apiRequests: { kept: days(31)'],
    ['callerNumbers: { kept: minutes(30)', 'callerNumbers: { kept: minutes(42)'],
  ] as const
  for (const [before, after] of edits) {
    assert.equal(read(table).split(before).length, 2, before)
    writeFileSync(join(copy, table), read(table).replace(before, after))
  }
  execFileSync(process.execPath, ['scripts/generate/main.ts'], { cwd: copy })
  const follow = [
    ['server/src/db/functions/rules.sql', `interval '${51 * 3_600} seconds'`, `interval '${31 * 86_400} seconds'`],
    [
      'web/src/words/kept.ts',
      '51\\u00a0hours',
      '51\\u00a0час',
      '51\\u00a0часа',
      '31\\u00a0days',
      '31\\u00a0день',
      '31\\u00a0дня',
    ],
    [
      'docs/operations/privacy.md',
      'names and codes | 51 hours |',
      'only their length | 31 days |',
      '| `sip_messages` | 51 hours |',
    ],
    ['docs/guides/webhooks.md', 'until 42 minutes after the call'],
    ['docs/guides/ru/webhooks.md', 'не прошло 42 минуты.'],
    ['server/config.default.env', 'stored for 51 hours, without', 'keeps them for 31 days.'],
    ['deploy/compose/.env.example', 'stored for 51 hours, without', 'keeps them for 31 days.'],
  ] as const
  for (const [path, ...texts] of follow) for (const text of texts) assert(read(path).includes(text), `${path}: ${text}`)
  for (const [path] of follow) assert.doesNotMatch(read(path), /72\S* hours|keeps them for 7 days/, path)
  // A second time changes nothing, and no test expects the old periods.
  execFileSync(
    process.execPath,
    ['--test', ...['generated', 'retention', 'translations', 'docs-site'].map((name) => `tests/unit/${name}.test.ts`)],
    {
      cwd: copy,
    },
  )
})
