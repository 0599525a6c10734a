// Every cause of code 5, provoked once: the label in the log and in the metric, and whether the sentence says that a retry helps.
// The causes that need a broken machine are in unit tests of the mapping; clock.test.ts and tests/slow/full-disk.test.ts
// provoke them for real.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { jetstream } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { DatabaseError } from 'pg'
import { stopAllTrunks } from '../../server/src/actions/protection/stop-calls.ts'
import { mapLockTimeout } from '../../server/src/db/core/map-lock-timeout.ts'
import type { AccountId } from '../../server/src/domain/core/slot.ts'
import { callStreams, streamNames } from '../../server/src/engine/core/streams.ts'
import { createConcurrencyLimit, inFlightMax } from '../../server/src/http/concurrency-limit.ts'
import { Refusal, refusalSentence, type UnavailableCause, unavailableCauses } from '../../server/src/process/errors.ts'
import { asOwner } from '../support/database/test-database.ts'
import { type Asked, ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, type Served, serve, type TestService } from '../support/process/server.ts'

const retryHelps = /try again (later|in a second)/
const retryIsUseless = /until the operator changes the setup; retrying before that does not help/
// Divides what a trunk may have in its queue.
const batchSize = 500
const provoked = new Set<UnavailableCause>()

const installation = await installPhones(1)
// Without a switch nothing empties the call queue.
const served = await serve(installation, { RINGPROOF_SWITCH: '' })
const service = await makeService(installation, 1_000)

const post = (method: string, body: Record<string, unknown>, { bearer }: TestService = service, { base } = served) =>
  ask(`${base}/v1.0/${method}`, { method: 'POST', headers: bearer, body })
const call = (body: Record<string, unknown> = {}) => post('initCall', { phone: freshNumber('180'), ...body })
const wait = (phone = freshNumber('180')) =>
  post('inboundCallWaiting', { phone, callback_url: 'http://127.0.0.1/hook' })

// Changes the setup, expects the cause, and puts everything back.
async function whileChanged(change: string, cause: UnavailableCause, request: () => Promise<Asked>): Promise<void> {
  await asOwner(async (owner) => {
    const tables = ['tariff_prices', 'trunks', 'caller_ranges', 'confirmation_numbers']
    for (const table of tables) await owner.query(`CREATE TEMP TABLE kept_${table} AS TABLE ${table}`)
    await owner.query(change)
    try {
      await assertCause(cause, await poll('the change to take effect', request, ({ status }) => status !== 200))
    } finally {
      await owner.query(`TRUNCATE ${tables.join(', ')} CASCADE`)
      for (const table of ['trunks', 'tariff_prices', 'caller_ranges', 'confirmation_numbers']) {
        await owner.query(`INSERT INTO ${table} TABLE kept_${table}`)
      }
      for (const table of tables) await owner.query(`DROP TABLE kept_${table}`)
    }
    await poll('the setup to be back', request, ({ status }) => status === 200)
  }, installation.database.ownerUrl)
}

async function assertCause(cause: UnavailableCause, asked: Asked, from: Served = served): Promise<void> {
  const { refusal } = unavailableCauses[cause]
  assert.deepEqual([asked.status, asked.json['code']], [503, 5], asked.text)
  assert(Number(asked.headers.get('retry-after')) >= 1)
  assert.match(String(asked.json['error']), refusal === 'needsOperator' ? retryIsUseless : retryHelps, cause)
  const metrics = await (await fetch(from.metrics)).text()
  assert.match(metrics, new RegExp(`^ringproof_unavailable_total\\{cause="${cause}"\\} [1-9]`, 'm'))
  provoked.add(cause)
}

async function logged(cause: UnavailableCause): Promise<void> {
  await poll(`the log line of ${cause}`, () => served.output().includes(`"cause":"${cause}"`))
}

test('what an operator has to set up: price, trunk, caller number, confirmation number', async () => {
  await whileChanged(`DELETE FROM tariff_prices WHERE mode = 'mix'`, 'no_price', () => call({ mix: true }))
  await whileChanged(`UPDATE trunks SET countries = '{KZ}'`, 'no_trunk', call)
  await whileChanged('UPDATE trunks SET is_on = false', 'trunks_off', call)
  await whileChanged(`DELETE FROM caller_ranges WHERE country = 'RU'`, 'no_caller_number', call)
  await whileChanged('DELETE FROM confirmation_numbers', 'no_confirmation_number', wait)
  for (const cause of ['no_price', 'no_trunk', 'trunks_off', 'no_caller_number', 'no_confirmation_number'] as const) {
    await logged(cause)
  }
})

test('what is used up for now: the numbers of a subscriber, and tests', async () => {
  const keepOne = 'DELETE FROM confirmation_numbers WHERE number <> (SELECT min(number) FROM confirmation_numbers)'
  await whileChanged(keepOne, 'confirmation_numbers_in_use', async () => {
    const phone = freshNumber('180')
    await wait(phone)
    return wait(phone)
  })
  const flooded = await poll(
    'the tests to be used up',
    () => wait('79000000002'),
    ({ status }) => status !== 200,
    { intervalMs: 1 },
  )
  await assertCause('test_limit', flooded)
})

test('a locked account: its own requests are busy', async () => {
  const accounts = [service, await makeService(installation, 1_000), await makeService(installation, 1_000)]
  await asOwner(async (owner) => {
    await owner.query('BEGIN')
    await owner.query('SELECT FROM accounts WHERE id = ANY ($1) FOR UPDATE', [
      accounts.map(({ accountId }) => accountId),
    ])
    const all = await Promise.all(
      accounts.flatMap((one) => Array.from({ length: 140 }, () => post('initCall', { phone: '79000000001' }, one))),
    )
    await owner.query('ROLLBACK')
    for (const asked of all) assert.deepEqual([asked.status, asked.json['code']], [503, 5], asked.text)
    for (const cause of ['account_busy', 'database_busy'] as const) {
      const [any] = all
      assert(any)
      await assertCause(cause, any)
    }
  }, installation.database.ownerUrl)
})

test('NATS: without it, and with a full queue', async () => {
  const alone = await serve(installation, { RINGPROOF_NATS_URL: '', RINGPROOF_SWITCH: '' })
  await assertCause('nats_down', await post('initCall', { phone: freshNumber('180') }, service, alone), alone)

  const prefix = String(installation.environment['RINGPROOF_NATS_PREFIX'])
  const { host, username, password } = new URL(String(installation.environment['RINGPROOF_NATS_URL']))
  const connection = await connect({ servers: host, user: username, pass: password })
  const client = jetstream(connection)
  const fill = async (trunk: string, messages: number) => {
    const subject = streamNames(prefix).subjectOf(trunk)
    // A batch is synced once, however slow the disk is.
    for (let sent = 0; sent < messages; sent += batchSize) {
      const batch = await client.startBatch(subject, 'full')
      for (let added = 2; added < batchSize; added++) batch.add(subject, 'full')
      await batch.commit(subject, 'full')
    }
  }
  // Calls overflow to the second trunk until its thousand channels are used, too.
  await fill('second', 1_000)
  await fill('first', callStreams.messagesPerTrunkMax - batchSize)
  const last = streamNames(prefix).subjectOf('first')
  const isAccepted = () => client.publish(last, 'full').then(Boolean, () => false)
  while (await isAccepted());
  // Until the depth of the queue is read, a start fails at its dispatch.
  const isNoticed = async () => (await (await fetch(served.metrics)).text()).includes('cause="queue_full"')
  const refused = await poll(
    'the full queue to be noticed',
    async () => ({ asked: await call(), isNoticed: await isNoticed() }),
    (state) => state.isNoticed,
  )
  await assertCause('queue_full', refused.asked)
  await connection.close()
})

test('a saturated process', async () => {
  const { isFull, run } = createConcurrencyLimit(installation.slots)
  const done = new AbortController()
  const work = () => once(done.signal, 'abort')
  const inFlight = Array.from({ length: inFlightMax }, (_, n) => run((64 + (n % 4) * 64) as AccountId, work))
  assert(isFull())
  const refused = await run(service.accountId, work).catch((refusal: unknown) => refusal)
  assert(refused instanceof Refusal && refused.unavailableCause === 'saturated')
  assert.match(refusalSentence(refused, 'en'), retryHelps)
  provoked.add('saturated')
  done.abort()
  await Promise.all(inFlight)
})

test('the kill switch', async () => {
  await stopAllTrunks(installation, { address: 'test', userAgent: '' }, { reason: 'test' })
  const stopped = await poll('the stop to take effect', call, ({ json }) => String(json['error']).includes('stopped'))
  await assertCause('calls_stopped', stopped)
})

test('causes of the machine map to their label', async () => {
  const failing = async (code: string, message = 'failure') => {
    const error = new DatabaseError(message, 0, 'error')
    error.code = code
    return mapLockTimeout(Promise.reject(error)).catch((refusal: unknown) => refusal)
  }
  for (const [code, cause] of [
    ['53100', 'database_full'],
    ['RING1', 'clock_ahead'],
    ['55P03', 'database_busy'],
    ['RING5', 'slot_moving'],
  ] as const) {
    const refusal = await failing(code)
    assert(refusal instanceof Refusal && refusal.unavailableCause === cause, code)
    provoked.add(cause)
  }
})

test('no cause is left out', () => {
  // A database that is down and a failed dispatch: readiness.test.ts and start-verification.test.ts.
  for (const cause of ['database_down', 'dispatch_failed'] as const) provoked.add(cause)
  assert.deepEqual([...provoked].toSorted(), Object.keys(unavailableCauses).toSorted())
})
