// A worker that was frozen between its claim and the dial has slept through whatever became of the call.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../support/ask.ts'
import { freshNumber, installPhones, settled } from '../support/phones.ts'
import { makeService, serve } from '../support/served.ts'
import { asOwner } from '../support/test-database.ts'

const installation = await installPhones(1)
const { base } = await serve(installation, { RINGPROOF_SWITCH: '' }, '--roles', 'api')

test('a worker that was frozen for more than two seconds after its claim does not dial', {
  timeout: 60_000,
}, async () => {
  const service = await makeService(installation)
  const body = { phone: freshNumber('180') }
  const { json } = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body })
  const id = json['vendor_id']
  const worker = await asOwner(async (client) => {
    // The claim waits for the row, so that the worker can be frozen with its answer on the way.
    await client.query('BEGIN')
    await client.query('SELECT FROM verifications WHERE id = $1 FOR UPDATE', [id])
    const { running } = await serve(installation, {}, '--roles', 'calls')
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%claim_calls%'`
    while ((await installation.slots.home.query(waiting)).rowCount === 0) await sleep(10)
    running.process.kill('SIGSTOP')
    await client.query('COMMIT')
    while (
      (await client.query(`SELECT FROM verifications WHERE id = $1 AND state = 'dialling'`, [id])).rowCount === 0
    ) {
      await sleep(10)
    }
    return running
  }, installation.database.ownerUrl)
  await sleep(2_100)
  worker.process.kill('SIGCONT')
  const info = await settled(base, service, id)
  assert.deepEqual([info['call_status'], info['cost']], [0, 0])
  assert(!worker.output().includes('"dialled"'), worker.output())
  assert.match(worker.output(), /not dialled: the claim is too old/)
  const { json: money } = await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })
  assert.equal(money['rub_balance'], 100)
})
