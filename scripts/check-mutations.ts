// Shows that `npm run check` turns red: seeds one fault after another into a copy of the tree and expects the check to fail in
// the part that guards against it, and to name the fault.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

type Fault = { title: string; part: string; says: string[]; files: Record<string, string> }

const repository = join(import.meta.dirname, '..')

// Most unit tests: they do not matter here and would double the time of each check. Pages name them, so a stub takes their place.
const stubbed = /^tests\/unit\/(?!timestamp|model\.)[\w-]+\.test\.ts$/
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
    part: 'types',
    says: ['server/src/domain/seeded.ts(1,14)', 'TS2322'],
    files: { 'server/src/domain/seeded.ts': `export const seeded: number = 'x'\n` },
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

function main(): number {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'prove-check-')))
  try {
    copyTree(copy)
    // Each fault turns only its own part red, which shows that all parts are green without faults.
    const failedCount = faults.filter((fault) => !isCaught(copy, fault)).length
    process.stdout.write(`${faults.length - failedCount} passed, ${failedCount} failed\n`)
    return failedCount === 0 ? 0 : 1
  } finally {
    rmSync(copy, { recursive: true })
  }
}

function isCaught(copy: string, fault: Fault): boolean {
  for (const [path, text] of Object.entries(fault.files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), text)
  }
  const { status, output } = runCheck(copy)
  for (const path of Object.keys(fault.files)) rmSync(join(copy, path))
  const missing = fault.says.filter((text) => !output.includes(text))
  const isRed = status === 1 && output.includes(`check failed: ${fault.part} (`)
  report(`${fault.title} turns ${fault.part} red, and nothing else`, isRed && missing.length === 0)
  if (isRed && missing.length === 0) return true
  process.stdout.write(`${output}\nIt ended with ${status}${missing.map((text) => `, without “${text}”`).join('')}.\n`)
  return false
}

function runCheck(copy: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/check.ts'], { cwd: copy, encoding: 'utf8' })
  // Some tools print colours if CI is set, even with NO_COLOR.
  return { status, output: stripVTControlCharacters(stdout + stderr) }
}

function report(title: string, isOk: boolean): void {
  process.stdout.write(`${isOk ? 'ok    ' : 'failed'} ${title}\n`)
}

function copyTree(copy: string): void {
  const listing = git(repository, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
  for (const path of listing.split('\0')) {
    if (path === '' || !existsSync(join(repository, path))) continue
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    if (stubbed.test(path)) writeFileSync(join(copy, path), stub)
    else copyFileSync(join(repository, path), join(copy, path))
  }
  for (const folder of ['.', 'contract', 'sdk', 'server']) {
    const packages = join(repository, folder, 'node_modules')
    if (existsSync(packages)) linkPackages(packages, join(copy, folder, 'node_modules'))
  }
  git(copy, 'init', '--quiet')
}

// Packages are linked one by one. Existing links are copied as they are: those of the workspaces are relative, so they point
// into the copy.
function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    const source = join(from, name)
    if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), join(to, name))
    else if (name.startsWith('@') || name === '.bin') linkPackages(source, join(to, name))
    else symlinkSync(source, join(to, name))
  }
}

// GIT_* variables set by a hook are removed, because they would point git at another tree.
function git(root: string, ...args: string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  return execFileSync('git', args, { cwd: root, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}
