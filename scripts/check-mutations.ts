// Shows that `npm run check` turns red: seeds faults into a copy of the tree, one for each part at least, and expects each to
// be named by the part that guards against it. `npm run check` itself shows that all parts are green without them.

import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { copyTree } from '../tests/support/copied-tree.ts'

type Fault = { title: string; part: string; says: string[]; files: Record<string, string> }

const repository = join(import.meta.dirname, '..')
const roleTable = 'contract/src/web/access.ts'

// Most unit tests: they do not matter here and would double the time of each check. Pages name them, so a stub takes their place.
const stubbed = /^tests\/unit\/(?!timestamp|access)[\w-]+\.test\.ts$/
const stub = `import { test } from 'node:test'\n\ntest('not run here', () => undefined)\n`

const faults: Fault[] = [
  {
    title: 'a dropped promise in server/src/db',
    part: 'lint',
    says: ['no-floating-promises', 'server/src/db/seeded.ts:4'],
    files: {
      'server/src/db/seeded.ts': `import type { Pool } from 'pg'

export async function seeded(pool: Pool): Promise<void> {
  pool.query('select 1')
}
`,
    },
  },
  {
    title: 'an import of pg in server/src/http',
    part: 'shape',
    says: ['server/src/http/seeded.ts:1 imports pg: only server/src/db knows it'],
    files: { 'server/src/http/seeded.ts': `import pg from 'pg'\n\nexport const seeded = [pg]\n` },
  },
  {
    title: 'an import cycle in server/src/domain',
    part: 'shape',
    says: ['server/src/domain/seeded-a.ts → server/src/domain/seeded-b.ts → server/src/domain/seeded-a.ts'],
    files: {
      'server/src/domain/seeded-a.ts': `import type { B } from './seeded-b.ts'\n\nexport type A = { b?: B }\n`,
      'server/src/domain/seeded-b.ts': `import type { A } from './seeded-a.ts'\n\nexport type B = { a?: A }\n`,
    },
  },
  {
    title: 'an unformatted file',
    part: 'format',
    says: ['server/src/domain/seeded.ts', 'Formatter would have printed'],
    files: { 'server/src/domain/seeded.ts': `export const seeded   =   "x";\n` },
  },
  {
    title: 'a type error',
    part: 'lint',
    says: ['server/src/domain/seeded-type.ts:1:14', 'TS2322'],
    files: { 'server/src/domain/seeded-type.ts': `export const seededType: number = 'x'\n` },
  },
  {
    title: 'a type error in a page',
    part: 'lint',
    says: ['web/src/parts/seeded.tsx:2:16', 'TS2304'],
    files: { 'web/src/parts/seeded.tsx': `export function Seeded() {\n  return <div>{missing}</div>\n}\n` },
  },
  {
    title: 'a role that has a row in the table of rights and nothing else',
    part: 'lint',
    says: [
      'web/src/words/en.ts',
      'web/src/words/roles.ts',
      'web/src/dashboard/account/words.en.ts',
      'server/src/mail/letters.ts',
      'tests/unit/access.test.ts',
      'tests/integration/web-verifications.test.ts',
    ],
    files: { [roleTable]: withRole(readFileSync(join(repository, roleTable), 'utf8')) },
  },
  {
    title: 'a role that the database does not take',
    part: 'tests',
    says: ['the database takes exactly the roles of the tables'],
    files: {},
  },
  {
    title: 'a failing unit test',
    part: 'tests',
    says: ['the seeded test'],
    files: {
      'tests/unit/seeded.test.ts': `import assert from 'node:assert/strict'
import { test } from 'node:test'

test('the seeded test', () => assert.equal(1 + 1, 3))
`,
    },
  },
]

process.exitCode = main()

function withRole(table: string): string {
  const row = "  viewer: ['read'],\n"
  if (!table.includes(row)) throw new Error(`${roleTable} has no row ${row}`)
  return table.replace(row, `${row}  auditor: [],\n`)
}

function main(): number {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'check-mutations-')))
  try {
    copyTree(copy)
    for (const path of globSync('tests/unit/*.test.ts', { cwd: copy }))
      if (stubbed.test(path)) writeFileSync(join(copy, path), stub)
    // GIT_* variables set by a hook would point git at another tree.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
    execFileSync('git', ['init', '--quiet'], { cwd: copy, env })
    for (const fault of faults) seed(copy, fault)
    const reports = runCheck(copy)
    const failedCount = faults.filter((fault) => !isFound(fault, reports)).length
    process.stdout.write(`${faults.length - failedCount} passed, ${failedCount} failed\n`)
    return failedCount === 0 ? 0 : 1
  } finally {
    rmSync(copy, { recursive: true })
  }
}

function seed(copy: string, fault: Fault): void {
  for (const [path, text] of Object.entries(fault.files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), text)
  }
}

function isFound(fault: Fault, reports: ReadonlyMap<string, string>): boolean {
  const said = reports.get(fault.part)
  const missing = fault.says.filter((text) => said?.includes(text) !== true)
  const isOk = missing.length === 0
  process.stdout.write(`${isOk ? 'ok    ' : 'failed'} ${fault.title} turns ${fault.part} red\n`)
  if (!isOk) process.stdout.write(`${said ?? 'It was green.'}\nNot in it: ${missing.join(', ')}\n`)
  return isOk
}

// What each red part printed.
function runCheck(copy: string): Map<string, string> {
  const { stdout } = spawnSync(process.execPath, ['scripts/check.ts'], { cwd: copy, encoding: 'utf8' })
  // Some tools print colours if CI is set, even with NO_COLOR.
  const [, ...sections] = stripVTControlCharacters(stdout).split(/^--- (\w+) ---$/m)
  return new Map(sections.flatMap((name, at) => (at % 2 === 0 ? [[name, sections[at + 1] ?? '']] : [])))
}
