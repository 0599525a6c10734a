// Traffic leaves a trunk that rings fewer phones than usual and returns; operators see it, take it back, pin it and switch the automation
// off, by the command line and the internal API. The figures are written here, in the place of telephony nodes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOperatorActions } from '../../server/src/db/core/action-log.ts'
import { addRouteCounts } from '../../server/src/db/trunks/switch-over.ts'
import { slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { operatorAs } from '../support/web/people.ts'

const timeScale = 0.02
const phones = await installPhones(timeScale)
const { globalDatabase, databaseOf } = phones.slots
const { base } = await serve(phones, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
const cli = createCli({ ...phones.environment, RINGPROOF_PUBLIC_URL: base })
const service = await makeService(phones, 10_000)
const admin = await operatorAs(base, cli, 'admin')

const active = async () => (await admin.call('switch-overs')).switchOvers.find(({ endedAt }) => endedAt === null)

// Calls to Russia without a known provider, as telephony nodes report them.
const report = (trunk: string, dialled: number, rang: number) =>
  addRouteCounts(globalDatabase, [{ country: 'RU', provider: '', trunk, dialled, rang }], timeScale)

async function setUsual(rang: number): Promise<void> {
  await globalDatabase.query(
    `INSERT INTO route_usuals VALUES ('RU', '', 'first', 1000, $1, clock_timestamp())
     ON CONFLICT (country, provider, trunk) DO UPDATE SET (dialled, rang, counted_to) = ROW (1000, $1, clock_timestamp())`,
    [rang],
  )
}

// Reports until traffic is moved from the first trunk to the second.
async function moveTraffic(): Promise<number> {
  await setUsual(930)
  const moved = await poll(
    'the traffic to move',
    async () => {
      await report('first', 20, 8)
      if ((await active())?.phase === 'trial') await report('second', 20, 19)
      return active()
    },
    (one) => one?.phase === 'moved',
  )
  return moved?.id ?? 0
}

async function firstTrunks(count: number): Promise<Readonly<Record<string, number>>> {
  const trunks = Array.from({ length: count }, async () => {
    const { json } = await ask(`${base}/v1.0/initCall?phone=${freshNumber('180')}`, { headers: service.bearer })
    const { rows } = await databaseOf(slotOfAccount(service.accountId)).query<{ trunk: string }>(
      'SELECT trunk FROM verifications WHERE id = $1',
      [json['vendor_id']],
    )
    return rows[0]?.trunk ?? 'none'
  })
  return Object.fromEntries(
    [...Map.groupBy(await Promise.all(trunks), (trunk) => trunk)].map(([trunk, of]) => [trunk, of.length]),
  )
}

async function forget(): Promise<void> {
  for (const table of ['switch_overs', 'route_minutes', 'route_usuals'])
    await globalDatabase.query(`DELETE FROM ${table}`)
}

test('traffic moves with its figures, most calls follow, it is explained, and it returns after recovery', async () => {
  const id = await moveTraffic()
  const moved = await active()
  assert.deepEqual([moved?.from, moved?.to, moved?.country, moved?.provider], ['first', 'second', 'RU', ''])
  assert(Number(moved?.fromCount.rang) / Number(moved?.fromCount.dialled) < 0.5)
  assert(Number(moved?.toCount.rang) / Number(moved?.toCount.dialled) > 0.9)

  const trunks = await poll(
    'calls to follow',
    () => firstTrunks(40),
    ({ second = 0 }) => second > 20,
  )
  assert(Number(trunks['second']) > 20, JSON.stringify(trunks))
  const said = await admin.call('explain-route', {
    phone: freshNumber('180'),
    mode: 'flash',
    code: '',
    serviceId: null,
  })
  assert.deepEqual(
    [said.trunk, said.switchOver?.id, said.trunks.map(({ name }) => name)],
    ['second', id, ['second', 'first']],
  )
  const explained = await cli.run('routes', 'explain', freshNumber('180'))
  assert.match(explained.out, /goes out over trunk second/)
  assert.match(explained.out, /moved from first to second at .*: ring-through \d+ % against \d+ %/)

  await poll(
    'the traffic to return',
    async () => {
      await report('first', 4, 4)
      return active()
    },
    (one) => one === undefined,
  )
  const [past] = (await admin.call('switch-overs')).switchOvers
  assert.deepEqual([past?.id, past?.end], [id, 'recovered'])
  assert((past?.endedAt ?? 0) - (past?.movedAt ?? 0) >= 600_000 * timeScale, 'not before ten minutes')
  const log = await readOperatorActions(globalDatabase, { countMax: 10 })
  assert.deepEqual(
    log.filter(({ who }) => who === 'automatic').map(({ action }) => action),
    ['traffic moved back', 'traffic moved'],
  )
})

test('an operator takes traffic back: it is audited, and is not moved again', async () => {
  await forget()
  const id = await moveTraffic()
  await admin.call('take-back-switch-over', { id })
  assert.equal(await active(), undefined)
  const [taken] = await readOperatorActions(globalDatabase, { countMax: 1 })
  assert(taken)
  assert.equal(taken.action, 'switch-over taken back')
  assert.match(taken.who, /@example\.org$/)
  assert.deepEqual(taken?.details['after'], { trunk: 'first' })
  for (let round = 0; round < 4; round++) {
    await report('first', 40, 4)
    await evaluated()
  }
  assert.equal(await active(), undefined)
  await assert.rejects(admin.call('take-back-switch-over', { id }), /not-found/)
})

test('pinned, traffic stays after recovery; unpinned, it returns', async () => {
  await forget()
  const id = await moveTraffic()
  await admin.call('pin-switch-over', { id, isPinned: true })
  for (let round = 0; round < 14; round++) {
    await report('first', 10, 10)
    await evaluated()
  }
  assert.deepEqual([(await active())?.id, (await active())?.isPinned], [id, true])
  const listed = await cli.run('routes', 'switch-overs')
  assert.match(listed.out, new RegExp(`^${id}: unknown provider \\(RU\\): moved from first to second .*, pinned$`, 'm'))
  await admin.call('pin-switch-over', { id, isPinned: false })
  await poll(
    'the traffic to return',
    async () => {
      await report('first', 4, 4)
      return active()
    },
    (one) => one === undefined,
  )
  const actions = await readOperatorActions(globalDatabase, { countMax: 3 })
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['traffic moved back', 'switch-over unpinned', 'switch-over pinned'],
  )
})

test('switched off, nothing moves; a trunk that is switched off gives its traffic back', async () => {
  await forget()
  await moveTraffic()
  await cli.run('routes', 'automation', 'off')
  assert.equal(await active(), undefined)
  for (let round = 0; round < 4; round++) {
    await report('first', 40, 4)
    await evaluated()
  }
  assert.equal(await active(), undefined)
  await admin.call('set-switch-over', { isOn: true })
  await forget()
  const id = await moveTraffic()
  await admin.call('use-trunk', { name: 'second', use: 'off' })
  await poll('the traffic to return', active, (one) => one === undefined)
  const { switchOvers } = await admin.call('switch-overs')
  assert.equal(switchOvers.find((one) => one.id === id)?.end, 'trunk-lost')
  await admin.call('use-trunk', { name: 'second', use: 'on' })
})

async function evaluated(): Promise<void> {
  const before = await evaluatedAt()
  await poll('an evaluation', evaluatedAt, (at) => at > before)
}

async function evaluatedAt(): Promise<number> {
  const { rows } = await globalDatabase.query<{ at: Date }>('SELECT evaluated_at AS at FROM switch_over_control')
  return rows[0]?.at.getTime() ?? 0
}
