// Statistics are exact: hours, minutes and the open tail together equal a plain GROUP BY over the verifications.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { insertSeed, prepareSeed } from '../../scripts/seed/traffic.ts'
import { readNetworkCounts } from '../../server/src/db/trunks/network-counts.ts'
import { type CountFilter, countCalls, readCounts } from '../../server/src/db/verifications/call-counts.ts'
import { firstIdOfSecond } from '../../server/src/domain/core/slot.ts'
import { hourSeconds } from '../../server/src/domain/values/time.ts'
import { type CallCount, type CountKey, ringDelaySteps } from '../../server/src/domain/verifications/call-counts.ts'
import { readSecrets } from '../../server/src/process/secrets.ts'
import { asOwner } from '../support/database/test-database.ts'
import { install, makeService } from '../support/process/server.ts'

const installation = await install()
const { slots, database, environment } = installation
const shard = slots.globalDatabase
const services = [await makeService(installation), await makeService(installation), await makeService(installation)]
const keys = readSecrets(environment['RINGPROOF_SECRETS_DIR'] ?? '')
const [first] = services
assert(first)

const nowSecond = Math.floor(Date.now() / 1_000)
// Three hours of which the last is not over.
const fromSecond = (Math.floor(nowSecond / hourSeconds) - 2) * hourSeconds
const filter: CountFilter = {
  accountId: first.accountId,
  from: new Date(fromSecond * 1_000),
  until: new Date((fromSecond + 4 * hourSeconds) * 1_000),
  isTest: false,
}

const groups: readonly (readonly CountKey[])[] = [
  [],
  ['hour'],
  ['day', 'state'],
  ['weekday', 'hourOfDay'],
  ['provider', 'trunk'],
  ['mode', 'country', 'service'],
  ['reason'],
]

test('counts equal a GROUP BY before, between and after minutes and hours are closed', async () => {
  await seed(fromSecond, 2 * hourSeconds + 1_200, 1, 6_000)
  await assertEqual('nothing is counted')
  await sweepTo(fromSecond + 1_800)
  assert.equal(await countCalls(shard, 10), 10)
  await assertEqual('ten minutes are counted')
  assert.equal(await countCalls(shard, 100), 20)
  assert.equal(await countCalls(shard, 100), 0)
  await sweepTo(fromSecond + 2 * hourSeconds + 600)
  assert.equal(await countCalls(shard, 1_000), 100)
  await assertEqual('two hours are folded, ten minutes are not')
  assert.equal(await rowsOf(`SELECT count(DISTINCT hour)::integer AS value FROM call_hours`), 2)
  assert.equal(await rowsOf(`SELECT count(DISTINCT minute)::integer AS value FROM call_minutes`), 10)
  await seed(fromSecond + 2 * hourSeconds + 1_200, 600, 10_001, 500)
  await assertEqual('more calls have come')
  assert.equal(
    (await readCounts(shard, { ...filter, isTest: true }, [], 'UTC'))[0]?.calls,
    await rowsOf(
      `SELECT count(*)::integer AS value FROM verifications WHERE is_test AND account_id = ${first.accountId}`,
    ),
  )
})

test('an open inbound verification keeps its minute open, and what follows', async () => {
  const at = fromSecond + 2 * hourSeconds + 900
  const before = await rowsOf('SELECT counted_to AS value FROM call_count_marks')
  await owner(
    `UPDATE verifications SET state = 'accepted', ended_at = NULL, reason = NULL WHERE id = (
       SELECT min(id) FROM verifications WHERE id >= ${firstIdOfSecond(at)} AND mode = 'inbound')`,
  )
  await sweepTo(at + 1_200)
  await countCalls(shard, 1_000)
  const counted = await rowsOf('SELECT counted_to AS value FROM call_count_marks')
  assert(counted >= before && counted < firstIdOfSecond(at + 300), `counted to ${counted}`)
  await assertEqual('one is open')
  await owner(
    `UPDATE verifications SET state = 'failed', ended_at = now(), reason = 'not-called' WHERE state = 'accepted'`,
  )
  await countCalls(shard, 1_000)
  await assertEqual('it is over')
})

test('the steps of the time until ringing are the same in SQL', async () => {
  const { rows } = await shard.query<{ steps: number[] }>('SELECT ring_delay_steps() AS steps')
  assert.deepEqual(rows[0]?.steps, [...ringDelaySteps])
})

async function seed(from: number, seconds: number, firstRow: number, count: number): Promise<void> {
  await asOwner(async (client) => {
    await prepareSeed(client, services, {
      recordKeys: keys['seal-records'],
      tenantKeys: keys['phone-tenant'],
      randomBytes,
    })
    await insertSeed(client, 'verifications', { fromSecond: from, seconds, first: firstRow, count }, services.length)
  }, database.ownerUrl)
}

async function sweepTo(second: number): Promise<void> {
  await owner(`UPDATE sweep_marks SET from_id = ${firstIdOfSecond(second)}`)
}

// Over all accounts, without tests.
async function assertNetworkEqual(when: string): Promise<void> {
  const counted = await readNetworkCounts(shard, filter.from, filter.until)
  const { rows } = await shard.query<Record<string, unknown>>(
    `SELECT (extract(epoch FROM to_timestamp(((id >> 23) / 3600) * 3600 + id_epoch())) * 1000)::float8 AS "hourMs",
       coalesce(phone_info ->> 'mnp', '') AS provider, coalesce(trunk, '') AS trunk, mode::text AS mode, count(*)::float8 AS calls,
       count(dialled_at)::float8 AS dialled,
       (count(*) FILTER (WHERE rang_at IS NOT NULL OR post_dial_ms IS NOT NULL))::float8 AS rang,
       (count(*) FILTER (WHERE state = 'succeeded'))::float8 AS succeeded
     FROM verifications WHERE NOT is_test GROUP BY 1, 2, 3, 4`,
  )
  const line = (row: object) => JSON.stringify(Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  assert.deepEqual(counted.map(line).toSorted(), rows.map(line).toSorted(), when)
}

async function assertEqual(when: string): Promise<void> {
  await assertNetworkEqual(when)
  for (const by of groups) {
    for (const zone of ['UTC', 'Asia/Yekaterinburg']) {
      const counted = await readCounts(shard, filter, by, zone, true)
      assert.deepEqual(sorted(counted), sorted(await plainCounts(by, zone)), `${when}: by ${by.join()} in ${zone}`)
    }
  }
}

function sorted(counts: readonly CallCount<CountKey>[]): readonly string[] {
  const lines = counts.map((count) =>
    JSON.stringify(Object.entries(count).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  )
  return lines.toSorted()
}

// Written apart from the counts on purpose: nothing of theirs is used.
async function plainCounts(by: readonly CountKey[], zone: string): Promise<readonly CallCount<CountKey>[]> {
  const expressions: Readonly<Record<CountKey, string>> = {
    hour: `extract(epoch FROM date_trunc('hour', accepted_at)) * 1000`,
    day: `extract(epoch FROM date_trunc('day', accepted_at, '${zone}')) * 1000`,
    weekday: `extract(isodow FROM accepted_at AT TIME ZONE '${zone}')`,
    hourOfDay: `extract(hour FROM accepted_at AT TIME ZONE '${zone}')`,
    service: 'service_id',
    mode: 'mode',
    country: 'country',
    provider: `coalesce(phone_info ->> 'mnp', '')`,
    trunk: `coalesce(trunk, '')`,
    state: 'state',
    reason: `coalesce(reason, '')`,
  }
  const numbers = new Set<CountKey>(['hour', 'day', 'weekday', 'hourOfDay', 'service'])
  const columns = by.map((key) => `(${expressions[key]})::${numbers.has(key) ? 'float8' : 'text'} AS "${key}", `)
  const delays = [0, ...ringDelaySteps].map((from, step) => {
    const to = ringDelaySteps[step]
    return `count(*) FILTER (WHERE post_dial_ms >= ${from} ${to === undefined ? '' : `AND post_dial_ms < ${to}`})::float8`
  })
  const { rows } = await shard.query<CallCount<CountKey>>(
    `SELECT ${columns.join('')} count(*)::float8 AS calls, count(dialled_at)::float8 AS dialled,
       count(post_dial_ms)::float8 AS rang, count(first_id)::float8 AS repeats,
       count(*) FILTER (WHERE state = 'succeeded')::float8 AS succeeded,
       count(*) FILTER (WHERE state = 'failed')::float8 AS failed,
       coalesce(sum(price) FILTER (WHERE state = 'succeeded'
         OR charges_failed AND reason IN ('refused', 'no-ringing')), 0)::float8 AS charged,
       ARRAY[${delays.join(', ')}] AS "ringDelays"
     FROM verifications WHERE account_id = $1 AND NOT is_test
     ${by.length === 0 ? '' : `GROUP BY ${by.map((_, index) => index + 1).join()}`}`,
    [first?.accountId],
  )
  return rows
}

async function owner(sql: string): Promise<void> {
  await asOwner((client) => client.query(sql), database.ownerUrl)
}

async function rowsOf(sql: string): Promise<number> {
  const { rows } = await shard.query<{ value: number }>(sql)
  return Number(rows[0]?.value)
}
