// The API log: what it keeps of each request, what it counts, and that no request waits for it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { methods } from '@ringproof/contract/methods.ts'
import { dropApiRequestHour, forgetApiRequestCounts } from '../../server/src/db/core/housekeeping.ts'
import { createSlotMap } from '../../server/src/db/core/slot-map.ts'
import {
  createApiRequestLog,
  guessesMax,
  processRowsMax,
  rowsMax,
  sampleOf,
  servedRowsMax,
} from '../../server/src/db/requests/api-request-log.ts'
import { type AccountId, type ServiceId, slotsAll } from '../../server/src/domain/core/slot.ts'
import type { CompletedRequest } from '../../server/src/domain/requests/api-request.ts'
import { Refusal } from '../../server/src/process/errors.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { asOwner, testDatabase } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'

const installation = await installPhones(0.3)
const { globalDatabase } = installation.slots
const { ownerUrl } = installation.database
const { base } = await serve(installation)

type Row = Readonly<Record<string, unknown>>

async function rowOf(requestId: string | null): Promise<Row> {
  return poll(`the row of ${requestId}`, async () => {
    const { rows } = await globalDatabase.query<Row>('SELECT * FROM api_requests WHERE id = $1', [requestId])
    assert(rows.length <= 1)
    return rows[0]
  })
}

async function countOf(serviceId: number, refusal: string): Promise<number> {
  const { rows } = await globalDatabase.query<{ sum: number }>(
    `SELECT coalesce(sum(requests), 0)::bigint AS sum FROM api_request_counts WHERE service_id = $1 AND refusal = $2`,
    [serviceId, refusal],
  )
  return rows[0]?.sum ?? 0
}

test('every method has a row without number, mask, code, client, unique and URL', async () => {
  const service = await makeService(installation)
  const secrets = {
    code: '4821',
    client: 'canary-client',
    unique: 'canary-unique',
    callback_url: 'https://canary.example',
  }
  const phone = freshNumber('180')
  const post = (method: string, body: object = {}) =>
    ask(`${base}/v1.0/${method}`, {
      method: 'POST',
      headers: { ...service.bearer, 'user-agent': 'ringproof-php/1.4 (79071234567; canary-client)' },
      body,
    })
  const started = await post('initCall', { phone, ...secrets, voice: false })
  const uid = started.json['vendor_id']
  const responses = {
    initCall: started,
    getInfo: await post('getInfo', { uid }),
    initRepeat: await post('initRepeat', { uid }),
    inboundCallWaiting: await post('inboundCallWaiting', { phone, callback_url: secrets.callback_url }),
    checkPhone: await post('checkPhone', { phone }),
    getAccount: await post('getAccount'),
    getService: await post('getService', { [phone]: secrets.client }),
    getBalance: await post('getBalance'),
  }
  assert.deepEqual(Object.keys(responses), [...methods])
  const mask = String(started.json['phone'])
  assert.match(mask, /^\d+\*+\d+$/)
  for (const [method, response] of Object.entries(responses)) {
    const row = await rowOf(response.headers.get('x-request-id'))
    assert.deepEqual([row['method'], row['verb'], row['http_status']], [method, 'POST', response.status])
    assert.deepEqual(
      [row['account_id'], row['service_id'], row['auth']],
      [service.accountId, service.serviceId, 'header'],
    )
    assert.equal(row['user_agent'], 'ringproof-php/1.4')
    assert.equal(row['code'], response.status === 200 ? null : response.json['code'])
    const text = JSON.stringify(row)
    for (const canary of [phone, phone.slice(-7), mask, service.key, ...Object.values(secrets)]) {
      assert(!text.includes(canary), `${method} has ${canary}: ${text}`)
    }
  }
  const { verification_id: id, request, response } = await rowOf(started.headers.get('x-request-id'))
  assert.equal(id, uid)
  assert.deepEqual(request, {
    kind: 'json',
    fields: [
      { name: 'phone', hidden: { form: 'digits', length: phone.length } },
      { name: 'code', hidden: { form: 'digits', length: 4 } },
      { name: 'client', hidden: { form: 'text', length: 13 } },
      { name: 'unique', hidden: { form: 'text', length: 13 } },
      { name: 'callback_url', hidden: { form: 'text', length: 22 } },
      { name: 'voice', value: false },
    ],
    others: 0,
  })
  assert.deepEqual((response as { fields: Row[] }).fields.slice(0, 2), [
    { name: 'status', value: true },
    { name: 'vendor_id', value: uid },
  ])
  assert.equal(await countOf(service.serviceId, ''), 7)
  assert.equal(await countOf(service.serviceId, 'repeatNotSupported'), 1)
})

test('a refusal has its code and sentence; a wrong key is logged to the service that it was sent for', async () => {
  const service = await makeService(installation)
  const bad = await ask(`${base}/v1.0/initCall?phone=12&code=48210`, { headers: service.bearer })
  const row = await rowOf(bad.headers.get('x-request-id'))
  assert.deepEqual([row['code'], row['refusal'], row['http_status'], row['verb']], [3, 'invalidPhone', 400, 'GET'])
  assert.equal((row['response'] as { fields: Row[] }).fields[1]?.['value'], bad.json['error'])

  const guessed = await ask(`${base}/v1.0/getBalance?key=wrong&service_id=${service.serviceId}`)
  const guess = await rowOf(guessed.headers.get('x-request-id'))
  assert.deepEqual([guess['refusal'], guess['auth']], ['authenticationFailed', 'query'])
  assert.equal(guess['account_id'], service.accountId)

  const cli = createCli(installation.environment)
  const own = ['requests', 'list', '--account', String(service.accountId)] as const
  const listed = async (...filters: string[]) =>
    (await cli.json<{ request_id: string }[]>(...own, ...filters)).map(({ request_id: id }) => id)
  assert.deepEqual(await listed(), [guess['id'], row['id']])
  assert.deepEqual(await listed('--code', '3', '--method', 'initCall'), [row['id']])
  assert.match((await cli.run(...own, '--code', 'x')).err, /--code takes an error code/)

  const unknown = await ask(`${base}/v1.0/${service.key}`, { headers: service.bearer })
  assert.equal((await rowOf(unknown.headers.get('x-request-id')))['method'], 'unknown')

  // Of no service, or not of /v1.0.
  const nobody = await ask(`${base}/v1.0/getBalance?key=wrong&service_id=9999999`)
  const page = await ask(`${base}/nothing`, { headers: service.bearer })
  await rowOf((await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })).headers.get('x-request-id'))
  const ids = [nobody, page].map(({ headers }) => headers.get('x-request-id'))
  const { rowCount } = await globalDatabase.query('SELECT FROM api_requests WHERE id = ANY ($1)', [ids])
  assert.equal(rowCount, 0)
})

test('a request to a test number or of a test service is marked', async () => {
  const service = await makeService(installation)
  const tried = await ask(`${base}/v1.0/initCall?phone=79000000001`, { headers: service.bearer })
  const real = await ask(`${base}/v1.0/initCall?phone=${freshNumber('180')}`, { headers: service.bearer })
  assert.equal((await rowOf(tried.headers.get('x-request-id')))['is_test'], true)
  assert.equal((await rowOf(real.headers.get('x-request-id')))['is_test'], false)
})

test('no request waits for or fails with the log, and its rows are written when the table is free again', async () => {
  const service = await makeService(installation)
  const balance = () => ask(`${base}/v1.0/getBalance`, { headers: service.bearer })
  await balance()
  const asked = await asOwner(async (owner) => {
    await owner.query('BEGIN')
    await owner.query('LOCK TABLE api_request_counts')
    const startedMs = performance.now()
    const responses = []
    // Longer than a write may take.
    while (performance.now() < startedMs + 3_500) {
      const sentMs = performance.now()
      const response = await balance()
      responses.push({ response, ms: performance.now() - sentMs })
    }
    await owner.query('ROLLBACK')
    return responses
  }, ownerUrl)
  assert(asked.every(({ response }) => response.status === 200))
  const slowest = Math.max(...asked.map(({ ms }) => ms))
  assert(slowest < 1_500, `${slowest} ms`)
  await rowOf(asked[0]?.response.headers.get('x-request-id') ?? null)
  await poll(
    'every request counted',
    () => countOf(service.serviceId, ''),
    (count) => count === asked.length + 1,
  )
})

// --- The writer by itself --------------------------------------------------------------------------------------------

const requested: CompletedRequest = {
  id: '',
  startedMs: 0,
  endedMs: 0,
  apiClient: { serviceId: 64 as ServiceId, accountId: 64 as AccountId },
  isTest: false,
  isGuess: false,
  method: 'getBalance',
  verb: 'GET',
  httpStatus: 200,
  refused: undefined,
  address: '127.0.0.1',
  auth: 'header',
  userAgent: '',
  parameters: undefined,
  response: { status: true },
}
const refused = { refusal: new Refusal('methodNotAllowed'), language: 'en' } as const

async function writer() {
  const database = await testDatabase()
  const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, database.url])), undefined, 'api', 1)
  let dropped = 0
  const lines: string[] = []
  const log = createApiRequestLog({
    slots,
    log: createLog({ write: (line) => void lines.push(line) }),
    events: { apiRequestsDropped: (count) => (dropped += count) },
    noteWritten: () => undefined,
  })
  const note = (count: number, more: Partial<CompletedRequest>) => {
    for (let n = 0; n < count; n++) {
      const startedMs = performance.now()
      log.note({ ...requested, id: randomUUID(), startedMs, endedMs: startedMs + 3, ...more })
    }
  }
  const close = async () => {
    await log.close()
    await slots.close()
  }
  const sums = () =>
    asOwner(async (owner) => {
      const { rows } = await owner.query<{ service: number; rows: number; counted: number }>(
        `SELECT c.service_id AS service, sum(c.requests)::integer AS counted,
           (SELECT count(*)::integer FROM api_requests AS r WHERE r.service_id = c.service_id) AS rows
         FROM api_request_counts AS c GROUP BY 1 ORDER BY 1`,
      )
      return rows
    }, database.ownerUrl)
  return { note, close, sums, dropped: () => dropped, lines, ownerUrl: database.ownerUrl }
}

test('above its budget a service has a sample of what was served, every refusal, and exact counts', async () => {
  const { note, close, sums, dropped } = await writer()
  const of = (serviceId: number) => ({ apiClient: { serviceId: serviceId as ServiceId, accountId: 64 as AccountId } })
  note(servedRowsMax + 250, of(64))
  note(1_000, { ...of(128), refused })
  note(guessesMax + 40, { ...of(192), refused, isGuess: true })
  note(5, of(256))
  await close()
  assert.deepEqual(await sums(), [
    { service: 64, counted: servedRowsMax + 250, rows: servedRowsMax + Math.floor(250 / sampleOf) },
    { service: 128, counted: 1_000, rows: 1_000 },
    { service: 192, counted: guessesMax + 40, rows: guessesMax },
    { service: 256, counted: 5, rows: 5 },
  ])
  assert.equal(dropped(), 0)
})

test('above the budget of the process every service has a sample', async () => {
  const { note, close, sums } = await writer()
  const half = processRowsMax / 2
  for (const serviceId of [64, 128, 192] as ServiceId[]) {
    note(half, { apiClient: { serviceId, accountId: 64 as AccountId } })
  }
  await close()
  assert.deepEqual(await sums(), [
    { service: 64, counted: half, rows: half },
    { service: 128, counted: half, rows: half },
    { service: 192, counted: half, rows: half / sampleOf },
  ])
})

test('while the database is away the oldest rows are dropped and counted, and the counts stay exact', async () => {
  const { note, close, sums, dropped, lines, ownerUrl: url } = await writer()
  await asOwner(async (owner) => {
    await owner.query('BEGIN')
    await owner.query('LOCK TABLE api_request_counts')
    note(1, { refused, address: 'first' })
    await poll('a failed write', () => lines.some((line) => line.includes('API log write failed')))
    note(rowsMax + 2_000, { refused })
    note(1, { refused, address: 'last' })
    await owner.query('ROLLBACK')
  }, url)
  await close()
  const [written] = await sums()
  assert.equal(written?.counted, rowsMax + 2_002)
  assert.equal((written?.rows ?? 0) + dropped(), rowsMax + 2_002)
  assert(dropped() > 0 && (written?.rows ?? 0) >= rowsMax, `${dropped()} dropped`)
  assert(lines.some((line) => line.includes('API log rows dropped')))
  const addresses = await asOwner(
    (owner) => owner.query(`SELECT address FROM api_requests WHERE address <> '127.0.0.1'`),
    url,
  )
  assert.deepEqual(addresses.rows, [{ address: 'last' }])
})

test('hours exist two days ahead; one that is over a week old is dropped, and its counts are forgotten', async () => {
  const database = await testDatabase()
  await asOwner(async (owner) => {
    const names = async () => {
      const { rows } = await owner.query<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'api_requests'::regclass ORDER BY 1`,
      )
      return rows.map(({ name }) => name)
    }
    assert.equal((await names()).length, 50)
    const hoursAgo = async (hours: number) => {
      await owner.query(`
        DO $$ DECLARE hour timestamptz := date_trunc('hour', clock_timestamp(), 'UTC') - interval '${hours} hours'; BEGIN
          EXECUTE format('CREATE TABLE %I PARTITION OF api_requests FOR VALUES FROM (%L) TO (%L)',
            'api_requests_' || to_char(hour AT TIME ZONE 'UTC', 'YYYYMMDDHH24'), hour, hour + interval '1 hour');
        END $$`)
    }
    await hoursAgo(168)
    assert.equal(await dropApiRequestHour(owner), undefined)
    await hoursAgo(170)
    assert.match((await dropApiRequestHour(owner)) ?? '', /^api_requests_\d{10}$/)
    assert.equal(await dropApiRequestHour(owner), undefined)
    assert.equal((await names()).length, 51)
    for (const days of [6, 8]) {
      await owner.query(
        `INSERT INTO api_request_counts VALUES (64, clock_timestamp() - make_interval(days => $1), 64, false, 'getInfo', '', '', 1, 1,
           clock_timestamp())`,
        [days],
      )
    }
    assert.equal(await forgetApiRequestCounts(owner, 10), 1)
    assert.equal((await owner.query('SELECT FROM api_request_counts')).rowCount, 1)
  }, database.ownerUrl)
})
