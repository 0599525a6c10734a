// Trunks, numbers, demo seed and call descriptions by CLI on a real database.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { createSlotMap } from '../../server/src/db/core/slot-map.ts'
import { acceptCalls, claimCalls, endCalls, noteRang } from '../../server/src/db/verifications/verification.ts'
import { type AccountId, type ServiceId, slotsAll, type VerificationId } from '../../server/src/domain/core/slot.ts'
import { nonceBytes } from '../../server/src/domain/crypto/sealing.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { sealPerson } from '../../server/src/domain/verifications/person.ts'
import { readSecrets } from '../../server/src/process/secrets.ts'
import { atEnd } from '../support/at-end.ts'
import { callRequest } from '../support/database/call-request.ts'
import { asOwner, type TestDatabase, testDatabase } from '../support/database/test-database.ts'
import type { Said } from '../support/process/cli.ts'
import { type Cli, createCli } from '../support/process/cli-in-process.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

// One for each test, so that no test sees the rows of another.
const databases = [await testDatabase(), await testDatabase(), await testDatabase(), await testDatabase()]
const progressDatabase = await testDatabase()
const inboundDatabase = await testDatabase()
const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, progressDatabase.url])))
atEnd(() => slots.close())

type Coverage = { country: string; numbers: number; codes: number; missing: string[] }

test('a trunk is added once and listed with its numbers', async (t) => {
  const { run, json, actionsLogged } = await installation(t, databases[0])
  assert.match((await run('trunks', 'list')).out, /There are no trunks yet/)
  const add = (name: string, ...args: string[]) =>
    run('trunks', 'add', name, '--channels', '30', '--calls-per-second', '2.5', ...args)
  assert.match((await add('second', '--priority', '200')).out, /Trunk second added/)
  const special = ['--countries', 'RU,KZ', '--ring-seconds', '7', '--counts-early-media', 'on', '--priority', '10']
  assert.match((await add('first', ...special)).out, /Next: ringproof numbers add-range --trunk first/)
  assert.match((await add('first')).err, /Trunk first already exists/)

  const refusals = [
    [['Loud'], /1 to 32 of a-z/],
    [['test'], /Choose another name/],
    [['third', '--channels', '0'], /--channels takes a whole number from 1/],
    [['third', '--calls-per-second', '0.0'], /--calls-per-second takes a number above 0/],
    [['third', '--countries', 'RU,XX'], /--countries takes/],
    [['third', '--countries', '*,RU'], /--countries takes/],
    [['third', '--priority', '-1'], /--priority takes/],
    [['third', '--ring-seconds', '21'], /--ring-seconds takes a whole number from 1 to 20/],
    [['third', '--counts-early-media', 'maybe'], /--counts-early-media takes on or off/],
  ] as const
  await allRefused(refusals.map(([[name, ...args], sentence]) => [add(name, ...args), sentence]))

  await run('numbers', 'add-range', '--trunk', 'first', ...range('RU', '70000000000', '70000000099'))
  const sip = {
    address: '',
    transport: 'udp',
    user: null,
    outbound_registration: false,
    called_prefix: '',
    called_format: 'e164-no-plus',
  }
  const shown = {
    caller_format: 'e164-no-plus',
    caller_id_header: 'pai',
    from_user: null,
    inbound_format: 'e164',
    identity: 'pai',
    return_path: 'record',
    confirmed_calls: 0,
    unconfirmed_calls: 0,
    allows_relay: false,
    srtp: false,
    test: false,
    warnings: [],
    carrier: [],
  }
  const running = { state: 'on', all_stopped: false, stop_reason: null }
  const common = { ...running, channels: 30, calls_per_second: 2.5, ...sip, ...shown }
  const first = { trunk: 'first', ...common, priority: 10, countries: ['RU', 'KZ'], ring_seconds: 7 }
  const second = { trunk: 'second', ...common, priority: 200, countries: ['*'], ring_seconds: null }
  assert.deepEqual(await json('trunks', 'list'), [
    { ...first, counts_early_media: true, caller_numbers: 100 },
    { ...second, counts_early_media: false, caller_numbers: 0 },
  ])
  assert.match(
    (await run('trunks', 'list')).out,
    /^first +on +10 +RU,KZ +30 +2\.5 +7 +on +100 +udp, record until 100 confirmed.* no address$/m,
  )
  assert.deepEqual(await actionsLogged(), ['trunk added second', 'trunk added first', 'caller range added first'])
})

test('ranges never overlap, and coverage names the missing codes', async (t) => {
  const { run, json, actionsLogged } = await installation(t, databases[1])
  const add = (trunk: string, ...args: string[]) => run('numbers', 'add-range', '--trunk', trunk, ...args)
  assert.match((await run('numbers', 'coverage')).out, /There are no caller numbers yet/)
  assert.match((await add('one', ...range('RU', '70000000000', '70000009999'))).err, /Trunk one does not exist/)
  for (const name of ['one', 'other']) {
    await run('trunks', 'add', name, '--channels', '1', '--calls-per-second', '1')
  }

  // A gap of one code and one of many: 0500, and 6000 to 9999. 0000 is not needed.
  assert.match((await add('one', ...range('RU', '70000000001', '70000000499'))).out, /has 499 more caller numbers/)
  assert.equal((await add('other', ...range('RU', '70000010501', '70000015999'))).status, 0)
  const refusals = [
    [range('RU', '70000000499', '70000000600'), /Trunk one already has 70000000001 to 70000000499, for RU/],
    [range('KZ', '70000000100', '70000000100'), /Trunk one already has/],
    [range('RU', '70000000000', '70000020000'), /Trunk one already has/],
    [range('RU', '70000000700', '70000000600'), /--first \d+ is greater than --last/],
    [range('RU', '7000000070', '70000000800'), /the same number of digits/],
    [range('RU', '700000', '700001'), /--first takes 7 to 15 digits/],
    [range('RU', '+70000000700', '+70000000800'), /--first takes 7 to 15 digits/],
    [range('RU', '70000000700', '7000000070000000'), /--last takes 7 to 15 digits/],
    [range('XX', '70000000700', '70000000800'), /--country takes/],
    [range('*', '70000000700', '70000000800'), /--country takes/],
  ] as const
  await allRefused(refusals.map(([args, sentence]) => [add('other', ...args), sentence]))
  // Two overlapping ranges at the same time: one of them wins.
  const racing = await Promise.all(
    ['one', 'other'].map((trunk) => add(trunk, ...range('KZ', '76000000000', '76000000009'))),
  )
  assert.deepEqual(
    racing.map(({ status }) => status).toSorted((a, b) => a - b),
    [0, 1],
  )

  const russia = { country: 'RU', numbers: 5_998, codes: 5_998, missing: ['0500', '6000-9999'] }
  const kazakhstan = { country: 'KZ', numbers: 10, codes: 9, missing: ['0010-9999'] }
  assert.deepEqual(await json('numbers', 'coverage'), [kazakhstan, russia])
  assert.deepEqual(await json('numbers', 'coverage', '--country', 'RU'), [russia])
  assert.match((await run('numbers', 'coverage')).out, /^RU +5998 +5998 of 9999 +0500 6000-9999$/m)
  assert.deepEqual(await json('numbers', 'coverage', '--country', 'BY'), [
    { country: 'BY', numbers: 0, codes: 0, missing: ['0001-9999'] },
  ])
  assert.match((await run('numbers', 'coverage', '--country', 'ru')).err, /--country takes/)
  assert.equal((await actionsLogged()).length, 5)
})

test('confirmation numbers are added once, separate from caller IDs, and spread over the slots', async (t) => {
  const { run, json, actionsLogged, query } = await installation(t, inboundDatabase)
  const add = (...args: string[]) => run('numbers', 'add-inbound', '--trunk', 'one', ...args)
  assert.match((await add('--first', '70000100001')).err, /Trunk one does not exist/)
  await run('trunks', 'add', 'one', '--channels', '1', '--calls-per-second', '1')
  await run('numbers', 'add-range', '--trunk', 'one', ...range('RU', '70000000000', '70000000099'))
  const added = await json(
    'numbers',
    'add-inbound',
    '--trunk',
    'one',
    '--first',
    '70000100001',
    '--last',
    '70000100016',
  )
  assert.deepEqual(added, { trunk: 'one', first: 70000100001, last: 70000100016, numbers: 16 })
  assert.match((await add('--first', '70000100017')).out, /Trunk one has 1 more confirmation numbers/)
  const given = (await query('SELECT slot FROM confirmation_numbers ORDER BY number')).map(({ slot }) => Number(slot))
  assert.equal(new Set(given).size, 17)
  const lower = given.filter((slot) => slot < 32).length
  assert(lower >= 7 && lower <= 10, `${lower} of 17 are in the first of two databases`)
  await allRefused([
    [
      add('--first', '70000100016', '--last', '70000100020'),
      /70000100016 is already a confirmation number of trunk one/,
    ],
    [add('--first', '70000000099', '--last', '70000000100'), /70000000000 to 70000000099 are caller numbers/],
    [add('--first', '70000200002', '--last', '70000200001'), /--first \d+ is greater than --last/],
    [add('--first', '70000200000', '--last', '70000299999'), /at most 10000 can be added at once/],
    [add('--first', '+70000200000'), /--first takes 7 to 15 digits/],
    [
      run('numbers', 'add-range', '--trunk', 'one', ...range('RU', '70000100000', '70000100001')),
      /70000100001 is a confirmation number of trunk one/,
    ],
  ])
  assert.deepEqual((await actionsLogged()).slice(-2), [
    'confirmation numbers added one',
    'confirmation numbers added one',
  ])
})

test('seed demo creates what is missing; a second run changes nothing', async (t) => {
  const { run, json, actionsLogged, query } = await installation(t, databases[2])
  // An existing price stays; a future price counts as none.
  const price = (...args: string[]) => run('tariffs', 'set', '--method', 'initCall', ...args)
  assert.equal((await price('--mode', 'voice', '--price', '9')).status, 0)
  assert.equal((await price('--mode', 'mix', '--price', '9', '--from', '2099-01-01')).status, 0)

  const made = { trunks: 1, caller_ranges: 2, confirmation_numbers: 20, prices: 5, registries: 0 }
  const nothing = { trunks: 0, caller_ranges: 0, confirmation_numbers: 0, prices: 0, registries: 0 }
  const both = await Promise.all([seed(json), seed(json)])
  assert.deepEqual(
    both.toSorted((one, other) => other.trunks - one.trunks),
    [made, nothing],
  )
  const logged = await actionsLogged()
  assert.equal(logged.length, 2 + 1 + 2 + 20 + 5)
  assert.match((await run('seed', 'demo')).out, /All demo data is already there/)
  assert.deepEqual(await actionsLogged(), logged)

  assert.deepEqual(await json<Coverage[]>('numbers', 'coverage'), [
    { country: 'KZ', numbers: 10_000, codes: 9_999, missing: [] },
    { country: 'RU', numbers: 10_000, codes: 9_999, missing: [] },
  ])
  const prices = await query(
    `SELECT concat_ws(' ', method, mode, country, price / 10000) AS line FROM tariff_prices
     WHERE valid_from <= clock_timestamp()`,
  )
  assert.deepEqual(prices.map(({ line }) => String(line)).toSorted(), [
    'checkPhone  * 5',
    'inboundCallWaiting  * 30',
    'initCall flash KZ 60',
    'initCall flash RU 40',
    'initCall mix RU 150',
    'initCall voice * 900',
  ])
  const confirmation = await query('SELECT number, slot FROM confirmation_numbers ORDER BY number')
  assert.equal(new Set(confirmation.map(({ slot }) => slot)).size, 20)
  assert.equal(confirmation.filter(({ slot }) => Number(slot) < 32).length, 10)

  // No seeded number can belong to a person.
  const ranges = await query('SELECT first_number, last_number FROM caller_ranges')
  const callers = ranges.flatMap((row) =>
    Array.from({ length: 10_000 }, (_, index) => Number(row['first_number']) + index),
  )
  for (const number of [...callers, ...confirmation.map((row) => row['number'])]) {
    assert.equal(parsePhoneNumberFromString(`+${String(number)}`)?.isValid(), false, String(number))
  }
})

test('seed demo names the conflict and rolls back', async (t) => {
  const { run, actionsLogged } = await installation(t, databases[3])
  await run('trunks', 'add', 'mine', '--channels', '1', '--calls-per-second', '1')
  await run('numbers', 'add-range', '--trunk', 'mine', ...range('KZ', '76000000005', '76000000006'))
  assert.match((await run('seed', 'demo')).err, /Trunk mine already has 76000000005 to 76000000006, for KZ/)
  assert.equal((await actionsLogged()).length, 2)
})

test('a verification is shown in plain words', async (t) => {
  const { environment, run, json } = await installation(t, progressDatabase)
  const account = await json<{ account_id: AccountId }>(
    'accounts',
    'create',
    '--email',
    'owner@example.org',
    '--balance',
    '100',
  )
  const service = await json<{ service_id: ServiceId }>(
    'services',
    'create',
    '--account',
    String(account.account_id),
    '--name',
    'Shop',
  )
  const recordKeys = readSecrets(environment['RINGPROOF_SECRETS_DIR'])['seal-records']
  const person = { phoneMask: '7900***0180', client: '', unique: undefined }
  const sealed = sealPerson(recordKeys, service.service_id, person, randomBytes(nonceBytes))
  const id = await placed(slots.globalDatabase, account.account_id, service.service_id, sealed)

  const said = await run('verifications', 'show', String(id))
  assert.equal(said.err, '')
  const printed =
    /^Verification (\d+) of service (\d+) to 7900\*\*\*0180 \(voice, RU\): accepted 20[\dT:-]+Z, (.*)\n(.*)\n$/.exec(
      said.out,
    )
  assert.deepEqual(printed?.slice(1, 3), [String(id), String(service.service_id)])
  assert.match(
    printed?.[3] ?? '',
    /^dialled over demo from 70000000017 \(attempt 1\), rang after \d+\.\d s, the code was spoken, charged RUB 0\.80\.$/,
  )
  const shown = await json<Record<string, unknown>>('verifications', 'show', String(id))
  assert.deepEqual(
    [shown['vendor_id'], shown['state'], shown['reason'], shown['charged'], shown['caller_number']],
    [id, 'succeeded', 'spoken', 0.8, 70_000_000_017],
  )
  const [description, cause, atFault, advice] = ['description', 'cause', 'at_fault', 'advice'].map((name) =>
    String(shown[name]),
  )
  assert.equal(`${description}\n${cause} At fault: ${atFault}. ${advice}\n`, said.out)
  assert.equal(atFault, 'nobody')
  assert.equal('code' in shown, false)

  assert.match((await run('verifications', 'show', '1')).err, /Verification 1 does not exist/)
  const wrong = ['0', 'x', '1.5', '9007199254740993']
  const sentence = /Invalid verification ID/
  await allRefused(wrong.map((text) => [run('verifications', 'show', text), sentence]))
})

// A voice call that succeeded.
async function placed(
  session: Parameters<typeof acceptCalls>[0],
  accountId: AccountId,
  serviceId: ServiceId,
  personSealed: Buffer,
): Promise<VerificationId> {
  const voice = { mode: 'voice', personSealed, code: '4821', price: 800_000 as MicroAmount, trunk: 'demo' } as const
  const request = callRequest({ accountId, serviceId }, { ...voice, callerNumber: 70_000_000_017 })
  const [accepted] = await acceptCalls(session, [request], 1)
  const id = accepted?.id
  assert(id, `the call was not accepted: ${accepted?.decision}`)
  const attempt = { id, attempt: 1 }
  const [claimed] = await claimCalls(session, [{ ...attempt, trunk: 'demo', callerNumber: 70_000_000_017, token: 1 }])
  assert(claimed)
  await noteRang(session, [attempt])
  const end = {
    succeeded: true,
    reason: 'spoken',
    sipStatus: undefined,
    numberHashes: undefined,
    numberLeaseId: undefined,
  }
  assert.deepEqual(await endCalls(session, [{ ...attempt, ...end }]), [true])
  return id
}

function seed(json: Cli['json']): Promise<{ trunks: number }> {
  return json('seed', 'demo')
}

async function allRefused(answers: readonly (readonly [Promise<Said>, RegExp])[]): Promise<void> {
  await Promise.all(
    answers.map(async ([response, sentence]) => {
      const { status, err } = await response
      assert.equal(status, 1)
      assert.match(err, sentence)
    }),
  )
}

function range(country: string, first: string, last: string): string[] {
  return ['--country', country, '--first', first, '--last', last]
}

async function installation(t: Parameters<typeof temporaryDirectory>[0], database: TestDatabase | undefined) {
  assert(database)
  const { url, ownerUrl } = database
  const environment = { RINGPROOF_DATABASE_URL: url, RINGPROOF_SECRETS_DIR: temporaryDirectory(t) }
  const actor = { address: 'cli', userAgent: 'test', operator: 'tester' }
  const { run, json } = createCli(environment, { actor })
  const query = async (sql: string): Promise<readonly Record<string, unknown>[]> =>
    asOwner(async (client) => (await client.query<Record<string, unknown>>(sql)).rows, ownerUrl)
  // Each action with its account or none; all of them by CLI.
  const actionsLogged = async () => {
    const rows = await query(
      `SELECT action || coalesce(' ' || coalesce(details ->> 'trunk', details ->> 'name'), '') AS line,
         account_id IS NULL AND operator <> '' AS is_operators FROM action_log ORDER BY id`,
    )
    assert(rows.every((row) => row['is_operators']))
    return rows.map(({ line }) => line)
  }
  await run('setup')
  return { environment, run, json, query, actionsLogged }
}
