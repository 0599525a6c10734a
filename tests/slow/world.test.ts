// The past of the demo, as it is written in bulk: nothing in it contradicts itself, and every mistake that is made in it is found.
// `npm run verify -- world`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginningBefore } from '../../scripts/world/demand.ts'
import { orderAuditLog } from '../../scripts/world/install.ts'
import { dayMs, hourMs, minuteMs } from '../../server/src/domain/values/time.ts'
import { findContradictions, findReadFaults, ruleCount } from '../support/world/contradictions.ts'
import { emptyWorld, historyOf } from '../support/world/past.ts'

const timeout = 900_000
const untilMs = Math.floor((Date.now() - 4 * minuteMs) / minuteMs) * minuteMs
const beginMs = beginningBefore(untilMs, 14)
// It is made in two parts, as one that is continued.
const brokenOffMs = untilMs - 9 * hourMs

const world = await emptyWorld(beginMs)
const startedMs = performance.now()
const first = historyOf(beginMs, beginMs, brokenOffMs)
await world.write(first, { fromMs: beginMs, untilMs: brokenOffMs })
await orderAuditLog(world.client)
const second = historyOf(beginMs, brokenOffMs, untilMs, first.carried)
await world.write(second, { fromMs: brokenOffMs, untilMs })
const seconds = (performance.now() - startedMs) / 1_000

test('two weeks with about 20 000 verifications and no contradiction', { timeout }, async (t) => {
  const count = first.calls.length + first.waitings.length + second.calls.length + second.waitings.length
  t.diagnostic(`${count} verifications in ${seconds.toFixed(1)} s, checked by ${ruleCount} rules`)
  assert(count > 18_000 && count < 24_000, `${count} verifications`)
  assert.deepEqual(await findContradictions(world.client, untilMs), [])
  assert.deepEqual(await findReadFaults(world.slots, world.client, untilMs), [])
})

// Each as if the writer had written it so.
const mistakes: Readonly<Record<string, string>> = {
  'a refused call rang': `
    UPDATE verifications SET rang_at = dialled_at, post_dial_ms = 5, ring_ms = 5000 WHERE id = (SELECT min(id) FROM verifications WHERE reason = 'refused')`,
  'a failed call is captured': `
    UPDATE ledger SET to_account = 'revenue' WHERE sequence = 2 AND id = (SELECT max(id) FROM verifications WHERE state = 'failed')`,
  'a hold is not closed': `
    DELETE FROM ledger WHERE sequence = 2 AND id = (SELECT max(id) FROM verifications)`,
  'a balance is a millionth too high': `
    UPDATE accounts SET balance = balance + 1 WHERE id = (SELECT max(account_id) FROM verifications)`,
  'an hour counts a call twice': `
    UPDATE call_hours SET calls = calls + 1 WHERE ctid = (SELECT max(ctid) FROM call_hours)`,
  'a webhook arrived without an attempt that did': `
    UPDATE webhook_attempts SET status = 503 WHERE status = 204 AND id = (SELECT max(id) FROM webhook_attempts WHERE status = 204)`,
  'SIP messages of another call': `
    UPDATE sip_messages SET messages = (SELECT messages FROM sip_messages JOIN verifications USING (id) WHERE rang_at IS NULL AND reason = 'refused' LIMIT 1)
    WHERE id = (SELECT max(said.id) FROM sip_messages AS said JOIN verifications AS call ON call.id = said.id AND call.attempt = said.attempt WHERE call.rang_at IS NOT NULL)`,
  'a request is missing in the API log': `
    DELETE FROM api_requests WHERE id = (SELECT id FROM api_requests WHERE method = 'initCall' AND code IS NULL ORDER BY at DESC OFFSET 40 LIMIT 1)`,
  'a call of a number is forgotten': `
    DELETE FROM subscriber_numbers WHERE hash = (SELECT hash FROM subscriber_numbers ORDER BY touched_at DESC OFFSET 40 LIMIT 1)`,
  'a switch-over is not in the audit log': `
    DELETE FROM action_log WHERE action = 'traffic moved'`,
  'a call ended before it was dialled': `
    UPDATE verifications SET dialled_at = ended_at + interval '1 second' WHERE id = (SELECT min(id) FROM verifications WHERE reason = 'refused')`,
  'a refusal by a fraud rule is not counted': `
    UPDATE fraud_hits SET hits = hits + 1 WHERE ctid = (SELECT max(ctid) FROM fraud_hits)`,
}

for (const [name, sql] of Object.entries(mistakes)) {
  test(`a mistake is found: ${name}`, { timeout }, async (t) => {
    await world.client.query('BEGIN')
    try {
      const { rowCount } = await world.client.query(sql)
      assert(rowCount !== 0, 'the mistake changed nothing')
      const found = await findContradictions(world.client, untilMs)
      t.diagnostic(found.join('; '))
      // A balance is compared with its ledger by the product's own audit, which reads what is committed.
      if (/balance/.test(name)) await world.client.query('COMMIT')
      const read = /balance/.test(name) ? await findReadFaults(world.slots, world.client, untilMs) : []
      assert.notDeepEqual([...found, ...read], [])
    } finally {
      await world.client.query('ROLLBACK')
      if (/balance/.test(name))
        await world.client.query(
          'UPDATE accounts SET balance = balance - 1 WHERE id = (SELECT max(account_id) FROM verifications)',
        )
    }
  })
}

test('the same seed writes the same rows a week later, with times from the end', { timeout }, async () => {
  const rowsOf = async (begin: number) => {
    const other = await emptyWorld(begin)
    const [from, until] = [begin + 9 * hourMs, begin + 12 * hourMs]
    await other.write(historyOf(begin, from, until), { fromMs: from, untilMs: until })
    const { rows } = await other.client.query<Record<string, unknown>>(
      `SELECT mode, state, country, phone_info, code, price::float8, balance_before::float8, attempt, trunk, caller_number::float8, reason, sip_status,
         post_dial_ms, ring_ms, ended_by, extract(epoch FROM accepted_at - $1) AS accepted, extract(epoch FROM ended_at - $1) AS ended
       FROM verifications ORDER BY accepted_at, caller_number, code`,
      [new Date(until).toISOString()],
    )
    return rows
  }
  const rows = await rowsOf(beginMs)
  assert(rows.length > 100)
  assert.deepEqual(await rowsOf(beginMs + 7 * dayMs), rows)
})
