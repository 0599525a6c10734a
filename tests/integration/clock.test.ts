// Clock jumps: of PostgreSQL, which IDs, limits and deadlines depend on, and of a process, which nothing may depend on.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { forgetNumbers, makePartitions } from '../../server/src/db/core/housekeeping.ts'
import { daySeconds } from '../../server/src/domain/values/time.ts'
import { createPrivatePostgres } from '../support/database/private-postgres.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { createReceiverToTheEnd, verified } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { ringproof } from '../support/process/cli.ts'
import { createMovedClock } from '../support/process/moved-clock.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'

const databaseClock = createMovedClock('database-clock')
const processClock = createMovedClock('process-clock')
const launcher = ['env', ...Object.entries(databaseClock.environment).map(([name, value]) => `${name}=${value}`)]
const own = await createPrivatePostgres(launcher)
const timeScale = 0.1
const installation = await installPhones(timeScale, 1, {}, own)
// Prices must be in force for a clock that is behind, too.
await asOwner(
  (client) => client.query(`UPDATE tariff_prices SET valid_from = valid_from - interval '1 day'`),
  own.ownerUrl,
)
const { base, metrics, output } = await serveProcess(installation, processClock.environment)
const service = await makeService(installation)
const receiver = await createReceiverToTheEnd()
const database = installation.slots.globalDatabase

const post = (method: string, body: unknown) =>
  ask(`${base}/v1.0/${method}`, { method: 'POST', headers: service.bearer, body })
const start = (phone = freshNumber('180')) => post('initCall', { phone })
const confirm = (...options: string[]) => ringproof(installation.environment, 'ids', 'confirm-clock', ...options)

async function said(text: string): Promise<void> {
  await poll(`the log line "${text}"`, output, (log) => log.includes(text))
}

async function gauge(name: string): Promise<number> {
  const text = await (await fetch(metrics)).text()
  return Number(new RegExp(`^${name}\\{database="0"\\} (\\S+)$`, 'm').exec(text)?.[1])
}

async function rowCounts(): Promise<unknown> {
  const { rows } = await database.query(
    `SELECT (SELECT count(*) FROM verifications) AS verifications, (SELECT count(*) FROM ledger) AS ledger,
       (SELECT count(*) FROM idempotency_keys) AS keys, (SELECT sum(held) FROM accounts) AS held,
       (SELECT count(*) FROM subscriber_numbers) AS numbers`,
  )
  return rows
}

test('a process clock an hour or a day off changes no start, end, limit or webhook timestamp', async (t) => {
  t.after(() => processClock.move('+0'))
  for (const offset of ['+1h', '-1h', '+1d', '-10']) {
    processClock.move('+0')
    const phone = freshNumber('180')
    const { json } = await start(phone)
    // During the call.
    processClock.move(offset)
    // At once: a slow machine needs longer for the call than the pause between two calls lasts here.
    assertRefused(await start(phone), 19, 429)
    assert.equal((await settled(base, service, json['vendor_id']))['call_status'], 1, offset)
    const receivedBefore = receiver.received.length
    const wait = await post('inboundCallWaiting', { phone: '79000000001', callback_url: `${receiver.url}/${offset}` })
    assert.equal(wait.status, 200, wait.text)
    await receiver.count(receivedBefore + 1)
    const received = receiver.received.at(-1)
    assert(received)
    // The verifying library rejects timestamps more than five minutes off.
    assert.equal(verified(service.webhookSecret, received)['clientNumber'], '79000000001', offset)
  }
})

test('a process clock more than 2 s off the database logs a warning and sets a metric', async (t) => {
  t.after(() => processClock.move('+0'))
  processClock.move('-1h')
  const offset = () => gauge('ringproof_database_clock_offset_seconds')
  await poll('an offset of an hour', offset, (seconds) => Math.abs(seconds - 3_600) <= 1)
  await said('database clock differs')
  processClock.move('+0')
  await poll('no offset', offset, (seconds) => Math.abs(seconds) <= 1)
})

test('calls start and end with PostgreSQL an hour ahead, an hour behind and ten seconds behind', async (t) => {
  t.after(() => databaseClock.move('+0'))
  let newest = 0
  for (const offset of ['+1h', '-1h', '-10', '+0']) {
    databaseClock.move(offset)
    const { json, text } = await start()
    const id = Number(json['vendor_id'])
    assert(id > newest, `${offset}: ${text}`)
    newest = id
    assert.equal((await settled(base, service, id))['call_status'], 1, offset)
  }
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('with PostgreSQL ten days ahead nothing starts or is written; it recovers when the clock is right', async (t) => {
  t.after(() => databaseClock.move('+0'))
  const before = await start()
  assert.equal(before.status, 200, before.text)
  await settled(base, service, before.json['vendor_id'])
  const counts = await rowCounts()

  databaseClock.move('+10d')
  assertRefused(await start(), 5, 503)
  assertRefused(await post('checkPhone', { phone: '79071234567' }), 5, 503)
  assertRefused(await post('inboundCallWaiting', { phone: freshNumber('180'), callback_url: receiver.url }), 5, 503)
  assert.equal((await post('getInfo', { uid: before.json['vendor_id'] })).status, 200)
  assert.deepEqual(await rowCounts(), counts)
  await said('database clock jumped ahead')
  assert.equal(await gauge('ringproof_database_clock_trusted'), 0)
  const payment = [String(service.accountId), '1', '--reference', 'bank 1', '--reason', 'test']
  const credit = await ringproof(installation.environment, 'accounts', 'credit', ...payment)
  assert.match(credit.err, /clock is more than a day ahead.*ringproof ids confirm-clock/)
  // Housekeeping under a wrong clock moves no watermark and deletes no limit.
  await makePartitions(database)
  assert.equal((await forgetNumbers(database, 0, 5_000, timeScale)).forgotten, 0)
  assert.deepEqual(await rowCounts(), counts)
  assertRefused(await start(), 5, 503)

  databaseClock.move('+0')
  assert.equal((await start()).status, 200)
  await poll('the clock to be trusted', async () => (await gauge('ringproof_database_clock_trusted')) === 1)
})

test('a week without calls is no clock jump while housekeeping runs; without housekeeping it is', async (t) => {
  t.after(() => databaseClock.move('+0'))
  await setBack(7 * daySeconds)
  assertRefused(await start(), 5, 503)
  assert.match((await confirm()).out, /7 d 0 h after it was last known to be running.*\n.*no calls start.*--yes/)
  // As housekeeping does every ten minutes.
  await setBack(daySeconds - 60)
  await makePartitions(database)
  assert.equal((await start()).status, 200)
  assert.match((await confirm('--yes')).out, /there is nothing to confirm/)
})

test('after a wrong clock was confirmed, partitions follow the IDs, and calls start once the clock is right', async (t) => {
  t.after(() => databaseClock.move('+0'))
  databaseClock.move('+10d')
  assertRefused(await start(), 5, 503)
  const confirmed = await confirm('--yes')
  assert.match(confirmed.out, /10 d 0 h after.*\nConfirmed: calls start again\./)
  assert.equal((await start()).status, 200)

  databaseClock.move('+0')
  const { status, json, text } = await start()
  assert.equal(status, 200, text)
  assert.equal((await settled(base, service, json['vendor_id']))['call_status'], 1)
  assert.equal((await post('checkPhone', { phone: '79071234567' })).status, 200)
  assert.match((await confirm()).out, /its newest ID is 9 d 23 h ahead|its newest ID is 10 d 0 h ahead/)
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('IDs weeks ahead have their partitions after one round of housekeeping', async () => {
  await setBack(-20 * daySeconds)
  await makePartitions(database)
  assert.equal((await start()).status, 200)
})

// The last known time, and the newest ID with it.
async function setBack(seconds: number): Promise<void> {
  await asOwner(async (client) => {
    await client.query(
      `UPDATE clock_mark SET second = floor(extract(epoch FROM clock_timestamp()))::bigint - id_epoch() - $1`,
      [seconds],
    )
    await client.query(`SELECT setval('id_ticks', (SELECT second << 17 FROM clock_mark))`)
  }, own.ownerUrl)
}
