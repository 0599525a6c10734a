// Caller numbers that are imported, taken out of use and brought back, by CLI, while the API starts calls: what is out of use is
// shown by no call, and a code that it leaves without a number is refused, reported and measured.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { readLiveCallerRanges } from '../../server/src/db/trunks/caller-number.ts'
import { insertCallerRange } from '../../server/src/db/trunks/trunk.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { assertFound, examined } from '../support/process/doctor.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const installation = await installPhones(0.1)
const { slots } = installation
const { globalDatabase } = slots
const cli = createCli(installation.environment)
const { base, metrics } = await serve(installation)
const service = await makeService(installation, 10_000)
const { call, outcomes } = await createInboundCalls(installation)

type Row = Readonly<Record<string, unknown>>
const trunks = ['first', 'second'] as const
const russianFirst = { first: 70000000000, second: 70000010000 } as const

async function start(query: Readonly<Record<string, string>> = {}) {
  const asked = new URLSearchParams({ phone: freshNumber('180'), ...query })
  return ask(`${base}/v1.0/initCall?${asked.toString()}`, { headers: service.bearer })
}

function quarantine(trunk: string, first: number, last: number, ...more: readonly string[]) {
  const range = ['--trunk', trunk, '--first', String(first), '--last', String(last)]
  return cli.json<Row>('numbers', 'quarantine', ...range, '--reason', 'shown as spam', ...more)
}

function giveBack(trunk: string, first: number, last: number) {
  return cli.json<Row>(
    'numbers',
    'quarantine',
    '--end',
    '--trunk',
    trunk,
    '--first',
    String(first),
    '--last',
    String(last),
  )
}

const statusOf = (query: Readonly<Record<string, string>>, wanted: number) =>
  poll(
    `a start with ${JSON.stringify(query)} to get ${wanted}`,
    () => start(query),
    ({ status }) => status === wanted,
  )

async function missingCodes(): Promise<readonly string[]> {
  const [russia] = await cli.json<{ missing: string[] }[]>('numbers', 'coverage', '--country', 'RU')
  return russia?.missing ?? []
}

test('a code whose numbers are all in quarantine is refused with code 21, reported and measured; returned, it is called', async () => {
  assert.equal((await start({ code: '0417' })).status, 200)
  for (const trunk of trunks) await quarantine(trunk, russianFirst[trunk] + 417, russianFirst[trunk] + 417)
  const refused = await statusOf({ code: '0417' }, 409)
  assert.deepEqual(
    [refused.json['code'], refused.json['error']],
    [21, 'None of our caller numbers ends with the code that was asked for.'],
  )
  assert.deepEqual(await missingCodes(), ['0417'])
  assertFound(
    await examined(installation.environment),
    'warning',
    'codes',
    /such as 0417:/,
    /^ringproof numbers quarantine --end --trunk first --first …0417 --last …0417$/,
  )
  const exposed = await (await fetch(metrics)).text()
  assert.match(exposed, /ringproof_caller_codes_missing\{country="RU"\} 1\n/)
  assert.match(exposed, /ringproof_caller_codes_missing\{country="KZ"\} 0\n/)
  assert.match(exposed, /ringproof_caller_numbers\{trunk="first"\} 19999\n/)
  // Its neighbours are called.
  for (const code of ['0416', '0418']) assert.equal((await start({ code })).status, 200)
  // It is still ours: a person who calls it back has not dialled a wrong number.
  await call(freshNumber('180'), '70000000417')
  assert.equal(outcomes.at(-1), 'called-back')

  await giveBack('second', 70000010417, 70000010417)
  const back = await statusOf({ code: '0417' }, 200)
  const { rows } = await globalDatabase.query<{ caller: number }>(
    'SELECT caller_number AS caller FROM verifications WHERE id = $1',
    [back.json['vendor_id']],
  )
  assert.equal(rows[0]?.caller, 70000010417)
  await giveBack('first', 70000000417, 70000000417)
  assert.deepEqual(await missingCodes(), [])
})

test('no call of any mode shows a number in quarantine, whatever code is drawn', async () => {
  // Ten numbers are left, in two pieces.
  await quarantine('first', 70000000000, 70000004999)
  await quarantine('first', 70000005005, 70000009994)
  await quarantine('second', 70000010000, 70000019999)
  const left = new Set([5000, 5001, 5002, 5003, 5004, 9995, 9996, 9997, 9998, 9999].map((code) => 70000000000 + code))
  await statusOf({ code: '0001' }, 409)
  const ids: unknown[] = []
  for (let n = 0; n < 90; n++) {
    const mode = (['flash', 'voice', 'mix'] as const)[n % 3]
    const { status, json, text } = await start(mode === 'flash' ? {} : { [mode ?? 'mix']: 'true' })
    assert.equal(status, 200, text)
    ids.push(json['vendor_id'])
  }
  const { rows } = await globalDatabase.query<{ caller: number }>(
    'SELECT caller_number AS caller FROM verifications WHERE id = ANY ($1)',
    [ids],
  )
  assert.equal(rows.length, ids.length)
  assert.deepEqual(
    rows.filter(({ caller }) => !left.has(caller)),
    [],
  )
  // All of them are used.
  assert(new Set(rows.map(({ caller }) => caller)).size > 7)
  for (const trunk of trunks) await giveBack(trunk, russianFirst[trunk], russianFirst[trunk] + 9_999)
  await statusOf({ code: '0001' }, 200)
})

test('a cooling number comes back when its days are over; a second quarantine replaces the first', async () => {
  const live = async () =>
    (await readLiveCallerRanges(globalDatabase))
      .filter((range) => range.trunk === 'first' && range.country === 'RU')
      .map(({ first, last }) => `${first - 70000000000}-${last - 70000000000}`)
  await quarantine('first', 70000000100, 70000000199, '--days', '3')
  await quarantine('first', 70000000150, 70000000249)
  assert.deepEqual(await live(), ['0-99', '250-9999'])
  await globalDatabase.query(`UPDATE caller_quarantines SET until = until - interval '3 days'`)
  assert.deepEqual(await live(), ['0-149', '250-9999'])
  const listed = async () =>
    (await cli.json<Row[]>('numbers', 'list', '--trunk', 'first')).find(({ country }) => country === 'RU')?.['state']
  assert.equal(await listed(), '100 in quarantine')
  await giveBack('first', 70000000000, 70000009999)
  assert.deepEqual([await live(), await listed()], [['0-9999'], 'active'])
  const again = await cli.run('numbers', 'quarantine', '--end', '--trunk', 'first', '--first', '70000000150')
  assert.match(again.err, /No number of trunk first from 70000000150 to 70000000150 is in quarantine/)
  const foreign = ['--trunk', 'second', '--first', '70000000150', '--reason', 'x']
  assert.match((await cli.run('numbers', 'quarantine', ...foreign)).err, /Trunk second has no caller number from/)
})

test('a number that is removed and added again is in use', async () => {
  await quarantine('first', 70000000300, 70000000309)
  const range = ['--trunk', 'first', '--first', '70000000300', '--last', '70000000309']
  await cli.json('numbers', 'remove', ...range)
  await cli.json('numbers', 'add-range', ...range, '--country', 'RU')
  const { rows } = await globalDatabase.query('SELECT FROM caller_quarantines')
  assert.equal(rows.length, 0)
})

test('an import says what it would add, adds it once, and is logged', async () => {
  await insertCallerRange(globalDatabase, { trunk: 'second', country: 'RU', first: 70000030000, last: 70000030009 })
  const file = `${fileDirectory()}/numbers.csv`
  writeFileSync(file, 'first;last\n70000020000;70000020416\n70000020418-70000029999\n70000030005\n70000000005\nnone\n')
  const run = (...more: string[]) =>
    cli.json<Row>('numbers', 'add-range', '--file', file, '--trunk', 'first', '--country', 'RU', ...more)
  const expected = {
    added: 9_999,
    duplicates: 1,
    taken: 1,
    repeated: 0,
    invalid_lines: [6],
    codes_gained: [],
    codes_missing: 0,
  }
  assert.deepEqual(await run('--dry-run'), expected)
  const both = ['--file', file, '--first', '70000020000', '--trunk', 'first', '--country', 'RU']
  assert.match((await cli.run('numbers', 'add-range', ...both)).err, /either --first and --last, or --file/)
  assert.deepEqual(await run(), expected)
  assert.deepEqual(await run(), { ...expected, added: 0, duplicates: 10_000 })
  const { rows } = await globalDatabase.query<{ action: string; details: Row }>(
    `SELECT action, details FROM action_log WHERE action LIKE 'caller numbers%' ORDER BY id DESC`,
  )
  assert.deepEqual(rows[0]?.details, {
    trunk: 'first',
    country: 'RU',
    numbers: 9_999,
    ranges: 2,
    spans: [
      { first: 70000020000, last: 70000020416 },
      { first: 70000020418, last: 70000029999 },
    ],
  })
  const actions = new Set(rows.map(({ action }) => action))
  assert.deepEqual([...actions].toSorted(), [
    'caller numbers imported',
    'caller numbers quarantined',
    'caller numbers returned',
  ])
})
