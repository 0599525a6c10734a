// Which calls' messages are stored, for how long, and who is shown what of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MemberRole, memberRights } from '@ringproof/contract/web/access.ts'
import { showSipMessages } from '../../server/src/actions/verifications/sip-messages.ts'
import { forgetSipMessages } from '../../server/src/db/verifications/sip-message.ts'
import type { AccountId, VerificationId } from '../../server/src/domain/core/slot.ts'
import type { SipMessage, SipMessageChoice } from '../../server/src/domain/verifications/sip-message.ts'
import { createSipRecorder } from '../../server/src/engine/verifications/sip-recorder.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'

const installation = await installPhones(0.05)
const { slots } = installation
const database = slots.globalDatabase
// No keeper: housekeeping would delete what a test deletes.
const { base } = await serve(installation, {}, '--roles', 'api,calls')
const service = await makeService(installation, 1_000)
const lines: string[] = []
const log = createLog({ write: (line) => void lines.push(line) })
const clock = createClock(1)

const messages: readonly SipMessage[] = [
  { atMs: 5_000, isSent: true, text: 'INVITE sip:<phone>@203.0.113.4 SIP/2.0\nFrom: <sip:<caller>@192.0.2.5>' },
  { atMs: 5_120, isSent: false, text: 'SIP/2.0 404 Not Found' },
]

test('failed calls are stored by default, all by choice, none when off', async () => {
  const stored = async (choice: SipMessageChoice) => {
    await database.query('DELETE FROM sip_messages')
    const recorder = createSipRecorder({ slots, choice, clock, log })
    for (const [attempt, succeeded] of [false, true].entries()) {
      recorder.note({ id: 1 as VerificationId, attempt, trunk: 'first', succeeded, messages: async () => messages })
    }
    // A call without messages leaves no row.
    recorder.note({ id: 2 as VerificationId, attempt: 1, trunk: 'first', succeeded: false, messages: async () => [] })
    await recorder.close()
    const { rows } = await database.query<{ attempt: number }>('SELECT attempt FROM sip_messages ORDER BY 1')
    return rows.map(({ attempt }) => attempt)
  }
  assert.deepEqual(await stored('failed'), [0])
  assert.deepEqual(await stored('all'), [0, 1])
  assert.deepEqual(await stored('off'), [])
})

test('what cannot be written is dropped with a warning, and the caller does not notice', async () => {
  const recorder = createSipRecorder({ slots, choice: 'all', clock, log })
  const call = { id: 3 as VerificationId, attempt: 1, trunk: 'first', succeeded: false }
  recorder.note({ ...call, messages: () => Promise.reject(new Error('lost')) })
  recorder.note({ ...call, attempt: 99_999, messages: async () => messages })
  await recorder.close()
  assert.equal(lines.filter((line) => line.includes('"SIP messages dropped"') && line.includes('"count":2')).length, 1)
})

test('messages are deleted after 72 hours, not before', async () => {
  await database.query('DELETE FROM sip_messages')
  await database.query(
    `INSERT INTO sip_messages (id, attempt, trunk, messages, recorded_at)
     SELECT n, 1, 'first', '[]', clock_timestamp() - make_interval(hours => n) FROM unnest(ARRAY[71, 73, 100]) AS n`,
  )
  assert.equal(await forgetSipMessages(database, 10), 2)
  const { rows } = await database.query<{ id: number }>('SELECT id FROM sip_messages')
  assert.deepEqual(rows, [{ id: 71 }])
})

test('the number is shown as its mask, and the digits of the caller only when the code is of no use any more', async () => {
  const phone = freshNumber('404')
  const { json } = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body: { phone } })
  const id = json['vendor_id'] as VerificationId
  await settled(base, service, id)
  const recorder = createSipRecorder({ slots, choice: 'failed', clock, log })
  recorder.note({ id, attempt: 2, trunk: 'second', succeeded: false, messages: async () => messages })
  await recorder.close()
  const seen = async (role: MemberRole, laterSeconds: number, accountId: AccountId = service.accountId) => {
    const nowSeconds = () => Date.now() / 1_000 + laterSeconds
    return showSipMessages({ ...installation, nowSeconds }, { accountId, rights: memberRights(role) }, id)
  }
  const mask = `${phone.slice(0, 4)}***${phone.slice(-4)}`
  const {
    startedAt,
    messages: [invite, reply],
  } = await seen('developer', 590)
  assert.equal(startedAt, 5_000)
  assert.equal(invite?.text, `INVITE sip:${mask}@host.invalid SIP/2.0\nFrom: <sip:***@host.invalid>`)
  const { text: _, ...notFound } = reply ?? { text: '' }
  assert.deepEqual(notFound, {
    sinceMs: 120,
    isSent: false,
    attempt: 2,
    trunk: 'second',
    line: 'SIP/2.0 404 Not Found',
  })
  const digits = String(json['code'])
  assert.match((await seen('developer', 610)).messages[0]?.text ?? '', new RegExp(`<sip:\\*\\*\\*${digits}@`))
  assert.doesNotMatch((await seen('viewer', 610)).messages[0]?.text ?? '', new RegExp(digits))
  await database.query('UPDATE verifications SET is_test = true WHERE id = $1', [id])
  assert.match((await seen('developer', 0)).messages[0]?.text ?? '', new RegExp(`${digits}@`))
  const stranger = await makeService(installation)
  await assert.rejects(seen('developer', 610, stranger.accountId), { error: 'not-found' })
})
