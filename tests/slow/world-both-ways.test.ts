// The same calls twice: by the writer of the demo's past, and by the product with its API, engine and database over a scripted phone
// network. Every column is equal, except IDs, times, and what is sealed or random. Faults of a single trunk are left out: the
// scripted network knows the number alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CustomerName, customerNames, customers } from '../../scripts/world/cast.ts'
import { beginningBefore, saleDay } from '../../scripts/world/demand.ts'
import type { Call, History } from '../../scripts/world/events.ts'
import { nothingCarried } from '../../scripts/world/history.ts'
import { scenarioOf } from '../../scripts/world/subscribers.ts'
import { moveMoney } from '../../server/src/actions/money/ledger.ts'
import { deleteTrunk } from '../../server/src/db/trunks/trunk.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { dayMs, hourMs } from '../../server/src/domain/values/time.ts'
import { ask } from '../support/http/ask.ts'
import { installPhones, settled } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { emptyWorld, historyOf, type PastWorld } from '../support/world/past.ts'

const count = Number(process.env['WORLD_CALLS'] ?? 60)
const deposit = 5_000_000_000 as MicroAmount

// The last ones before the evening on which a trunk falls ill.
const beginMs = beginningBefore(Date.now(), saleDay + 1)
const untilMs = beginMs + saleDay * dayMs + 18.5 * hourMs
const fromMs = untilMs - 24 * hourMs
const calls = spread(chosen(historyOf(beginMs, fromMs, untilMs)))

const phones = await installPhones(1)
const secretsDir = phones.environment['RINGPROOF_SECRETS_DIR'] ?? ''
for (const name of ['first', 'second']) await deleteTrunk(phones.slots.globalDatabase, name)
const lived = await emptyWorld(beginMs, { ownerUrl: phones.database.ownerUrl, secretsDir })
const environment = { ...phones.environment, RINGPROOF_NUMBERING_DIR: lived.numberingDir }
const { base, output } = await serve({ ...phones, environment }, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })

const other = await installPhones(1)
for (const name of ['first', 'second']) await deleteTrunk(other.slots.globalDatabase, name)
const written = await emptyWorld(beginMs, { ownerUrl: other.database.ownerUrl, secretsDir })

test('the writer and the engine leave the same rows', { timeout: 1_800_000 }, async (t) => {
  assert.equal(calls.length, count)
  for (const world of [lived, written]) await payIn(world)
  await placeAll()
  await written.write(historyWith(calls), { fromMs, untilMs })
  const lives = await rowsOf(lived)
  const writes = await rowsOf(written)
  for (const [table, rows] of Object.entries(lives)) {
    t.diagnostic(`${table}: ${rows.length} rows`)
    assert(rows.length > 0, table)
    assert.deepEqual(writes[table], rows, table)
  }
})

// Each number once, and no call that only one trunk refused.
function chosen({ calls: all }: History): readonly Call[] {
  const byNumber = new Map(all.map((call) => [call.phone, call]))
  return [...byNumber.values()]
    .filter(({ phone, attempts }) =>
      attempts.every(
        ({ progress: { status, rangAtMs } }) =>
          status === undefined || rangAtMs !== undefined || String(status) === scenarioOf(phone),
      ),
    )
    .toSorted((a, b) => a.atMs - b.atMs)
}

// Over the whole day, so that every customer has some.
function spread(all: readonly Call[]): readonly Call[] {
  return Array.from({ length: count }, (_, nth) => all[Math.floor((nth * all.length) / count)]).filter(
    (call) => call !== undefined,
  )
}

async function payIn({ slots, customers: installed }: PastWorld): Promise<void> {
  for (const name of customerNames) {
    const { accountId } = installed[name]
    const payment = { accountId, move: 'credit', amount: deposit, reference: 'deposit', reason: 'test' } as const
    await moveMoney({ slots }, { address: '', userAgent: '', operator: 'test' }, payment)
  }
}

async function placeAll(): Promise<void> {
  for (const call of calls) await placeOne(call)
}

async function placeOne({ customer, phone, mode, code, client, unique }: Call): Promise<void> {
  const { key, serviceId } = lived.customers[customer]
  const bearer = { authorization: `Bearer ${key}.${serviceId}` }
  const { program, address } = customers[customer]
  const body = {
    phone,
    code,
    ...(client === '' ? {} : { client }),
    ...(unique === undefined ? {} : { unique }),
    ...(mode === 'flash' ? {} : { [mode]: true }),
  }
  const headers = { ...bearer, 'user-agent': program, 'x-forwarded-for': address }
  const started = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers, body })
  assert.equal(started.status, 200, `${started.text} ${output().slice(-1_500)}`)
  await settled(base, { bearer }, started.json['vendor_id'])
}

// As the writer gets it: only these calls, each account with what they leave of the deposit.
function historyWith(placed: readonly Call[]): History {
  const balanceOf = (name: CustomerName) =>
    placed
      .filter(({ customer, isSucceeded }) => customer === name && isSucceeded)
      .reduce((left, { price }) => left - price, deposit as number)
  const balances = Object.fromEntries(customerNames.map((name) => [name, balanceOf(name)]))
  return {
    calls: placed,
    waitings: [],
    refused: [],
    payments: [],
    switchOvers: [],
    routeMinutes: [],
    carried: { ...nothingCarried, balances: balances as Record<CustomerName, number> },
  }
}

// In voice the caller number is any of the trunk's, and the code is in no number.
const tables: Readonly<Record<string, string>> = {
  verifications: `
    SELECT account_id, service_id, mode, state, is_test, phone_hash, country, prefix, phone_info, code, price, attempt, pinned, trunk,
      CASE WHEN mode <> 'voice' THEN caller_number END AS shown, dialled_at IS NULL AS undialled, rang_at IS NULL AS unheard, reason,
      sip_status, post_dial_ms IS NULL AS undelayed, ring_ms >= 1000 AS rang, ended_by, charges_failed, first_id, repeat_ids,
      answered_at, shown_caller, client_digest, claim_token IS NULL AS unclaimed, assurance,
      extract(epoch FROM start_until - accepted_at) > 0 AS started, end_until > start_until AS ended
    FROM verifications ORDER BY phone_hash`,
  ledger: `
    SELECT entry.account_id, sequence, from_account, to_account, amount FROM ledger AS entry JOIN verifications AS call USING (id)
    ORDER BY call.phone_hash, sequence`,
  accounts: 'SELECT id, balance, held FROM accounts ORDER BY id',
  idempotency_keys: 'SELECT service_id, digest FROM idempotency_keys ORDER BY digest',
  subscriber_numbers: `
    SELECT hash, slot, lease_id, lease_until, lease_digest, call_service, cardinality(call_lease_id) AS calls
    FROM subscriber_numbers ORDER BY hash`,
  api_requests: `
    SELECT account_id, service_id, is_test, method, verb, http_status, code, refusal, address, auth, user_agent, request::text,
      regexp_replace(response::text, '"vendor_id","value":\\d+', '') AS response
    FROM api_requests WHERE method = 'initCall' ORDER BY account_id, request::text, response`,
  counts: `
    SELECT account_id, service_id, mode, is_test, country, provider, trunk, state, reason, sum(calls), sum(dialled), sum(rang),
      sum(repeats), sum(charged)
    FROM count_range(0, 9223372036854775807, NULL) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
}

async function rowsOf({ client }: PastWorld): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const read: [string, readonly unknown[]][] = []
  for (const [table, sql] of Object.entries(tables)) read.push([table, (await client.query(sql)).rows])
  return Object.fromEntries(read)
}
