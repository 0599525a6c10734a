// Whatever stops a keeper or its housekeeping, calls end and their holds are released.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { asOwner } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serveProcess, type TestService } from '../support/process/server.ts'

// A call that is never claimed ends after ten product seconds, two real ones.
const installation = await installPhones(0.2)
const { ownerUrl } = installation.database

// An old partition is due for removal, and somebody's view depends on it. Partitions are counted from the newest ID.
await makeService(installation)
await asOwner(
  (client) =>
    client.query(`DO $$ BEGIN
      PERFORM make_partition('verifications', 1, (now() AT TIME ZONE 'UTC')::date - date '2026-01-01' - 40, '');
      EXECUTE format('CREATE VIEW report AS SELECT id FROM verifications_%s',
        to_char((now() AT TIME ZONE 'UTC')::date - 40, 'YYYYMMDD'));
    END $$`),
  ownerUrl,
)
const first = await serveProcess(installation, { RINGPROOF_SWITCH: '' }, '--roles', 'keeper')
const second = await serveProcess(installation, { RINGPROOF_SWITCH: '' }, '--roles', 'api,keeper')
const { base } = second

async function started({ bearer: headers }: TestService): Promise<unknown> {
  const body = { phone: freshNumber('180') }
  const { status, text, json } = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers, body })
  assert.equal(status, 200, text)
  return json['vendor_id']
}

async function assertReleased(service: TestService, uid: unknown): Promise<void> {
  assert.equal((await settled(base, service, uid))['call_status'], 0)
  const { json } = await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })
  assert.equal(json['rub_balance'], 100)
}

async function session(): Promise<Client> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  return client
}

test('a failing housekeeping step is counted, and calls still end', { timeout: 30_000 }, async () => {
  const service = await makeService(installation)
  await assertReleased(service, await started(service))
  const texts = await Promise.all([first, second].map(async ({ metrics }) => (await fetch(metrics)).text()))
  assert(
    texts.some((text) => /^ringproof_keeper_housekeeping_failures_total\{step="drop-verifications"\} 1$/m.test(text)),
  )
  for (const text of texts) {
    const [, swept] = /^ringproof_keeper_last_sweep_timestamp_seconds\{database="0"\} (\S+)$/m.exec(text) ?? []
    assert(Date.now() / 1_000 - Number(swept) < 10, 'a keeper has not swept')
  }
})

test('a locked row delays only its own account', { timeout: 30_000 }, async () => {
  const [held, free] = [await makeService(installation), await makeService(installation)]
  const uids = [await started(held), await started(free)]
  const holder = await session()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [held.accountId])
  await assertReleased(free, uids[1])
  await holder.query('ROLLBACK')
  await holder.end()
  await assertReleased(held, uids[0])
})

test('calls of an account whose row is locked by one session after another still end', {
  timeout: 30_000,
}, async () => {
  const busy = await makeService(installation)
  const uid = await started(busy)
  const over = new AbortController()
  const holders = await Promise.all([session(), session()])
  // While one session sleeps with the row lock, the other queues for it.
  const holding = holders.map(async (client) => {
    while (!over.signal.aborted) {
      await client.query('BEGIN')
      await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [busy.accountId])
      await client.query('SELECT pg_sleep(0.03)')
      await client.query('COMMIT')
    }
    await client.end()
  })
  try {
    await assertReleased(busy, uid)
  } finally {
    over.abort()
    await Promise.all(holding)
  }
})

test('while one keeper is frozen the other ends calls', { timeout: 30_000 }, async () => {
  const service = await makeService(installation)
  const { pid } = first.running.process
  assert(pid)
  process.kill(pid, 'SIGSTOP')
  try {
    await assertReleased(service, await started(service))
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

test('a long read of old partitions blocks neither housekeeping nor new calls', { timeout: 30_000 }, async () => {
  await asOwner((client) => client.query('DROP VIEW report'), ownerUrl)
  const service = await makeService(installation)
  const unlockedFromMs = performance.now()
  const uid = await started(service)
  const unlockedMs = performance.now() - unlockedFromMs
  const reader = await session()
  await reader.query('BEGIN')
  await reader.query('SELECT count(*) FROM verifications WHERE id = 0')
  // Its first round runs at once and cannot lock the partition.
  const third = await serveProcess(installation, { RINGPROOF_SWITCH: '' }, '--roles', 'keeper')
  await third.running.says('"step":"drop-verifications"')
  const startedMs = performance.now()
  await started(service)
  const lockedMs = performance.now() - startedMs
  assert(lockedMs < 2_000 + 10 * unlockedMs, `initCall took ${lockedMs} ms, ${unlockedMs} ms without the lock`)
  assert.equal((await settled(base, service, uid))['call_status'], 0)
  await reader.query('COMMIT')
  await reader.end()
})
