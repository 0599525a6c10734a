import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

const repository = join(import.meta.dirname, '../..')

const seeded = `import type { Pool } from 'pg'

export async function seeded(pool: Pool): Promise<void> {
  pool.query('select 1')
  ;[1, 2].forEach(async () => {
    await pool.query('select 2')
  })
  void pool.query('select 3')
}
`

const awaited = `import type { Pool } from 'pg'

export async function awaited(pool: Pool): Promise<void> {
  await pool.query('select 1')
  await Promise.all(
    [1, 2].map(async () => {
      await pool.query('select 2')
    }),
  )
  await pool.query('select 3')
}
`

describe('the linter with the settings of this repository', () => {
  let folder = ''

  // Outside the repository: checks that run at the same time would see a violation seeded inside it.
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tooling-'))
    mkdirSync(join(folder, 'server/src'), { recursive: true })
    for (const name of ['package.json', 'tsconfig.json', '.oxlintrc.json']) {
      copyFileSync(join(repository, name), join(folder, name))
    }
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'server/src/seeded.ts'), seeded)
    writeFileSync(join(folder, 'server/src/awaited.ts'), awaited)
  })

  after(() => rmSync(folder, { recursive: true }))

  test('reports every promise that is not awaited', () => {
    const { status, faults } = lint(folder, 'server/src/seeded.ts')
    assert.notEqual(status, 0)
    assert.deepEqual(faults, ['4 no-floating-promises', '5 no-misused-promises', '8 no-floating-promises'])
  })

  test('accepts the same code when every promise is awaited', () => {
    assert.deepEqual(lint(folder, 'server/src/awaited.ts'), { status: 0, faults: [] })
  })
})

test('node 24 or later runs TypeScript without a build', () => {
  assert.ok(Number(/^v(\d+)\./.exec(process.version)?.[1]) >= 24, `This is node ${process.version}.`)
})

test('npm runs no install script and accepts no release of the last few days', () => {
  const settings = new Map(
    readFileSync(join(repository, '.npmrc'), 'utf8')
      .split('\n')
      .map((line) => line.split('=').map((part) => part.trim()))
      .map(([name = '', value = '']) => [name, value]),
  )
  assert.equal(settings.get('ignore-scripts'), 'true')
  assert.ok(Number(settings.get('min-release-age')) > 0, 'min-release-age is a number of days.')
})

function lint(folder: string, path: string): { status: number | null; faults: string[] } {
  const oxlint = join(repository, 'node_modules/oxlint/bin/oxlint')
  const { status, stdout } = spawnSync(process.execPath, [oxlint, '--type-aware', '--format=unix', path], {
    cwd: folder,
    encoding: 'utf8',
  })
  const faults = [...stdout.matchAll(/^[^:\n]+:(\d+):\d+: .*\((.+)\)\]$/gm)]
  return { status, faults: faults.map(([, line, rule]) => `${line} ${rule}`) }
}
