// A database restored to an earlier moment (F25), while NATS and the customers know what happened after it. The copy is
// made by pg_dump at that moment and restored later.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { nextAccountId } from '../../server/src/db/accounts/account.ts'
import { createSlotMap, type SlotMap } from '../../server/src/db/core/slot-map.ts'
import { claimCalls } from '../../server/src/db/verifications/verification.ts'
import { type AccountId, slotOfAccount, slotsAll, type VerificationId } from '../../server/src/domain/core/slot.ts'
import { atEnd } from '../support/at-end.ts'
import { asOwner, emptyDatabase, type TestDatabase } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { type Environment, ringproof, ringproofJson } from '../support/process/cli.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const installation = await installPhones(1)
const { slots, database } = installation
const service = await makeService(installation, 10)
const repaired = new Set<string>()
const receiver = await createReceiverToTheEnd((response, { url }) =>
  response.writeHead(repaired.has(url) ? 204 : 500).end(),
)

type Known = { readonly id: VerificationId; readonly phone: string; readonly unique: string }

// No process dials in the first life of the installation: its calls wait in NATS.
const first = await serve(installation, {}, '--roles', 'api,webhooks')
const { call, vault } = await createInboundCalls(installation)
const earlier = await startCall(first.base, 'order-1')
const [delivered, undelivered] = [await proved('/delivered'), await proved('/undelivered')]
await addSession(slots)
await poll('both webhooks to be attempted', () => receiver.received.length >= 2)

const file = join(fileDirectory(), 'earlier.dump')
execFileSync('pg_dump', ['--format=custom', `--file=${file}`, database.ownerUrl])

// What the restored database will not know.
const later = await startCall(first.base, 'order-2')
const { accountId: laterAccount } = await makeService(installation, 1)
repaired.add('/delivered')
await slots.globalDatabase.query(`UPDATE webhooks SET due_at = now() WHERE id = $1 AND state = 'due'`, [delivered])
await poll('the webhook to be delivered', async () => (await webhookOf(slots, delivered)).state === 'delivered')
const { vault_name } = await webhookOf(slots, delivered)
await poll('its number to be erased', async () => (await vault.read(vault_name)) === undefined)
await first.stop()

test('calls of the moment restored to are not dialled, and their holds are released', async () => {
  const restored = await restore()
  // As if everything above had taken no time: the deadline alone must not decide.
  await asOwner(
    (client) =>
      client.query(
        `UPDATE verifications SET start_until = now() + interval '1 hour', end_until = now() + interval '1 hour'`,
      ),
    restored.database.ownerUrl,
  )
  const finished = await ringproof(restored.environment, 'backup', 'finish-restore', '--yes')
  assert.equal(finished.status, 0, finished.err)
  assert.match(finished.out, /restored to \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC: one active call ends, one session ends/)
  assert.deepEqual(await claim(restored.slots, earlier), [undefined])

  const { base } = await serve({ ...restored, recordKeys: installation.recordKeys })
  const ended = await settled(base, service, earlier.id)
  assert.equal(ended['call_status'], 0)
  const { rows } = await restored.slots.globalDatabase.query(
    'SELECT attempt, dialled_at FROM verifications WHERE id = $1',
    [earlier.id],
  )
  assert.deepEqual(rows, [{ attempt: 0, dialled_at: null }])
  const { sum, faults } = await ringproofJson<{ sum: number; faults: unknown[] }>(
    restored.environment,
    'ledger',
    'audit',
  )
  assert.deepEqual([sum, faults], [0, []])

  // The order of the lost call is still in NATS. It finds no row and is dropped; a later call rings.
  const shown = await ringproof(restored.environment, 'verifications', 'show', String(later.id))
  assert.match(shown.err, /a restore from a backup lost everything between/)
  assert.equal((await ask(`${base}/v1.0/getInfo?uid=${later.id}`, { headers: service.bearer })).json['status'], false)

  // A key of before the moment is recognised. One of after it starts a new call, with an ID that was never given out.
  const sameKey = await startCall(base, 'order-1', earlier.phone)
  assert.equal(sameKey.id, earlier.id)
  const again = await startCall(base, 'order-2', later.phone)
  assert(again.id > later.id)
  assert.equal((await settled(base, service, again.id))['call_status'], 1)

  assert.deepEqual(await webhooksAfterRestore(restored.slots), { delivered: 'dead erased', undelivered: 'delivered' })
})

test('IDs of lost accounts are not given out again; sessions and links end', async () => {
  const restored = await restore()
  await ringproof(restored.environment, 'backup', 'finish-restore', '--yes')
  assert((await nextAccount(restored.slots)) > laterAccount)
  const { rows } = await restored.slots.globalDatabase.query(
    'SELECT (SELECT count(*) FROM web_sessions) AS sessions, (SELECT count(*) FROM one_time_links) AS links',
  )
  assert.deepEqual(rows, [{ sessions: 0, links: 0 }])
})

test('without finish-restore a call could be dialled again, and the IDs of lost accounts come back', async () => {
  const restored = await restore()
  await asOwner(
    (client) => client.query(`UPDATE verifications SET start_until = now() + interval '1 hour'`),
    restored.database.ownerUrl,
  )
  const shown = await ringproof(restored.environment, 'backup', 'finish-restore')
  assert.match(shown.out, /knows of nothing after .* run: ringproof backup finish-restore --yes/s)
  assert.notDeepEqual(await claim(restored.slots, earlier), [undefined])
  assert.equal(await nextAccount(restored.slots), laterAccount)
})

async function startCall(base: string, unique: string, phone = freshNumber('180')): Promise<Known> {
  const body = { phone, unique }
  const { json, text } = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body })
  assert.equal(json['status'], true, text)
  return { id: json['vendor_id'] as VerificationId, phone, unique }
}

// An inbound verification whose call was matched; its webhook is due.
async function proved(path: string): Promise<VerificationId> {
  const phone = freshNumber('180')
  const body = { phone, callback_url: `${receiver.url}${path}` }
  const { json, text } = await ask(`${first.base}/v1.0/inboundCallWaiting`, {
    method: 'POST',
    headers: service.bearer,
    body,
  })
  assert.equal(json['status'], true, text)
  await call(phone, String(json['confirmation_number']))
  return json['vendor_id'] as VerificationId
}

async function webhookOf({ globalDatabase }: SlotMap, id: VerificationId) {
  const { rows } = await globalDatabase.query<{ state: string; reason: string | null; vault_name: string }>(
    'SELECT state, reason, vault_name FROM webhooks WHERE id = $1',
    [id],
  )
  assert(rows[0])
  return rows[0]
}

// The number of the first was erased after its delivery, which the restored database does not know: it is not sent twice
// with another number, it is reported as erased. The second is delivered late.
async function webhooksAfterRestore(restored: SlotMap) {
  const before = receiver.received.filter(({ url }) => url === '/delivered').length
  repaired.add('/undelivered')
  const ended = async (id: VerificationId) =>
    poll(
      `webhook ${id} to end`,
      () => webhookOf(restored, id),
      ({ state }) => state !== 'due',
    )
  const [one, other] = [await ended(delivered), await ended(undelivered)]
  assert.equal(receiver.received.filter(({ url }) => url === '/delivered').length, before)
  return { delivered: `${one.state} ${one.reason}`, undelivered: other.state }
}

type Restored = { readonly environment: Environment; readonly database: TestDatabase; readonly slots: SlotMap }

async function restore(): Promise<Restored> {
  const copy = await emptyDatabase()
  execFileSync('pg_restore', ['--exit-on-error', `--dbname=${copy.ownerUrl}`, file])
  const restored = createSlotMap(new Map(slotsAll.map((slot) => [slot, copy.ownerUrl])))
  atEnd(() => restored.close())
  const environment = { ...installation.environment, RINGPROOF_DATABASE_URL: copy.url }
  return { environment, database: copy, slots: restored }
}

async function claim({ globalDatabase }: SlotMap, { id }: Known) {
  return claimCalls(globalDatabase, [{ id, attempt: 1, trunk: 'first', callerNumber: undefined, token: 1 }])
}

// The ID that the next account in the slot of the lost one would get.
async function nextAccount({ globalDatabase }: SlotMap): Promise<AccountId> {
  return nextAccountId(globalDatabase, slotOfAccount(laterAccount))
}

async function addSession({ globalDatabase }: SlotMap): Promise<void> {
  const digest = createHash('sha256').update('session').digest()
  await globalDatabase.query(`INSERT INTO users (email, password_hash, language) VALUES ('one@example.org', 'x', 'en')`)
  await globalDatabase.query(
    `INSERT INTO web_sessions (digest, user_id, stage, address, user_agent) SELECT $1, id, 'signed-in', '', '' FROM users`,
    [digest],
  )
  await globalDatabase.query(
    `INSERT INTO one_time_links (digest, kind, email, valid_until) VALUES ($1, 'reset', 'one@example.org', now() + interval '1 hour')`,
    [digest],
  )
}
