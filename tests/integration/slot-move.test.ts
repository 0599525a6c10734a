// A slot moves from one database to another: what is copied, what is fenced off meanwhile, and what stops it.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { cancelMove, moveSlot } from '../../server/src/actions/installation/move-slot.ts'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { type Database, movingSlotOf } from '../../server/src/db/core/database.ts'
import { mapLockTimeout } from '../../server/src/db/core/map-lock-timeout.ts'
import { createSlotMap } from '../../server/src/db/core/slot-map.ts'
import { freezeSlot, inExemptSession, readSlotMove, unfreezeSlot } from '../../server/src/db/core/slot-move.ts'
import { slotTables, stayingTables } from '../../server/src/db/core/slot-tables.ts'
import { createCallBatches } from '../../server/src/db/verifications/call-batches.ts'
import { acceptCalls } from '../../server/src/db/verifications/verification.ts'
import { type Slot, slotOfVerification, slotsAll } from '../../server/src/domain/core/slot.ts'
import { Refusal } from '../../server/src/process/errors.ts'
import { atEnd } from '../support/at-end.ts'
import { assertEmpty, callOf, makeServiceIn, moveDeps, rowsOf } from '../support/database/moving-slot.ts'
import { install } from '../support/process/server.ts'

const installation = await install(2)
const { slots } = installation
const [left, right] = [slots.databaseOf(1 as Slot), slots.databaseOf(63 as Slot)]
const batches = createCallBatches(slots, 1)
// As a process of the API is connected.
const urls = String(installation.environment['RINGPROOF_SHARD_URLS']).split(' ')
const asApi = createSlotMap(
  new Map(slotsAll.map((slot) => [slot, (urls[slot < 32 ? 0 : 1] ?? '').replace(/^\d+-\d+=/, '')])),
  undefined,
  'api',
)
atEnd(() => asApi.close())

const minuteIds = 60 * 2 ** 23

const claimOf = (id: number) => ({ id: id as never, attempt: 1, trunk: 'first', callerNumber: undefined, token: 1 })
const endOf = (id: number) => ({
  id: id as never,
  attempt: 1,
  succeeded: true,
  reason: 'rang' as const,
  sipStatus: undefined,
  numberHashes: undefined,
  numberLeaseId: undefined,
})

async function accept(service: Parameters<typeof callOf>[0], numberSlot: number): Promise<number> {
  const accepted = await batches.accept(callOf(service, numberSlot))
  assert(accepted.id, accepted.decision)
  return accepted.id
}

// Rows in tables that a call does not write.
async function fillTables(database: Database, accountId: number, serviceId: number, id: number): Promise<void> {
  const values = [
    `start_steps (account_id, step) VALUES (${accountId}, 'key')`,
    `legal_details (id, details_sealed) VALUES (${accountId}, '\\x01')`,
    `client_hints (service_id, client) VALUES (${serviceId}, 'é "quoted", (odd)')`,
    `prefix_usage (service_id, prefix, hour, hour_count) VALUES (${serviceId}, -5, '-infinity', 1)`,
    `fraud_hits (minute, rule, service_id, prefix, hits) VALUES (now(), 'prefix-cap', ${serviceId}, 7, 2)`,
    `payment_references VALUES (${accountId}, 'bank 1', ${id}, 'external', 5)`,
    `ledger_days VALUES (${accountId}, '2026-01-02', 'external', 'available', 5, 1), (${accountId}, '2026-01-02', 'available', 'external', 5, 1)`,
    `webhooks (id, service_id, is_test, callback_sealed, receiver_digest, confirmation_number, vault_name, number_until)
     VALUES (${id}, ${serviceId}, false, '\\x', '\\x', 7, 'v', now())`,
    `webhook_attempts (id, attempt, duration_ms, response_start) VALUES (${id}, 1, 5, '')`,
    `sip_messages (id, attempt, trunk, messages) VALUES (${id}, 1, 'first', '[{"a": 1}]')`,
    `opt_outs (digest) VALUES (set_byte(sha256('${id}'), 3, ${accountId % 64}))`,
    `inbound_requests (id, account_id, service_id, is_test, subscriber_hash, confirmation_number, callback_sealed, receiver_digest, until)
     VALUES (${id}, ${accountId}, ${serviceId}, false, sha256('a'), 7, '\\x', '\\x', now())`,
    `ladders (id, account_id, service_id, is_test, phone_hash, code, has_code, modes, modes_left, call_ids, checks_max, check_keys,
       vault_name, language, skipped, expires_at, due_at)
     VALUES (${id}, ${accountId}, ${serviceId}, false, sha256('a'), '0417', true, '{flash,voice}', '{voice}', '{${id}}', 3, '{"\\x01"}',
       'v', 'ru', '[{"code": "b", "mode": "a"}]', now(), now())`,
    ...['minutes', 'minutes', 'hours'].map(
      (kind) =>
        `call_${kind} VALUES (date_trunc('hour', now()), ${accountId}, ${serviceId}, 'flash', false, 'RU', '', 'first', 'succeeded', '', 1, 1, 1, 0, 5, '{1,2}')`,
    ),
    `api_requests VALUES (now(), gen_random_uuid(), ${accountId}, ${serviceId}, false, 'initCall', 'POST', 200, NULL, NULL, 5, '', '', '', ${id}, '{"b":1, "a":2}', '{}')`,
    `api_request_counts VALUES (${accountId}, now(), ${serviceId}, false, 'initCall', '', '', 50, 3, now())`,
  ]
  for (const value of values) await database.query(`INSERT INTO ${value}`)
}

test('every table is copied or stays, and the key of a copied table is its primary key', async () => {
  const { rows } = await left.query<{ name: string; key: string[] | null }>(
    `SELECT c.relname AS name, (
       SELECT json_agg(a.attname ORDER BY array_position(p.conkey, a.attnum)) FROM pg_constraint AS p
       JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY (p.conkey) WHERE p.conrelid = c.oid AND p.contype = 'p') AS key
     FROM pg_class AS c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype = 'e')`,
  )
  const listed = [...slotTables.map(({ name }) => name), ...stayingTables]
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), listed.toSorted())
  for (const { name, key } of rows) {
    const table = slotTables.find((one) => one.name === name)
    if (table && key) assert.deepEqual(table.key, key, name)
  }
})

test('a move copies every row, also what changes before the switch, and leaves nothing behind', async () => {
  const slot = 5 as Slot
  const service = await makeServiceIn(installation, slot)
  const [ended, dialled, open] = [await accept(service, 5), await accept(service, 5), await accept(service, 7)]
  await batches.claim(claimOf(ended))
  await batches.end(endOf(ended))
  await batches.claim(claimOf(dialled))
  await fillTables(left, service.accountId, service.serviceId, ended)
  // The source has counted the minute of these calls, the new database has counted nothing.
  const counted = (Math.floor(open / minuteIds) + 1) * minuteIds
  await left.query('UPDATE call_count_marks SET counted_to = $1', [counted])
  const audit = await auditLedger({ slots })
  let before: ReadonlyMap<string, string> | undefined
  const change = async () => {
    // The copy is not seen, not even by the owner.
    for (const database of [right, asApi.databaseOf(63 as Slot)])
      assert.equal(
        (await database.query('SELECT FROM verifications WHERE account_id = $1', [service.accountId])).rowCount,
        0,
      )
    assert.deepEqual((await auditLedger({ slots })).faults, [])
    await accept(service, 5)
    await batches.end(endOf(dialled))
    await left.query('DELETE FROM start_steps WHERE account_id = $1', [service.accountId])
    await left.query('DELETE FROM webhooks WHERE id = $1', [ended])
    await left.query('INSERT INTO call_minutes SELECT * FROM call_minutes WHERE account_id = $1', [service.accountId])
    before = await rowsOf(left, slot)
  }
  const moved = await moveSlot(moveDeps(left, right, change), slot)
  assert((moved.frozenMs ?? Number.POSITIVE_INFINITY) < 1_000, `frozen for ${moved.frozenMs} ms`)
  assert.deepEqual(await rowsOf(right, slot), before)
  for (const [table, checksum] of before ?? [])
    assert(
      /^[1-9]/.test(checksum) || ['start_steps', 'webhooks', 'webhook_attempts'].includes(table),
      `${table} is empty`,
    )
  await assertEmpty(left, slot)
  const { rows: marks } = await right.query<{ to: number }>('SELECT counted_to AS "to" FROM call_count_marks')
  assert.deepEqual(marks, [{ to: counted }])

  assert.deepEqual(await slots.refresh(), [slot])
  assert.equal(slots.databaseOf(slot), right)
  assert.equal((await batches.read(open as never))?.state, 'accepted')
  assert.equal(await batches.end({ ...endOf(open), attempt: 0, succeeded: false }), true)
  const newest = await accept(service, 5)
  assert(newest > open && slotOfVerification(newest as never) === slot)
  const after = await auditLedger({ slots })
  assert.deepEqual([after.faults, after.sum, after.accounts], [[], audit.sum, audit.accounts])
})

test('an interrupted move goes on, and a slot can move back', async () => {
  const slot = 6 as Slot
  const service = await makeServiceIn(installation, slot)
  const first = await accept(service, 6)
  await assert.rejects(
    moveSlot(
      moveDeps(left, right, () => Promise.reject(new Error('killed'))),
      slot,
    ),
    /killed/,
  )
  assert.equal((await readSlotMove(left, slot))?.state, 'copying')
  assert.equal(slots.databaseOf(slot), left)
  await batches.claim(claimOf(first))
  await moveSlot(moveDeps(left, right), slot)
  await slots.refresh()
  assert.equal((await batches.read(first as never))?.state, 'dialling')
  const second = await accept(service, 6)
  await moveSlot(moveDeps(right, left), slot)
  assert.deepEqual(await slots.refresh(), [slot])
  assert.equal(slots.databaseOf(slot), left)
  await assertEmpty(right, slot)
  assert.equal((await batches.read(second as never))?.state, 'accepted')
  assert.deepEqual((await auditLedger({ slots })).faults, [])
})

test('a frozen slot refuses changes, its requests wait, and others in the batch are served', async () => {
  const slot = 8 as Slot
  const [frozen, healthy] = [await makeServiceIn(installation, slot), await makeServiceIn(installation, 9)]
  const freeze = (ms: number) => inExemptSession(left, slot, (session) => freezeSlot(session, slot, ms))
  const during = async () => {
    await slots.refresh()
    await freeze(60_000)
    for (const request of [callOf(frozen, 9), callOf(healthy, 8)]) {
      const refused = await acceptCalls(asApi.databaseOf(slot), [request], 1).catch((error: unknown) => error)
      assert.equal(movingSlotOf(refused), slot)
      const mapped = await mapLockTimeout(Promise.reject(refused as Error)).catch((error: unknown) => error)
      assert(mapped instanceof Refusal && mapped.unavailableCause === 'slot_moving')
    }
    const order: string[] = []
    const waiting = accept(frozen, 9).then(() => order.push('frozen'))
    await Promise.all(Array.from({ length: 5 }, () => accept(healthy, 9).then(() => order.push('healthy'))))
    await unfreezeSlot(left, slot)
    await waiting
    assert.deepEqual(order, [...Array.from({ length: 5 }, () => 'healthy'), 'frozen'])
    // And a freeze whose command has died ends by itself.
    await freeze(200)
    await accept(frozen, 9)
  }
  await moveSlot(moveDeps(left, right, during), slot)
  // A process that does not know yet gets no further than the fence, or finds nothing.
  assert.equal(await batches.read((await accept(healthy, 9)) as never).then((one) => one?.state), 'accepted')
  await slots.refresh()
})

test('a cancelled move leaves the slot where it is and no copy', async () => {
  const slot = 10 as Slot
  const service = await makeServiceIn(installation, slot)
  const id = await accept(service, 10)
  await assert.rejects(
    moveSlot(
      moveDeps(left, right, () => Promise.reject(new Error('killed'))),
      slot,
    ),
    /killed/,
  )
  await cancelMove(moveDeps(left, right), slot)
  await assertEmpty(right, slot)
  assert.deepEqual(await slots.refresh(), [])
  assert.equal((await batches.read(id as never))?.state, 'accepted')
  await accept(service, 10)
  await assert.rejects(cancelMove(moveDeps(left, right), slot), /nothing to cancel/)
})

test('a copy that differs, and a change that was not noted, stop the move before the switch', async () => {
  const slot = 11 as Slot
  const service = await makeServiceIn(installation, slot)
  const stop = () => Promise.reject(new Error('killed'))
  await assert.rejects(moveSlot(moveDeps(left, right, stop), slot), /killed/)
  await inExemptSession(right, slot, (session) =>
    session.query('UPDATE services SET name = name || $1 WHERE id = $2', ['!', service.serviceId]),
  )
  await assert.rejects(moveSlot(moveDeps(left, right), slot), /services differs/)
  await cancelMove(moveDeps(left, right), slot)

  const unnoticed = async () => {
    await left.query(`DROP TRIGGER slot_move_${slot}_insert ON accounts`)
    await left.query('UPDATE accounts SET balance = balance - 1 WHERE id = $1', [service.accountId])
  }
  await assert.rejects(moveSlot(moveDeps(left, right, unnoticed), slot), /balances differ/)
  assert.equal((await readSlotMove(left, slot))?.state, 'copying')
  await left.query('UPDATE accounts SET balance = balance + 1 WHERE id = $1', [service.accountId])
  await cancelMove(moveDeps(left, right), slot)
  await accept(service, 11)
})

test('numbers that do not name their slot yet, and a slot in two databases, are refused', async () => {
  await left.query('INSERT INTO subscriber_numbers (hash) VALUES ($1)', [randomBytes(32)])
  await assert.rejects(moveSlot(moveDeps(left, right), 12 as Slot), /do not name their slot/)
  await left.query('DELETE FROM subscriber_numbers WHERE slot IS NULL')
  await right.query(`INSERT INTO slot_moves (slot, state, peer) VALUES (12, 'here', '')`)
  await assert.rejects(slots.refresh(), /Slot 12 is in/)
  await right.query('DELETE FROM slot_moves WHERE slot = 12')
})
