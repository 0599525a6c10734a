// Inbound verifications in the console: the pool, the requests that wait, and calls that matched none with their reason. Nothing that
// is read names a caller, and removing numbers of one kind takes none of the other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { confirmationFirst, freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createOperator } from '../support/web/operator.ts'

const installation = await installPhones(1)
const { globalDatabase } = installation.slots
const settings = { RINGPROOF_MAIL_DIR: `${fileDirectory()}/mail`, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings, '--roles', 'api,web,calls')
const { visitor: admin, email } = await createOperator(installation, base, 'admin')
const service = await makeService(installation)
const { call, phones, outcomes } = await createInboundCalls(installation)

test('a request waits in the list with its age until its call comes, and no caller is named', async () => {
  const phone = freshNumber('180')
  const body = { phone, callback_url: 'http://127.0.0.1:9/' }
  const { json } = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: service.bearer, body })
  const waiting = await admin.call('inbound')
  assert.equal(waiting.openCount, 1)
  const [open] = waiting.open
  assert.deepEqual(
    [open?.id, open?.accountId, String(open?.confirmationNumber)],
    [json['vendor_id'], service.accountId, json['confirmation_number']],
  )
  assert((open?.ageSeconds ?? -1) >= 0 && (open?.ageSeconds ?? 99) < 60)
  assert((open?.leftSeconds ?? 0) > 60 && (open?.leftSeconds ?? 999) <= 120)
  assert(!JSON.stringify(waiting).includes(phone.slice(1)))
  await call(phone, String(json['confirmation_number']))
  await poll(
    'the call to match',
    () => admin.call('inbound'),
    ({ openCount }) => openCount === 0,
  )
})

test('calls that matched nothing are counted by reason', async () => {
  const number = String(confirmationFirst)
  await call(freshNumber('180'), number)
  await call(freshNumber('180'), number)
  await phones.callIn({ trunk: 'first', called: `+${number}`, from: '', isWithheld: true })
  await call(freshNumber('180'), '70000000001')
  const { unmatched } = await poll(
    'the calls to be counted',
    () => admin.call('inbound'),
    (shown) => shown.unmatched.reduce((sum, { calls }) => sum + calls, 0) === 4,
  )
  assert.deepEqual(
    unmatched.map(({ trunk, reason, calls }) => `${trunk} ${reason} ${calls}`),
    ['first no-request 2', 'first called-back 1', 'first withheld 1'],
  )
  assert.equal(outcomes.at(-1), 'called-back')
  // Older than a day.
  await globalDatabase.query(
    `UPDATE unmatched_calls SET hour = hour - interval '2 days', last_at = last_at - interval '2 days'`,
  )
  assert.deepEqual((await admin.call('inbound')).unmatched, [])
})

test('numbers are added and removed, with the person in the log; caller numbers stay', async () => {
  const first = 70000200000
  const added = { trunk: 'first', first, last: first + 9 }
  await admin.call('add-confirmation-numbers', added)
  const { pool, free } = await admin.call('inbound')
  assert.equal(free, 74)
  assert(pool.some((row) => row.first === first && row.last === first + 9 && !row.isRemoved))
  assert.equal((await admin.refused('add-confirmation-numbers', added)).body.error, 'invalid')
  assert.equal(
    (await admin.refused('add-confirmation-numbers', { ...added, last: first + 10_000 })).body.error,
    'too-many',
  )

  const callers = async () => (await admin.call('caller-numbers')).ranges
  const before = await callers()
  await admin.call('remove-confirmation-numbers', { trunk: 'first', first: 70000000000, last: 70000209999 })
  assert.deepEqual(await callers(), before)
  assert.equal((await admin.call('inbound')).free, 32)
  await admin.call('remove-caller-numbers', { trunk: 'second', first: 70000010000, last: 70000209999 })
  assert.equal((await admin.call('inbound')).free, 32)
  const { rows } = await globalDatabase.query<{ action: string; who: string }>(
    `SELECT action, details ->> 'user' AS who FROM action_log WHERE details ? 'trunk' ORDER BY id`,
  )
  assert.deepEqual(rows, [
    { action: 'confirmation numbers added', who: email },
    { action: 'numbers removed', who: email },
    { action: 'numbers removed', who: email },
  ])
})
