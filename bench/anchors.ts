// PostgreSQL alone, loaded by its own pgbench: one transaction a verification, with the rows that our accept writes and
// nothing evaluated; and our own function, called with batches as large as ours.

import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BenchEnv, firstAccount, price, sql } from './environment.ts'

// As many as its own scale wants: with more it gets slower, and on one account with fewer faster.
export const pgbenchClients = 64
const threads = 2
const connectSecondsMax = 32

// The balance comes last, so that its lock is held as shortly as can be.
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

// One client takes the batches one after another and each once, as a process does.
const batchScript = `SELECT count(*) FROM bench_batches AS b, accept_calls(b.body::jsonb, 1)
WHERE b.n = (SELECT nextval('bench_batch'));
`

export type Anchors = {
  // Transactions a second.
  readonly transactions: (seconds: number, accounts: number) => Promise<number>
  // Requests a second that the batch function accepts.
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
    if (figure(/failed transactions: (\d+)/) !== 0) throw new Error(`pgbench did not go well: ${stdout}`)
    return { perSecond: figure(/^tps = ([\d.]+)/m), connectMs: figure(/^initial connection time = ([\d.]+)/m) }
  }
  // pgbench counts the time in which it connects, and on a busy machine that may be all it was given.
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
      await layOutBatches(ownerUrl, bodies)
      const size = (JSON.parse(bodies[0] ?? '[]') as unknown[]).length
      const before = await countVerifications(ownerUrl)
      const { perSecond } = await run(batchScript, '--client=1', `--transactions=${bodies.length}`)
      const accepted = (await countVerifications(ownerUrl)) - before
      if (accepted !== size * bodies.length) throw new Error(`of the batches only ${accepted} were accepted`)
      return perSecond * size
    },
  }
}

async function layOutBatches(ownerUrl: string, bodies: readonly string[]): Promise<void> {
  await sql(ownerUrl, 'DROP TABLE IF EXISTS bench_batches')
  await sql(ownerUrl, 'CREATE TABLE bench_batches (n bigint PRIMARY KEY, body text)')
  // Unpacking it would be counted to the function.
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

// Of the newest server that is installed; the client's own wrapper may stand for another.
function pgbench(): string {
  const programs = '/usr/lib/postgresql'
  const [newest] = readdirSync(programs).toSorted((a, b) => Number(b) - Number(a))
  return join(programs, newest ?? '', 'bin/pgbench')
}
