// The database of a run: whether everything in it is final, and its state at the end.

import { Client } from 'pg'
import type { AccountId, ServiceId } from '../../server/src/domain/core/slot.ts'
import {
  ofActiveKey,
  type PhoneNumber,
  subscriberHashes,
  tenantHashes,
} from '../../server/src/domain/numbers/phone-number.ts'
import { unsealPerson } from '../../server/src/domain/verifications/person.ts'
import { poll } from '../support/poll.ts'
import type { Recorder } from './histories.ts'
import type { Filled } from './installation.ts'

const settleMs = 60_000
const intervalMs = 200

// Resolves when nothing is open, or after the timeout with what is still open.
export async function settled({ ownerUrls }: Pick<Filled, 'ownerUrls'>): Promise<number> {
  const deadlineMs = performance.now() + settleMs
  const read = async () => {
    const counts = await inEach(ownerUrls, async (client) => (await client.query<{ open: number }>(countOpen)).rows)
    return counts.flat().reduce((sum, row) => sum + row.open, 0)
  }
  const isOver = (open: number) => open === 0 || performance.now() > deadlineMs
  return poll('calls and webhooks to end', read, isOver, { intervalMs, timeoutMs: 2 * settleMs })
}

const countOpen = `SELECT (SELECT count(*) FROM verifications WHERE state IN ('accepted', 'dialling'))::int
  + (SELECT count(*) FROM webhooks WHERE state = 'due')::int AS open`

// Everything about the accounts of the given services; in the crash test there are no others.
export async function dumpRecord(
  installation: Filled,
  recorder: Recorder,
  timeScale: number,
  phones: ReadonlySet<string>,
): Promise<void> {
  const accounts = Object.values(installation.services).map(({ accountId }) => accountId)
  const services = Object.values(installation.services).map(({ serviceId }) => serviceId)
  const resolve = createResolver(installation, phones)
  const called = calledNumbers(installation, phones)
  await inEach(installation.ownerUrls, async (client) => {
    const rows = async (sql: string, values: readonly unknown[]) =>
      (await client.query<Record<string, unknown>>(sql, [...values])).rows
    for (const line of await rows(plainTables, [accounts, services])) recorder.record(line['line'] as never)
    for (const { line, hash } of await rows(numberTable, [services])) {
      recorder.record({ ...(line as object), phone: called.get((hash as Buffer).toString('hex')) ?? '' } as never)
    }
    for (const { line, hash, sealed } of await rows(verificationTable(timeScale), [accounts])) {
      const row = line as { accountId: number; serviceId: number }
      recorder.record({
        ...row,
        phone: resolve(row.accountId, hash as Buffer),
        ...uniqueOf(installation, row.serviceId, sealed as Buffer),
      } as never)
    }
  })
}

const ms = (column: string) => `round(extract(epoch FROM ${column}) * 1000, 3)`

const plainTables = `
SELECT jsonb_build_object('type', 'account', 'id', id, 'balance', balance, 'held', held) AS line FROM accounts
  WHERE id = ANY ($1)
UNION ALL SELECT jsonb_build_object('type', 'service', 'id', id, 'accountId', account_id,
  'calls10Minutes', calls_per_number_10_minutes, 'callsDay', calls_per_number_day) FROM services
  WHERE account_id = ANY ($1)
UNION ALL SELECT jsonb_build_object('type', 'entry', 'id', id, 'sequence', sequence, 'accountId', account_id,
  'from', from_account, 'to', to_account, 'amount', amount) FROM ledger
  WHERE account_id = ANY ($1)
UNION ALL SELECT jsonb_build_object('type', 'key', 'serviceId', service_id, 'digest', encode(digest, 'hex'), 'id', id)
  FROM idempotency_keys WHERE service_id = ANY ($2)
UNION ALL SELECT jsonb_build_object('type', 'change', 'id', id, 'from', from_state, 'to', to_state, 'atMs', ${ms('at')})
  FROM crash_changes WHERE id IN (SELECT id FROM verifications WHERE account_id = ANY ($1))
UNION ALL SELECT jsonb_strip_nulls(jsonb_build_object('type', 'webhook', 'id', id, 'state', state, 'reason', reason,
  'attempts', attempts)) FROM webhooks WHERE id IN (SELECT id FROM verifications WHERE account_id = ANY ($1))`

// Calls counted by the limits of a number, one line each. Some belong to no call: their process died between reservation and
// accept.
const numberTable = `
SELECT jsonb_build_object('type', 'counted', 'serviceId', service, 'token', token, 'atMs', ${ms('at')}) AS line, hash
FROM subscriber_numbers, unnest(call_at, call_service, call_lease_id) AS c(at, service, token)
WHERE service = ANY ($1)`

// start_until is ten seconds after the time the limits were evaluated at.
const verificationTable = (timeScale: number) => `
SELECT jsonb_strip_nulls(jsonb_build_object('type', 'verification', 'id', id, 'accountId', account_id, 'serviceId', service_id,
  'mode', mode, 'state', state, 'price', price, 'attempt', attempt, 'reason', reason, 'acceptedAtMs', ${ms('accepted_at')},
  'evaluatedAtMs', ${ms(`start_until - interval '10 seconds' * ${timeScale}`)}, 'endUntilMs', ${ms('end_until')},
  'endedAtMs', ${ms('ended_at')})) AS line, phone_hash AS hash, person_sealed AS sealed
FROM verifications WHERE account_id = ANY ($1) ORDER BY id`

// By verification ID, as text.
export async function readCodes({ ownerUrls }: Pick<Filled, 'ownerUrls'>): Promise<ReadonlyMap<string, string>> {
  const sql = 'SELECT id::text, code FROM verifications WHERE code IS NOT NULL'
  const rows = await inEach(ownerUrls, async (client) => (await client.query<{ id: string; code: string }>(sql)).rows)
  return new Map(rows.flat().map(({ id, code }) => [id, code]))
}

// The numbers of the run by the hash that limits use.
function calledNumbers({ secrets }: Filled, phones: ReadonlySet<string>): ReadonlyMap<string, string> {
  const hashOf = (phone: string) =>
    ofActiveKey(subscriberHashes(secrets['phone-subscriber'], phone as PhoneNumber)).toString('hex')
  return new Map([...phones].map((phone) => [hashOf(phone), phone]))
}

function createResolver({ secrets }: Filled, phones: ReadonlySet<string>) {
  const byAccount = new Map<number, Map<string, string>>()
  return (accountId: number, hash: Buffer): string => {
    let known = byAccount.get(accountId)
    if (!known) {
      const hashOf = (phone: string) =>
        ofActiveKey(tenantHashes(secrets['phone-tenant'], accountId as AccountId, phone as PhoneNumber)).toString('hex')
      known = new Map([...phones].map((phone) => [hashOf(phone), phone]))
      byAccount.set(accountId, known)
    }
    return known.get(hash.toString('hex')) ?? ''
  }
}

function uniqueOf({ secrets }: Filled, serviceId: number, sealed: Buffer): { readonly unique?: string } {
  try {
    const { unique } = unsealPerson(secrets['seal-records'], serviceId as ServiceId, sealed)
    return unique === undefined ? {} : { unique }
  } catch (error) {
    // What is not sealed at all is reported by the search for numbers in clear.
    if (error instanceof Error && error.message === 'not a sealed text') return {}
    throw error
  }
}

// One database after the other.
async function inEach<T>(urls: readonly string[], work: (client: Client) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = []
  for (const connectionString of urls) {
    const client = new Client({ connectionString })
    // The running query reports it.
    client.on('error', () => undefined)
    await client.connect()
    try {
      results.push(await work(client))
    } finally {
      await client.end()
    }
  }
  return results
}
