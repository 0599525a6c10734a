// PostgreSQL alone, under pgbench: one transaction per verification that writes the rows of an accept and evaluates no rule;
// and our batch function, called with batches of our average size.

import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BenchEnv, firstAccount, price, sql } from './environment.ts'

// pgbench is slower with more clients. On one account it is faster with fewer.
export const pgbenchClients = 64
const threads = 2
const connectSecondsMax = 32

// The balance comes last, so that its row lock is held as briefly as possible.
function transactionScript(lastAccount: number): string {
  return `\\set account random(${firstAccount}, ${lastAccount})
BEGIN;
INSERT INTO verifications (id, account_id, service_id, mode, phone_hash, person_sealed, country, code, price,
  balance_before, start_until, end_until, trunk, caller_number)
SELECT i, :account, :account, 'flash', sha256(int8send(i)), '\\x${'cd'.repeat(89)}', 'RU', '1234', ${price},
  1000000000000, clock_timestamp() + interval '10 seconds', clock_timestamp() + interval '55 seconds', 'bench', 70000001234
FROM next_id(:account % 64) AS i RETURNING id \\gset
INSERT INTO idempotency_keys (service_id, digest, id) VALUES (:account, decode(md5(:id::text), 'hex'), :id);
INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
VALUES (:id, 1, :account, 'available', 'held', ${price});
INSERT INTO subscriber_numbers (hash, lease_id, lease_until, call_at, call_service, call_lease_id)
VALUES (sha256(int8send(:id)), :id, clock_timestamp() + interval '55 seconds', ARRAY[clock_timestamp()],
  ARRAY[:account::integer], ARRAY[:id::bigint]);
UPDATE accounts SET balance = balance - ${price}, held = held + ${price}
WHERE id = :account AND balance >= ${price};
COMMIT;
`
}

// One client sends the batches one after another, each once, as a process does.
const batchScript = `SELECT count(*) FROM bench_batches AS b, accept_calls(b.body::json, 1)
WHERE b.n = (SELECT nextval('bench_batch'));
`

type Anchors = {
  // Transactions per second.
  readonly transactions: (seconds: number, accounts: number) => Promise<number>
  // Requests per second that the batch function accepts.
  readonly batches: (requests: readonly string[]) => Promise<number>
}

export function createAnchors(bench: BenchEnv): Anchors {
  const [ownerUrl] = bench.ownerUrls
  const directory = join(bench.directory, 'pgbench')
  mkdirSync(directory)
  const run = async (script: string, ...args: readonly string[]) => {
    const file = join(directory, 'script.sql')
    writeFileSync(file, script)
    const { hostname, port, username, password, pathname } = new URL(ownerUrl)
    const where = ['--host', hostname, '--port', port, '--username', username, pathname.slice(1)]
    const how = ['--no-vacuum', '--protocol=prepared', '--file', file]
    const env = { PGPASSWORD: decodeURIComponent(password), LC_ALL: 'C' }
    const { stdout } = await promisify(execFile)(pgbench(), [...how, ...args, ...where], { env })
    const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0)
    if (figure(/failed transactions: (\d+)/) !== 0) throw new Error(`pgbench had failed transactions: ${stdout}`)
    return { perSecond: figure(/^tps = ([\d.]+)/m), connectMs: figure(/^initial connection time = ([\d.]+)/m) }
  }
  // pgbench counts the time it takes to connect. On a busy machine that can be all the time it has.
  let connectSeconds = 1
  return {
    transactions: async (seconds, accounts) => {
      const script = transactionScript(firstAccount + accounts - 1)
      for (;;) {
        const time = `--time=${seconds + connectSeconds}`
        const { perSecond, connectMs } = await run(script, `--client=${pgbenchClients}`, `--jobs=${threads}`, time)
        if (perSecond > 0) {
          connectSeconds = Math.ceil(connectMs / 1000)
          return perSecond
        }
        connectSeconds *= 2
        if (connectSeconds > connectSecondsMax) throw new Error('pgbench cannot connect')
      }
    },
    batches: async (bodies) => {
      await storeBatches(ownerUrl, bodies)
      const size = (JSON.parse(bodies[0] ?? '[]') as unknown[]).length
      const before = await countVerifications(ownerUrl)
      const { perSecond } = await run(batchScript, '--client=1', `--transactions=${bodies.length}`)
      const accepted = (await countVerifications(ownerUrl)) - before
      if (accepted !== size * bodies.length) throw new Error(`only ${accepted} requests of the batches were accepted`)
      return perSecond * size
    },
  }
}

async function storeBatches(ownerUrl: string, bodies: readonly string[]): Promise<void> {
  await sql(ownerUrl, 'DROP TABLE IF EXISTS bench_batches')
  await sql(ownerUrl, 'CREATE TABLE bench_batches (n bigint PRIMARY KEY, body text)')
  // Decompression would count as time of the function.
  await sql(ownerUrl, 'ALTER TABLE bench_batches ALTER body SET STORAGE EXTERNAL')
  await sql(ownerUrl, 'DROP SEQUENCE IF EXISTS bench_batch')
  await sql(ownerUrl, 'CREATE SEQUENCE bench_batch')
  const insert = 'INSERT INTO bench_batches SELECT n, body FROM unnest($1::text[]) WITH ORDINALITY AS t(body, n)'
  await sql(ownerUrl, insert, [bodies])
}

async function countVerifications(ownerUrl: string): Promise<number> {
  const [row] = await sql(ownerUrl, 'SELECT count(*)::integer AS count FROM verifications')
  return Number(row?.['count'])
}

// From the newest server installed. The pgbench wrapper on PATH may use another version.
function pgbench(): string {
  const programs = '/usr/lib/postgresql'
  const [newest] = readdirSync(programs).toSorted((a, b) => Number(b) - Number(a))
  return join(programs, newest ?? '', 'bin/pgbench')
}
