// docs/reference/log-events.md and the log calls of the server are the same list.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { collectLogCalls, type LogCall } from '../support/log-calls.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/reference/log-events.md'), 'utf8')
const sources = globSync('server/src/**/*.ts', { cwd: root }).toSorted()
const read = sources.map((path) => collectLogCalls(path, readFileSync(join(root, path), 'utf8')))
const logged = read.flatMap(({ calls }) => calls)

test('every message is a string literal, and every field has a plain name', () => {
  assert.deepEqual(
    read.flatMap(({ faults }) => faults),
    [],
  )
})

test('the page lists every message with its level and its fields, and no other', () => {
  assert(logged.length > 40)
  assert.deepEqual(differences(logged, page), [])
})

test('messages are short and fields are in snake case', () => {
  for (const { message, fields } of logged) {
    assert.match(message, /^[A-Za-z][A-Za-z -]{3,39}$/)
    for (const field of fields) assert.match(field, /^[a-z]+(_[a-z]+)*$/, message)
  }
})

const shortPage = '| `call ended` | info | `trunk`, `mode` | Over. | – |\n| `stopped` | info | – | Gone. | – |\n'
const shortSource = "deps.log.info({ trunk: route.trunk, mode }, 'call ended')\nlog.info('stopped')\n"

const seededDifferences: readonly [name: string, source: string, page: string, difference: string][] = [
  [
    'an extra message',
    `${shortSource}log.warn({ trunk }, 'trunk lost')`,
    shortPage,
    'not on the page: warn trunk lost (trunk)',
  ],
  ['a stale row', "log.info('stopped')", shortPage, 'not logged: info call ended (mode, trunk)'],
  [
    'an extra field',
    shortSource.replace('mode', 'mode, reason'),
    shortPage,
    'not on the page: info call ended (mode, reason, trunk)',
  ],
  [
    'another level',
    shortSource.replace('deps.log.info', 'deps.log.error'),
    shortPage,
    'not logged: info call ended (mode, trunk)',
  ],
  ['a message at two levels', `${shortSource}log.warn('stopped')`, shortPage, 'not on the page: warn stopped ()'],
]

for (const [name, source, text, difference] of seededDifferences) {
  test(`finds ${name}`, () => {
    assert.deepEqual(differences(collectLogCalls('a.ts', shortSource).calls, shortPage), [])
    const found = differences(collectLogCalls('a.ts', source).calls, text)
    assert(found.includes(difference), found.join('\n'))
  })
}

test('finds calls whose message or fields are only known at run time', () => {
  const seeded = [
    'log.warn({ trunk }, `trunk ${trunk} lost`)',
    'log.warn(sentence)',
    "log.info({ ...counts }, 'counted')",
    "log.info(fields, 'counted')",
    "log.info({ [name]: 1 }, 'counted')",
    "log.info({ trunk }, 'trunk %s lost', trunk)",
    'promise.catch(deps.log.warn)',
  ]
  const { calls, faults } = collectLogCalls('a.ts', seeded.join('\n'))
  assert.deepEqual(calls, [])
  assert.deepEqual(
    faults.map((fault) => fault.split(':')[1]),
    seeded.map((_, index) => String(index + 1)),
  )
})

function differences(calls: readonly LogCall[], text: string): readonly string[] {
  // One message may be logged in several places, each with some of its fields.
  const byMessage = Map.groupBy(calls, ({ level, message }) => `${level} ${message}`)
  const inCode = new Set(
    [...byMessage].map(([name, all]) =>
      spelled(
        name,
        all.flatMap(({ fields }) => fields),
      ),
    ),
  )
  const rows = [...text.matchAll(/^\| `([^`]+)` \| (\w+) \| ([^|]*) \| [^|]+ \| [^|]+ \|$/gm)]
  const onPage = rows.map(([, message, level, fields = '']) =>
    spelled(
      `${level} ${message}`,
      [...fields.matchAll(/`(\w+)`/g)].map(([, field]) => field ?? ''),
    ),
  )
  return [
    ...[...inCode].filter((one) => !onPage.includes(one)).map((one) => `not on the page: ${one}`),
    ...onPage.filter((one) => !inCode.has(one)).map((one) => `not logged: ${one}`),
    ...onPage.filter((one, index) => onPage.indexOf(one) !== index).map((one) => `twice on the page: ${one}`),
  ]
}

function spelled(name: string, fields: readonly string[]): string {
  return `${name} (${[...new Set(fields)].toSorted().join(', ')})`
}
