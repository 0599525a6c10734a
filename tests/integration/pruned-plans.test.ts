// What PostgreSQL starts for one call, with auto_explain: few statements, and of the days that are kept only that of the call. A plan is
// kept by its session, so the partitions can be left out only when it starts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { readState } from '../../scripts/stack/state.ts'
import { acceptCalls, claimCalls, endCalls, noteRang } from '../../server/src/db/verifications/verification.ts'
import type { VerificationId } from '../../server/src/domain/core/slot.ts'
import { atEnd } from '../support/at-end.ts'
import { callRequest } from '../support/database/call-request.ts'
import { install, makeService } from '../support/process/server.ts'

const installation = await install()
const service = await makeService(installation, 1_000)
const session = await superuser()
const plans: string[] = []
session.on('notice', ({ message = '' }) => plans.push(message))
await session.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
  SET auto_explain.log_level = notice`)
const partitions = await countPartitions()

const steps: Readonly<Record<string, (ids: readonly VerificationId[]) => Promise<unknown>>> = {
  claim: (ids) =>
    claimCalls(
      session,
      ids.map((id) => ({ id, attempt: 1, trunk: 'first', callerNumber: undefined, token: id })),
    ),
  rang: (ids) =>
    noteRang(
      session,
      ids.map((id) => ({ id, attempt: 1 })),
    ),
  end: (ids) => {
    const outcome = { attempt: 1, succeeded: true, reason: 'rang', sipStatus: 487 }
    const number = { numberHashes: undefined, numberLeaseId: undefined }
    return endCalls(
      session,
      ids.map((id) => ({ id, ...outcome, ...number })),
    )
  },
}
// Of a single call: the step itself, what it reads and locks, and its writing.
const statementsMax: Readonly<Record<string, number>> = { accept: 7, claim: 2, rang: 2, end: 5 }

test('the plans of a claim, a ring and an end leave out the partitions of other days when they start', async () => {
  for (const size of [1, 2]) {
    const ids = await accept(size)
    for (const [step, run] of Object.entries(steps)) {
      const reading = (await explained(() => run(ids))).filter((plan) => plan.includes('on verifications_'))
      assert(reading.length > 0, step)
      for (const plan of reading)
        assert.match(plan, new RegExp(`Subplans Removed: ${partitions - 1}\\b`), `${step} of ${size}`)
    }
  }
})

test('a single call starts few statements', async () => {
  // The first ones of a session plan, and so does one after an ANALYZE that comes in between: the fewest of three do not.
  for (const run of Object.values(steps)) await run(await accept(1))
  const calls = [await countStatements(), await countStatements(), await countStatements()]
  for (const [step, most] of Object.entries(statementsMax))
    assert.equal(Math.min(...calls.map((counts) => counts[step] ?? Number.NaN)), most, step)
})

async function countStatements(): Promise<Readonly<Record<string, number>>> {
  let ids: readonly VerificationId[] = []
  const counts: Record<string, number> = { accept: (await explained(async () => (ids = await accept(1)))).length }
  for (const [step, run] of Object.entries(steps)) counts[step] = (await explained(() => run(ids))).length
  return counts
}

async function accept(size: number): Promise<readonly VerificationId[]> {
  const accepted = await acceptCalls(
    session,
    Array.from({ length: size }, () => callRequest(service, {})),
    1,
  )
  return accepted.map(({ id }) => id as VerificationId)
}

async function explained(work: () => Promise<unknown>): Promise<readonly string[]> {
  plans.length = 0
  await work()
  return [...plans]
}

async function countPartitions(): Promise<number> {
  const { rows } = await session.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_partition_tree('verifications') WHERE isleaf`,
  )
  return rows[0]?.count ?? 0
}

// Only a superuser may load auto_explain.
async function superuser(): Promise<Client> {
  const url = new URL(installation.database.ownerUrl)
  url.username = 'postgres'
  url.password = (await readState())?.passwords.postgresSuperuser ?? ''
  const client = new Client({ connectionString: url.href })
  await client.connect()
  atEnd(() => client.end())
  return client
}
