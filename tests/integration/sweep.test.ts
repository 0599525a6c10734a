// One sweep at a time, run by hand: what it ends, what it leaves, and where it starts reading.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from 'pg'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { isLockTimeout } from '../../server/src/db/core/database.ts'
import { sweepCalls } from '../../server/src/db/core/sweep.ts'
import { acceptCalls, readVerification } from '../../server/src/db/verifications/verification.ts'
import type { VerificationId } from '../../server/src/domain/core/slot.ts'
import { callRequest } from '../support/database/call-request.ts'
import { asOwner } from '../support/database/test-database.ts'
import { poll } from '../support/poll.ts'
import { install, makeService, type TestService } from '../support/process/server.ts'

const installation = await install()
const database = installation.slots.globalDatabase
const owned = <T>(work: (client: Client) => Promise<T>) => asOwner(work, installation.database.ownerUrl)
const service = await makeService(installation, 1_000)

async function accepted(of: TestService, timeScale = 1): Promise<VerificationId> {
  const [one] = await acceptCalls(database, [callRequest(of)], timeScale)
  assert(one?.id, one?.decision)
  return one.id
}

// Its deadlines have passed as soon as it is accepted.
const overdue = (of: TestService) => accepted(of, 0)
const stateOf = async (id: VerificationId) => (await readVerification(database, id))?.state
const sweep = () => sweepCalls(database, 500)

async function markOf(): Promise<number> {
  const { rows } = await owned((client) => client.query<{ mark: string }>('SELECT from_id AS mark FROM sweep_marks'))
  return Number(rows[0]?.mark)
}

// The watermark moves once earlier transactions of the whole cluster are finished, including those of other tests.
async function sweptPast(id: number): Promise<void> {
  const sweepAndRead = async () => {
    await sweep()
    return markOf()
  }
  await poll(`the sweep mark to pass ${id}`, sweepAndRead, (mark) => mark > id)
}

// An ID of the next second or later.
async function laterId(id: number): Promise<void> {
  const secondOf = (one: number) => Math.floor(one / 2 ** 23)
  const nextId = async () => (await database.query<{ id: number }>('SELECT next_id(0) AS id')).rows[0]?.id ?? 0
  await poll('the next second', nextId, (next) => secondOf(next) > secondOf(id))
}

test('a locked account keeps only its own calls open, and a locked call only itself', async () => {
  const neighbour = await makeService(installation, 1_000)
  const [held, own, other] = [await overdue(service), await overdue(neighbour), await overdue(neighbour)]
  await owned(async (client) => {
    await client.query('BEGIN')
    await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [service.accountId])
    await client.query('SELECT FROM verifications WHERE id = $1 FOR UPDATE', [other])
    assert.deepEqual(await sweep(), { ended: 1, skipped: [service.accountId] })
    assert.deepEqual(await Promise.all([held, own, other].map(stateOf)), ['accepted', 'failed', 'accepted'])
    await assert.rejects(sweepCalls(database, 500, service.accountId), isLockTimeout)
    await client.query('ROLLBACK')
  })
  assert.deepEqual(await sweep(), { ended: 2, skipped: [] })
})

test('a locked account with more overdue calls than a sweep takes does not stop other accounts', async () => {
  const neighbour = await makeService(installation, 1_000)
  await overdue(service)
  await overdue(service)
  const own = await overdue(neighbour)
  await owned(async (client) => {
    await client.query('BEGIN')
    await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [service.accountId])
    assert.equal((await sweepCalls(database, 2)).ended, 1)
    await client.query('ROLLBACK')
  })
  assert.equal(await stateOf(own), 'failed')
  assert.equal((await sweep()).ended, 2)
})

test('concurrent sweeps end each call once', async () => {
  const ids = [await overdue(service), await overdue(service), await overdue(service)]
  const swept = await Promise.all(Array.from({ length: 8 }, sweep))
  const last = await sweep()
  assert.equal(
    [...swept, last].reduce((sum, { ended }) => sum + ended, 0),
    3,
  )
  assert.deepEqual(await Promise.all(ids.map(stateOf)), ['failed', 'failed', 'failed'])
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('the watermark stops at an open call, and moves on when the call ends', { timeout: 30_000 }, async () => {
  const open = await accepted(service)
  await laterId(open)
  for (let n = 0; n < 4; n++) await sweep()
  assert((await markOf()) <= open)
  await owned((client) => client.query('UPDATE verifications SET start_until = now() WHERE id = $1', [open]))
  await sweptPast(open)
})

test('the watermark stops at an ID whose transaction has not committed', { timeout: 30_000 }, async () => {
  const drawn = await owned(async (client) => {
    await client.query('BEGIN')
    await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [service.accountId])
    const { rows } = await client.query<{ id: string }>('SELECT next_id($1) AS id', [service.accountId % 64])
    const id = Number(rows[0]?.id)
    await laterId(id)
    for (let n = 0; n < 4; n++) await sweep()
    assert((await markOf()) <= id)
    await client.query('ROLLBACK')
    return id
  })
  await sweptPast(drawn)
})

test('the watermark moves on in a database restored into another cluster', { timeout: 30_000 }, async () => {
  const id = await overdue(service)
  await owned((client) =>
    client.query(`UPDATE sweep_marks SET from_id = 0, next_id = 0, next_xid = '9000000000000000'`),
  )
  await laterId(id)
  await sweptPast(id)
})
