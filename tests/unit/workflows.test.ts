// The workflows of a public repository: GitHub's own parser accepts them, and they run only what a person can run, too.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'

// The package is written for bundlers: it does not say that its schema is JSON.
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')
hooks.deregister()

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const files = globSync('.github/workflows/*', { cwd: root }).toSorted()
const workflows = files.map((file) => [file, read(file)] as const)

// Actions that are not GitHub's own run with our rights: each is a decision.
const othersActions: ReadonlySet<string> = new Set(['softprops/action-gh-release@v2'])

test('the workflows are valid, and seeded mistakes are found', () => {
  assert.deepEqual(files, ['.github/workflows/check.yml', '.github/workflows/release.yml'])
  for (const [file, text] of workflows) assert.deepEqual(mistakesIn(text), [], file)
  const [, check = ''] = workflows[0] ?? []
  for (const [from, to] of [
    ['runs-on:', 'run-on:'],
    ['- uses: actions/checkout@v4', '- use: actions/checkout@v4'],
    ['timeout-minutes: 20', 'timeout-minutes: long'],
    ['contents: read', 'contents: some'],
    ['github.ref', 'githup.ref'],
  ] as const) {
    assert(check.includes(from), from)
    assert.notDeepEqual(mistakesIn(check.replace(from, to)), [], to)
  }
})

test('they run only npm ci and the scripts of package.json', () => {
  for (const [file, text] of workflows) assert.deepEqual(foreignCommands(text), [], file)
  const made =
    '      - run: npm ci\n      - run: npm run nothing\n      - run: npm run check && curl example.org\n      - run: |\n'
  assert.equal(foreignCommands(made).length, 3)
})

test('every push is checked, a tag is released, and other actions than those of GitHub are listed', () => {
  const [check = '', release = ''] = workflows.map(([, text]) => text)
  assert.match(check, /^on:\n {2}push:\n {4}branches: \['\*\*'\]$/m)
  assert.match(release, /^on:\n {2}push:\n {4}tags: \['v\*'\]$/m)
  const used = workflows.flatMap(([, text]) => [...text.matchAll(/uses: (\S+)/g)].map(([, name = '']) => name))
  assert.deepEqual(
    used.filter((name) => !/^actions\/[\w-]+@v\d+$/.test(name) && !othersActions.has(name)),
    [],
  )
})

function mistakesIn(content: string): readonly string[] {
  const { context } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter())
  return context.errors.getErrors().map(({ message }) => message)
}

function foreignCommands(text: string): readonly string[] {
  return [...text.matchAll(/^ +- run: (.*)$/gm)].flatMap(([, line = '']) => {
    const words = line.replaceAll(/\$\{\{ [\w.]+ \}\}/g, 'VALUE')
    const [, name = ''] = /^npm (?:run )?([\w:]+)(?: -- [\w .:/*=-]+)?$/.exec(words) ?? []
    return name === 'ci' || Object.hasOwn(scripts, name) ? [] : [line]
  })
}
