// Every command line that the program, its package and its pages print is in docs/reference/printed-commands.md, with the test that types
// it or the reason why none does.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CliContext } from '../../server/src/cli/core/context.ts'
import { buildProgram } from '../../server/src/cli/program.ts'
import { type Printed, printedCommands } from '../support/printed-commands.ts'

type Row = readonly [command: string, other: string]

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/reference/printed-commands.md')
const pages = rowsOf('Pages that a test types word for word')
const typed = rowsOf('Commands that a test types')
const untyped = rowsOf('Not typed by a test')
const printed = printedCommands(buildProgram({} as CliContext, '1.2.3'), new Set(pages.map(([path]) => path)), root)

test('every printed command is in the table, and every row of the table is printed', () => {
  assert.deepEqual(missingFrom(printed), [])
  const used = new Set(printed.flatMap(({ command }) => rowOf(command)?.[0] ?? []))
  assert.deepEqual(
    [...typed, ...untyped].map(([command]) => command).filter((command) => !used.has(command)),
    [],
  )
  const made: Printed = {
    command: 'systemctl restart ringproof.service ringproof.target',
    place: 'postinst',
    unknownOptions: [],
  }
  assert.deepEqual(missingFrom([made]), ['systemctl restart ringproof.service ringproof.target (postinst)'])
})

test('every option of a printed command exists', () => {
  assert.deepEqual(
    printed.filter(({ unknownOptions }) => unknownOptions.length > 0),
    [],
  )
})

test('every npm script that is printed exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = printed.flatMap(({ command }) => /^npm run (?:-s )?(\S+)/.exec(command)?.[1] ?? [])
  assert(named.length > 10)
  assert.deepEqual(
    named.filter((name) => !(name in scripts)),
    [],
  )
})

test('every test of the table has what it types', () => {
  const without = [...pages, ...typed].flatMap(([command, file]) => {
    if (!existsSync(join(root, file))) return [`there is no ${file}`]
    const text = flat(`${read(file)} ${pagesTypedBy(file)}`)
    return partsOf(command)
      .filter((part) => !text.includes(part))
      .map((part) => `${file} does not have ${part}`)
  })
  assert.deepEqual(without, [])
})

test('the Russian pages have the commands of the English ones', () => {
  const translated = pages.map(([path]) => path).filter((path) => /\.ru\.md$|\/ru\//.test(path))
  for (const path of translated) {
    const blocks = (text: string) => text.match(/^```sh\n[^]*?^```$/gm)
    assert.deepEqual(blocks(read(path)), blocks(read(path.replace(/\.ru(?=\.md$)|\/ru(?=\/)/, ''))), path)
  }
})

function pagesTypedBy(typist: string): string {
  return pages
    .filter(([, file]) => file === typist)
    .map(([path]) => read(path))
    .join('\n')
}

function missingFrom(commands: readonly Printed[]): readonly string[] {
  return [
    ...new Set(commands.filter(({ command }) => !rowOf(command)).map(({ command, place }) => `${command} (${place})`)),
  ]
}

// `*` in the table stands for anything.
function rowOf(command: string): Row | undefined {
  return [...typed, ...untyped].find(([pattern]) => {
    const parts = pattern.split('*').map((part) => part.replace(/[.?+^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`).test(command)
  })
}

// What the test must contain: the name of a page, the words of a command of Ringproof, the fixed parts of any other.
function partsOf(command: string): readonly string[] {
  if (command.endsWith('.md'))
    return [
      command
        .replace(/(?:ru\/|\.ru(?=\.md))/, '')
        .split('/')
        .at(-1) ?? '',
    ]
  const words = command.split(' ')
  if (words[0] === 'ringproof' && words.length > 1) return words.slice(1).map((word) => ` ${word} `)
  return command
    .split(/[*…]|[A-Z]{3,}/)
    .map(flat)
    .map((part) => part.trim())
    .filter((part) => part.length > 2)
}

function flat(text: string): string {
  return ` ${text.replace(/['"`,[\]()\s]+/g, ' ')} `
}

function rowsOf(heading: string): readonly Row[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^\| `(.+)` \| (.+) \|$/gm)].map(([, command = '', other = '']) => [
    command.replaceAll('\\|', '|'),
    other.replaceAll('`', ''),
  ])
}
