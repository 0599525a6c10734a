// A test of a service's settings says what a real call start gets: the same code and the same sentence, for a table of settings
// and numbers, over one database and over two, with the rights of the role `web`. And it leaves no trace.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { refusals } from '@ringproof/contract/errors.ts'
import { createService, setService } from '../../server/src/actions/accounts/services.ts'
import { addOptOut } from '../../server/src/actions/protection/opt-outs.ts'
import { resumeAllTrunks, stopAllTrunks } from '../../server/src/actions/protection/stop-calls.ts'
import { type TestedStart, testSettings } from '../../server/src/actions/verifications/try-start.ts'
import { createSlotMap } from '../../server/src/db/core/slot-map.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import type { SettingTexts } from '../../server/src/domain/accounts/service-changes.ts'
import { type Slot, slotsAll } from '../../server/src/domain/core/slot.ts'
import { emptyNumberingIndex } from '../../server/src/domain/numbers/numbering-index.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import { refusalSentence } from '../../server/src/process/errors.ts'
import { namedKeys, readSecrets } from '../../server/src/process/secrets.ts'
import { atEnd } from '../support/at-end.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { type Installation, makeService, serve, type TestService } from '../support/process/server.ts'

const fast = 0.05
const actor = { address: 'test', userAgent: '' }
const ownAddress = '198.51.100.7'

type Mode = 'flash' | 'voice' | 'mix'
type Start = { readonly phone: string; readonly mode?: Mode }
type World = Awaited<ReturnType<typeof createWorld>>

async function createWorld(shards: 1 | 2, timeScale = fast) {
  const installation = await installPhones(timeScale, shards)
  const { base } = await serve(installation, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
  const keys = namedKeys(readSecrets(installation.environment['RINGPROOF_SECRETS_DIR'] ?? ''))
  const slots = webSlots(installation)
  atEnd(() => slots.close())
  const deps = {
    slots,
    keys,
    numbers: () => emptyNumberingIndex,
    randomBytes,
    prefixHourMax: undefined,
    timeScale,
  }
  const tested = (service: TestService, { phone, mode = 'flash' }: Start, texts: SettingTexts = {}) =>
    testSettings(deps, { serviceId: service.serviceId, texts, phone, address: ownAddress, mode })
  const started = async (service: TestService, { phone, mode = 'flash' }: Start) => {
    const wanted = mode === 'flash' ? '' : `&${mode}=true`
    const headers = { ...service.bearer, 'x-forwarded-for': ownAddress }
    const { json } = await ask(`${base}/v1.0/initCall?phone=${encodeURIComponent(phone)}${wanted}`, { headers })
    return json['status'] === true ? accepted : `${String(json['code'])} ${String(json['error'])}`
  }
  return { installation, keys, slots, base, tested, started }
}

// With the rights of the role that serves the pages.
function webSlots({ environment, database }: Installation) {
  const written = environment['RINGPROOF_SHARD_URLS']
  const [low = database.url, high = low] = written?.split(' ').map((part) => part.replace(/^[\d-]+=/, '')) ?? []
  const urls = new Map<Slot, string>(slotsAll.map((slot) => [slot, slot < 32 ? low : high]))
  return createSlotMap(urls, undefined, 'web')
}

const accepted = 'accepted'

function saidBy({ refusal }: TestedStart): string {
  if (!refusal) return accepted
  return `${codeOf(refusal)} ${refusalSentence(refusal, 'en')}`
}

function codeOf(refusal: NonNullable<TestedStart['refusal']>): number {
  return refusals[refusal.refusal].code
}

// Settings, and the code that a flash call to a Russian number gets with them.
const table: readonly [SettingTexts, number | undefined][] = [
  [{}, undefined],
  [{ state: 'off' }, 4],
  [{ state: 'archived' }, 1004],
  [{ addresses: '203.0.113.0/24' }, 1003],
  [{ addresses: `203.0.113.0/24,${ownAddress}` }, undefined],
  [{ geography: 'KZ,GB' }, 9],
  [{ geography: '' }, 9],
  [{ geography: 'RU,KZ,GB,UZ' }, undefined],
  [{ modes: 'voice,inbound' }, 20],
  [{ modes: 'inbound' }, 20],
  [{ 'test-numbers': 'off' }, undefined],
  [{ 'quiet-hours': '00:00-23:59', 'time-zone': 'Europe/Moscow' }, 50],
  [{ 'verifications-hour-max': '0' }, 50],
  [{ 'verifications-day-max': '0' }, 50],
  [{ 'verifications-day-max': '2' }, undefined],
  [{ 'spend-day-max': '0.39' }, 50],
  [{ 'spend-day-max': '1.3' }, undefined],
  [{ 'prefix-hour-max': '0' }, 50],
  [{ 'calls-per-number-10-minutes': '1', 'calls-per-number-day': '1' }, undefined],
]

let kazakh = 0

// Fresh ones for each row: a call uses up limits, and a cooldown that ends between a test and a start would separate them.
function numbersOf(): readonly Start[] {
  return [
    { phone: freshNumber('180') },
    { phone: freshNumber('180'), mode: 'voice' },
    { phone: freshNumber('180'), mode: 'mix' },
    { phone: `7701555${String(kazakh++).padStart(4, '0')}`, mode: 'voice' },
    { phone: `7701555${String(kazakh++).padStart(4, '0')}`, mode: 'mix' },
    { phone: '79000000001' },
    { phone: '79000001113' },
    { phone: '442079460018', mode: 'voice' },
    { phone: '442079460018' },
    { phone: '998712000000' },
    { phone: '78095550180' },
    { phone: '89075550180' },
    { phone: '+12' },
    { phone: '7 907' },
  ]
}

for (const shards of [1, 2] as const) {
  const world = await createWorld(shards)

  test(`for every setting and number a test says what the start gets, over ${shards} database(s)`, async () => {
    for (const [texts, code] of table) {
      const service = await makeService(world.installation)
      const starts = numbersOf()
      const drafted = await Promise.all(starts.map((start) => world.tested(service, start, texts)))
      if (Object.keys(texts).length > 0)
        await setService(world.installation, actor, { serviceId: service.serviceId, texts })
      const [first] = drafted
      assert.equal(first?.drafted.refusal && codeOf(first.drafted.refusal), code, JSON.stringify(texts))
      assert.equal(saidBy(first?.saved as TestedStart), accepted)
      for (const [at, start] of starts.entries()) {
        const name = `${JSON.stringify(texts)} ${start.phone} ${start.mode ?? 'flash'}`
        const { saved } = await world.tested(service, start)
        const draft = drafted[at]?.drafted as TestedStart
        // A cap fills up while the row goes on; the draft was tested before.
        if (!('verifications-day-max' in texts) && !('spend-day-max' in texts))
          assert.equal(saidBy(draft), saidBy(saved), `${name}, not saved`)
        assert.equal(saidBy(saved), await world.started(service, start), name)
      }
    }
  })

  test(`limits of a number, opt-out, money, account and kill switch, over ${shards} database(s)`, () =>
    checkStates(world))
}

async function checkStates({ installation, keys, tested, started }: World): Promise<void> {
  const same = async (service: TestService, start: Start, code: number | undefined) => {
    const { saved } = await tested(service, start)
    assert.equal(saved.refusal && codeOf(saved.refusal), code)
    assert.equal(saidBy(saved), await started(service, start))
    return saved
  }
  const limited = await makeService(installation)
  const once = { 'calls-per-number-10-minutes': '1' }
  await setService(installation, actor, { serviceId: limited.serviceId, texts: once })
  const start = { phone: freshNumber('180') }
  await same(limited, start, undefined)
  // The call ends and the cooldown passes.
  const over = await poll(
    'the cooldown to pass',
    async () => (await tested(limited, start)).saved,
    ({ refusal }) => refusal?.refusal !== 'numberCooldown',
  )
  assert.deepEqual(over.settings, ['calls-per-number-10-minutes'])
  await same(limited, start, 18)
  // With the limit raised, and not saved.
  const { drafted } = await tested(limited, start, { 'calls-per-number-10-minutes': '2' })
  assert.equal(saidBy(drafted), accepted)

  const optedOut = { phone: freshNumber('180') }
  const optOutDeps = { slots: installation.slots, slotKeys: keys.phoneSlot }
  await addOptOut(optOutDeps, actor, optedOut.phone as PhoneNumber)
  await same(await makeService(installation), optedOut, 3)

  const poor = await makeService(installation, 0.3)
  const { rules } = await same(poor, { phone: freshNumber('180') }, 1002)
  assert.equal(rules.find(({ state }) => state === 'refused')?.rule, 'money')
  const database = (service: TestService) => installation.slots.databaseOf((service.accountId % 64) as Slot)
  for (const [column, code] of [
    ['must_verify_phone = true', 1005],
    ['blocked_at = clock_timestamp()', 1001],
  ] as const) {
    const service = await makeService(installation)
    await database(service).query(`UPDATE accounts SET ${column} WHERE id = $1`, [service.accountId])
    await same(service, { phone: freshNumber('180') }, code)
  }
  const owner = await makeService(installation)
  const made = { ...installation, randomBytes, newServiceCaps: noCaps }
  const own = await createService(made, actor, { accountId: owner.accountId, name: 'Tests', isTest: true })
  const testService = { ...owner, ...own, bearer: { authorization: `Bearer ${own.key}.${own.serviceId}` } }
  await same(testService, { phone: freshNumber('180') }, 3)
  await same(testService, { phone: '79000000001' }, undefined)

  await stopAllTrunks(installation, actor, { reason: 'a test' })
  const stopped = await makeService(installation)
  // The API reads the switch twice a second.
  await poll(
    'the API to stop',
    () => started(stopped, { phone: freshNumber('180') }),
    (said) => said.startsWith('5 '),
  )
  await same(stopped, { phone: freshNumber('180') }, 5)
  await resumeAllTrunks(installation, actor)
}

test('a test leaves no row, no money and no count behind', async () => {
  // In real time, so that the cooldown outlasts the test.
  const { installation, tested, started } = await createWorld(1, 1)
  const service = await makeService(installation)
  const called = { phone: freshNumber('180') }
  assert.equal(await started(service, called), accepted)
  const cooling = (await tested(service, called)).saved
  assert.equal(cooling.refusal?.refusal, 'numberCooldown')
  assert.equal(saidBy(cooling), await started(service, called))
  const start = { phone: freshNumber('180') }
  await poll(
    'the call to end',
    async () => countActive(installation),
    (active) => active === 0,
  )
  const before = await everyRow(installation)
  for (let n = 0; n < 3; n++) assert.equal(saidBy((await tested(service, start)).saved), accepted)
  const poor = await tested(service, start, { 'spend-day-max': '0' })
  assert.deepEqual(poor.drafted.settings, ['spend-day-max'])
  assert.deepEqual(await everyRow(installation), before)
})

async function countActive({ slots }: Installation): Promise<number> {
  const { rowCount } = await slots.globalDatabase.query(`SELECT FROM verifications WHERE ended_at IS NULL`)
  return rowCount ?? 0
}

// Everything that an accepted call would change.
async function everyRow({ database }: Installation): Promise<unknown> {
  const tables = ['verifications', 'ledger', 'subscriber_numbers', 'service_usage', 'prefix_usage', 'accounts']
  return asOwner(async (client) => {
    const rows: unknown[] = []
    for (const name of tables) rows.push((await client.query(`SELECT * FROM ${name}`)).rows)
    return rows
  }, database.ownerUrl)
}
