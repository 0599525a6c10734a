// Inbound verifications in the database: which number is given out, what is held, and how a request ends. Two
// databases.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { asOwner } from '../support/database/test-database.ts'
import { type Asked, ask, assertRefused } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones, prices, settled } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'

// A wait of thirty seconds ends after six.
const timeScale = 0.2
const installation = await installPhones(timeScale, 2)
const { slots } = installation
const processes = await Promise.all([serve(installation), serve(installation)])
const base = processes[0]?.base ?? ''

const wait = (service: TestService, phone: string, at = base): Promise<Asked> =>
  ask(`${at}/v1.0/inboundCallWaiting`, {
    method: 'POST',
    headers: service.bearer,
    body: { phone, callback_url: 'http://127.0.0.1:9/hook' },
  })

const balance = async (service: TestService) =>
  (await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })).json['rub_balance']

// A service whose account is in the given database.
async function serviceIn(database: 0 | 1, credited = 100): Promise<TestService> {
  for (let n = 0; n < 100; n++) {
    const service = await makeService(installation, credited)
    if (slots.databaseOf(slotOfAccount(service.accountId)) === slots.databases[database]) return service
  }
  throw new Error('every account is in the other database')
}

test('an inbound verification holds its price, returns no code, and releases the hold when nobody calls', async () => {
  const service = await serviceIn(1)
  await slots.databases[1]?.query('UPDATE services SET inbound_seconds = 30 WHERE id = $1', [service.serviceId])
  const phone = freshNumber('180')
  const started = await wait(service, phone)
  assert.equal(started.status, 200, started.text)
  assert.deepEqual(Object.keys(started.json), ['status', 'vendor_id', 'phone', 'confirmation_number'])
  assert.equal(started.json['phone'], `${phone.slice(0, 4)}***${phone.slice(-4)}`)
  assert.equal(await balance(service), 100 - prices.inbound / 1e6)
  const info = await ask(`${base}/v1.0/getInfo?uid=${String(started.json['vendor_id'])}`, { headers: service.bearer })
  assert.equal(info.json['call_status'], -1)
  assert(!('code' in info.json))
  const ended = await settled(base, service, started.json['vendor_id'])
  assert.deepEqual([ended['call_status'], ended['cost'], ended['country_code']], [0, 0, 'RU'])
  assert.equal(await balance(service), 100)
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('invalid and unpaid requests are refused, and a refusal changes nothing', async () => {
  const service = await serviceIn(0)
  const poor = await serviceIn(0, 0)
  assertRefused(await wait(service, '12025550123'), 9, 403)
  assertRefused(await wait(service, '79161'), 3, 400)
  assertRefused(await wait(service, '78091234567'), 3, 400)
  assertRefused(await wait(poor, freshNumber('180')), 1002, 402)
  assert.equal((await wait(poor, '79000000002')).status, 200, 'a test number is free')
  assert.equal(await balance(service), 100)
  await slots.databases[0]?.query('UPDATE services SET verifications_hour_max = 1 WHERE id = $1', [service.serviceId])
  const capped = await eventually(async () => {
    const asked = await wait(service, freshNumber('180'))
    return asked.status === 200 ? undefined : asked
  })
  assertRefused(capped, 50, 429)
  const waits = await slots.databases[0]?.query('SELECT FROM inbound_requests WHERE service_id = $1', [
    service.serviceId,
  ])
  const paid = ((waits?.rowCount ?? 0) * prices.inbound) / 1e6
  assert.equal(await balance(service), 100 - paid, 'only accepted requests were charged')
})

test('a subscriber has at most five pending inbound verifications, under concurrent requests; test numbers are exempt', async () => {
  const service = await serviceIn(0)
  const phone = freshNumber('180')
  // A slow machine is late with some of so many at once: code 5 says that nothing happened and that they may be sent again.
  const send = (n: number) =>
    poll(
      'a decision',
      () => wait(service, phone, processes[n % processes.length]?.base),
      ({ status }) => status !== 503,
    )
  const asked = await Promise.all(Array.from({ length: 40 }, (_, n) => send(n)))
  const refused = asked.filter(({ status }) => status !== 200)
  assert.equal(asked.length - refused.length, 5)
  for (const one of refused) {
    assertRefused(one, 18, 429)
    assert(Number(one.headers.get('retry-after')) >= 1)
  }
  assert.equal(await balance(service), 100 - (5 * prices.inbound) / 1e6)
  assert.equal((await wait(service, freshNumber('180'))).status, 200, 'another subscriber is not limited')
  for (let n = 0; n < 7; n++) assert.equal((await wait(service, '79000000002')).status, 200)
})

test('a subscriber is never given the same number twice, over services, accounts, processes and databases', async () => {
  const phone = freshNumber('180')
  const services = await Promise.all([0, 1, 0, 1, 0, 1, 0, 1].map((at) => serviceIn(at as 0 | 1, 1_000)))
  const sixteen = Array.from({ length: 16 }, () => services).flat()
  const asked = await Promise.all(
    sixteen.map((service, n) => wait(service, phone, processes[(n * 3) % processes.length]?.base)),
  )
  const given = asked.filter(({ status }) => status === 200).map(({ json }) => json['confirmation_number'])
  assert.equal(new Set(given).size, given.length)
  // Two trunks have thirty-two numbers each, half of them in either database; four services with at most five requests
  // fill neither.
  assert.equal(given.length, 8 * 5)
  assert.deepEqual(await doubled(), [])

  // When all numbers of a database are in use, the next request there is refused with code 5; the other database goes
  // on.
  const more = await Promise.all(Array.from({ length: 4 }, () => serviceIn(0, 1_000)))
  const rest = await Promise.all(more.flatMap((service) => Array.from({ length: 5 }, () => wait(service, phone))))
  assert.equal(rest.filter(({ status }) => status === 200).length, 32 - 20)
  for (const one of rest.filter(({ status }) => status !== 200)) assertRefused(one, 5, 503)
  assert.equal((await wait(await serviceIn(1), phone)).status, 200)
  assert.deepEqual(await doubled(), [])
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('the search for a number given out twice finds a seeded one', async () => {
  const service = await serviceIn(0)
  const started = await wait(service, freshNumber('180'))
  await asOwner(async (client) => {
    await client.query('DROP INDEX inbound_requests_one_number')
    await client.query('CREATE TEMP TABLE twin AS SELECT * FROM inbound_requests WHERE id = $1', [
      started.json['vendor_id'],
    ])
    await client.query('UPDATE twin SET id = id + 1')
    await client.query('INSERT INTO inbound_requests SELECT * FROM twin')
  }, installation.database.ownerUrl)
  assert.equal((await doubled()).length, 1)
})

// Over all databases: a subscriber's hash is the same in each.
async function doubled(): Promise<string[]> {
  const rows = await Promise.all(
    slots.databases.map((database) =>
      database.query<{ pair: string }>(
        `SELECT encode(subscriber_hash, 'hex') || ' ' || confirmation_number AS pair FROM inbound_requests
         WHERE is_active AND NOT is_test`,
      ),
    ),
  )
  const pairs = rows.flatMap((result) => result.rows.map(({ pair }) => pair))
  return pairs.filter((pair, at) => pairs.indexOf(pair) !== at)
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let n = 0; n < 100; n++) {
    const seen = await look()
    if (seen !== undefined) return seen
  }
  throw new Error('the expected state was not reached')
}
