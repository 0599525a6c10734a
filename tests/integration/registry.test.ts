// Numbering data by CLI, with a made-up registry.

import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import { test } from 'node:test'
import { createProgressBar } from '../../server/src/cli/core/progress-bar.ts'
import { readOperatorActions } from '../../server/src/db/core/action-log.ts'
import { loadNumbering } from '../../server/src/numbering/load-numbering.ts'
import { generatePorted } from '../support/numbering/generate-ported.ts'
import { daisy, madeRow, putFile, reed, registryBytes } from '../support/numbering/registry-files.ts'
import { type Environment, ringproof, ringproofJson } from '../support/process/cli.ts'
import { install } from '../support/process/server.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const installation = await install()

test('numbers import, lookup, import of ported numbers, difference, rollback', async (t) => {
  const { dir, environment, run } = place(t)
  assert.match((await run('status')).out, /No registry is imported/)
  assert.match((await run('rollback')).err, /no previous version to roll back to/)
  assert.match((await run('status', '--changes')).err, /no previous version to compare with/)
  const town = { ...reed, territory: 'г. Лесной|р-н|Лесная область' }
  const path = putFile(dir, 'mine.csv', registryBytes([madeRow(999, 0, 99), madeRow(999, 90, 199, town)]))
  const { out, err, status } = await run('import', path)
  assert.deepEqual([status, err], [0, ''])
  assert.match(out, /^DEF-9xx from mine\.csv: 2 rows, 2 ranges, 200 numbers\.$/m)
  assert.match(out, /^added +2 +200$/m)
  assert.match(out, /^Conflicts: 1\. .*\n {2}9990000090-9990000099: ООО "Ромашка Связь", not АО "Камыш"$/m)
  const version = /^Version ([0-9a-f]{12}) is now in use\.$/m.exec(out)?.[1]
  assert.match((await run('import', path)).out, new RegExp(`Nothing changed\\. Version ${version} stays in use`))

  assert.match((await run('lookup', '8 (999) 000-01-50')).out, /^organisation +АО "Камыш"\n.*\n.*\ncity +г\. Лесной\n/m)
  assert.match((await run('lookup', '9990000200')).out, /^Not assigned to any holder/)
  assert.match((await run('lookup', '+73990000200')).out, /registry for numbers of this kind is not imported/)
  assert.match((await run('lookup', '12')).err, /Invalid Russian number: 12/)
  assert.deepEqual(await ringproofJson(environment, 'registry', 'lookup', '79990000000'), {
    number: 9_990_000_000,
    covered: true,
    range: { ...daisy, region: 'Лесная область', city: '', is_reserve: false },
    ported: null,
  })

  const made = `${dir}/made.csv`
  await generatePorted(`${dir}/numbering`, 50, 3, made)
  assert.match((await run('import-mnp', made)).out, /^Ported numbers: 0 before, 50 now\.$/m)
  const returned = putFile(dir, 'Return_Increment_202601010000_1.csv', 'NPId,Number\n1,9990000000\n')
  const done = await ringproofJson<Record<string, unknown>>(environment, 'registry', 'import-mnp', returned)
  assert.deepEqual([done['returned_rows'], done['numbers_before'], done['is_new']], [1, 50, true])
  const now = await ringproofJson<Record<string, unknown>>(environment, 'registry', 'status')
  assert.deepEqual(now['registries'], [
    { kind: 'DEF-9xx', source: 'mine.csv', rows: 2, ranges: 2, numbers: 200, organisations: 2 },
  ])
  assert.deepEqual(now['ported'], { source: 'made.csv', numbers: 50, as_of: '' })
  assert.deepEqual(now['changes'], { changes: 1, as_of: '202601010000' })
  assert.match(
    (await run('status')).out,
    /^Ported: 50 numbers from made\.csv\.\nChanges on top: 1, as of 202601010000\.$/m,
  )

  const { changes_from_previous: changed } = await ringproofJson<{ changes_from_previous: Record<string, unknown> }>(
    environment,
    'registry',
    'status',
    '--changes',
  )
  assert.deepEqual(changed['registries'], [])
  assert.deepEqual(changed['ported'], { before: { numbers: 50, changes: 0 }, after: { numbers: 50, changes: 1 } })
  const back = await ringproofJson<{ version: string }>(environment, 'registry', 'rollback')
  assert.notEqual(back.version, done['version'])
  assert.deepEqual([changed['from'], changed['to']], [back.version, done['version']])
  assert.match((await run('status')).out, new RegExp(`^Version ${back.version}, in use since 20`))
  const [logged] = await readOperatorActions(installation.slots.globalDatabase, { countMax: 1 })
  assert.equal(logged?.action, 'registries rolled back')
  assert.deepEqual(logged.details, { before: { version: done['version'] }, after: { version: back.version } })
  assert.equal(logged.who, userInfo().username)
})

test('many increments are merged into a new table', async (t) => {
  const { dir, environment, run } = place(t)
  const whole = 'Number,OwnerId,MNC,Route,RegionCode,PortDate,RowCount\n'
  const rows = [1, 2, 3].map((rest) => `${9_990_000_000 + rest},mREED,07,D0107,01,,\n`).join('')
  const many = Array.from({ length: 100_001 }, (_, at) => `1,${9_990_000_002 + at},mFERN,08\n`).join('')
  const files = {
    'Port_All_202601010000_1.csv': whole + rows,
    'Port_Increment_202601020000_1.csv': `NPId,Number,RecipientId,NewMNC\n${many}`,
    'Return_Increment_202601030000_1.csv': 'NPId,Number\n1,9990000003\n',
  }
  for (const [name, text] of Object.entries(files)) {
    assert.equal((await run('import-mnp', putFile(dir, name, text))).status, 0)
  }
  const now = await ringproofJson<Record<string, unknown>>(environment, 'registry', 'status')
  assert.deepEqual(now['ported'], { source: 'Port_All_202601010000_1.csv', numbers: 100_002, as_of: '202601020000' })
  assert.deepEqual(now['changes'], { changes: 1, as_of: '202601030000' })
  const { current } = await loadNumbering(environment['RINGPROOF_NUMBERING_DIR'] ?? '')
  assert.deepEqual(
    [1, 2, 3, 4, 100_002, 100_003].map((rest) => current().ported(9_990_000_000 + rest)?.owner),
    ['mREED', 'mFERN', undefined, 'mFERN', 'mFERN', undefined],
  )
})

// Buffers are reused in turn: the current version and the rollback version must never be overwritten.
test('across imports and rollbacks, every response comes from the version in force', async (t) => {
  const { dir, environment, run } = place(t)
  const numbering = environment['RINGPROOF_NUMBERING_DIR'] ?? ''
  const { current, reload } = await loadNumbering(numbering)
  const head = 'Number,OwnerId,MNC,Route,RegionCode,PortDate,RowCount\n'
  const steps: readonly (readonly ['base' | 'ranges' | 'back', string])[] = [
    ['base', 'mA'],
    ['base', 'mB'],
    ['ranges', 'mB'],
    ['base', 'mC'],
    ['back', 'mB'],
    ['back', 'mC'],
    ['base', 'mD'],
    ['base', 'mE'],
    ['back', 'mD'],
    ['base', 'mF'],
    ['ranges', 'mF'],
    ['base', 'mG'],
    ['back', 'mF'],
  ]
  // Each base has distinct numbers, so that reading the wrong one is noticed.
  const numbersOf = (owner: string) =>
    Array.from({ length: 2000 }, (_, row) => 9_990_000_000 + row * 16 + ((owner.codePointAt(1) ?? 0) % 16))
  const all = steps.flatMap(([, owner]) => numbersOf(owner))
  for (const [at, [step, owner]] of steps.entries()) {
    const rows = numbersOf(owner).map((number) => `${number},${owner},07,,,,\n`)
    if (step === 'base') await run('import-mnp', putFile(dir, 'Port_All.csv', head + rows.join('')))
    if (step === 'ranges') await run('import', putFile(dir, 'a.csv', registryBytes([madeRow(999, 0, at)])))
    if (step === 'back') await run('rollback')
    assert.equal(await reload(), true)
    const { ported } = current()
    assert(
      numbersOf(owner).every((number) => ported(number)?.owner === owner),
      `step ${at}`,
    )
    assert.equal(new Set(all.filter((number) => ported(number))).size, 2000, `step ${at}`)
  }
})

test('without a directory the error names the missing setting', async (t) => {
  const { environment } = place(t)
  const { status, err } = await ringproof({ ...environment, RINGPROOF_NUMBERING_DIR: '' }, 'registry', 'status')
  assert.equal(status, 1)
  assert.match(err, /^Set RINGPROOF_NUMBERING_DIR/)
})

test('a terminal shows a progress bar, a pipe does not', () => {
  const written: string[] = []
  for (const isTTY of [false, true]) {
    const report = createProgressBar({ isTTY, write: (text) => written.push(text) })
    for (const share of [0.5, 0.5001, 1]) report('a.csv', share)
  }
  assert.deepEqual(written, [`\r\u001b[Ka.csv [${'#'.repeat(15)}${'.'.repeat(15)}] 50 %`, '\r\u001b[K'])
})

function place(t: Parameters<typeof temporaryDirectory>[0]) {
  const dir = temporaryDirectory(t)
  const environment: Environment = {
    ...installation.environment,
    RINGPROOF_NUMBERING_DIR: `${dir}/numbering`,
  }
  return { dir, environment, run: (...args: string[]) => ringproof(environment, 'registry', ...args) }
}
