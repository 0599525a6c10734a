// Retries of a webhook, without waiting for them: the schedule is what the database has planned, and then the time is moved on.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webhookRetrySeconds } from '@ringproof/contract/limits.ts'
import { slotOfVerification, type VerificationId } from '../../server/src/domain/core/slot.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd, type Received, verified } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'

const installation = await installPhones(1)
const { slots, environment } = installation
const cli = createCli(environment)
const { base } = await serve(installation)
const { call } = await createInboundCalls(installation)
const service = await makeService(installation)

const repaired = new Set<string>()
const receiver = await createReceiverToTheEnd((response, { url }, nth) => {
  if (url === '/later' && nth === 1) response.writeHead(503, { 'retry-after': '300' }).end()
  else if (url === '/broken' && !repaired.has(url)) response.writeHead(500).end('out of order')
  else response.writeHead(204).end()
})

type Proved = { readonly id: VerificationId; readonly phone: string }

async function proved(path: string): Promise<Proved> {
  const phone = freshNumber('180')
  const body = { phone, callback_url: `${receiver.url}${path}` }
  const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: service.bearer, body })
  assert.equal(asked.status, 200, asked.text)
  await call(phone, String(asked.json['confirmation_number']))
  return { id: asked.json['vendor_id'] as VerificationId, phone }
}

const receivedAt = (path: string): readonly Received[] => receiver.received.filter(({ url }) => url === path)

type Row = { state: string; reason: string | null; attempts: number; dueAt: string; plannedSeconds: number }

async function rowOf({ id }: Proved): Promise<Row> {
  const { rows } = await slots.databaseOf(slotOfVerification(id)).query<Row>(
    `SELECT w.state, w.reason, w.attempts, w.due_at::text AS "dueAt",
       extract(epoch FROM w.due_at - a.ended_at)::float8 AS "plannedSeconds"
     FROM webhooks AS w LEFT JOIN webhook_attempts AS a ON a.id = w.id AND a.attempt = w.attempts WHERE w.id = $1`,
    [id],
  )
  assert(rows[0])
  return rows[0]
}

const inState = (one: Proved, state: string) =>
  poll(
    `webhook ${one.id} to be ${state}`,
    () => rowOf(one),
    (row) => row.state === state,
  )

// Returns how many seconds after the attempt the next one was planned, and lets it come at once, unless it is in flight.
async function moveOn(one: Proved, attempt: number): Promise<number> {
  const { dueAt, plannedSeconds } = await poll(
    `attempt ${attempt} of webhook ${one.id}`,
    () => rowOf(one),
    ({ attempts }) => attempts === attempt,
  )
  await slots
    .databaseOf(slotOfVerification(one.id))
    .query('UPDATE webhooks SET due_at = clock_timestamp() WHERE id = $1 AND due_at = $2', [one.id, dueAt])
  return plannedSeconds
}

test('retries follow the schedule under one ID; a dead webhook can be resent while the number lives', async () => {
  const later = await proved('/later')
  const broken = await proved('/broken')
  for (const [index, seconds] of webhookRetrySeconds.entries()) {
    const planned = await moveOn(broken, index + 1)
    // Both are written by one statement, the time of the next attempt a moment before the end of this one.
    assert(
      planned <= seconds && planned > (webhookRetrySeconds[index - 1] ?? 0),
      `${planned} s after attempt ${index + 1}`,
    )
  }
  const { reason, attempts } = await inState(broken, 'dead')
  assert.deepEqual([reason, attempts], ['given-up', 9])
  const received = receivedAt('/broken')
  assert.equal(received.length, webhookRetrySeconds.length + 1)
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(new Set(received.map(({ body }) => body)).size, 1)
  for (const one of received) {
    assert.equal(verified(service.webhookSecret, one)['clientNumber'], broken.phone)
    assert.throws(() => verified(service.webhookSecret, { ...one, body: one.body.replace('0', '1') }))
  }

  const dead = await cli.json<Record<string, unknown>[]>('webhooks', 'list', '--state', 'dead')
  assert.deepEqual(
    dead.map((one) => [
      one['vendor_id'],
      one['reason'],
      one['can_be_resent'],
      one['last_status'],
      one['last_response'],
    ]),
    [[broken.id, 'given-up', true, 500, 'out of order']],
  )
  repaired.add('/broken')
  const resent = await cli.run('webhooks', 'resend', String(broken.id))
  assert.equal(resent.status, 0, resent.err)
  await inState(broken, 'delivered')
  assert.equal(receivedAt('/broken').length, 10)
  assert.equal(receivedAt('/broken')[9]?.headers['webhook-id'], received[0]?.headers['webhook-id'])
  const again = await cli.run('webhooks', 'resend', String(broken.id))
  assert.match(again.err, /was delivered, and its number has been erased/)

  const afterSeconds = await moveOn(later, 1)
  assert(afterSeconds <= 300 && afterSeconds > 290, `retried after ${afterSeconds} s and not after Retry-After`)
  assert.equal((await inState(later, 'delivered')).attempts, 2)
})
