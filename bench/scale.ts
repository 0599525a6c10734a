// `npm run bench -- scale` compares a database of a large installation with an empty one, on the private stack and in turns: a
// million accounts, three million subscriber numbers of the last days, and thirty days with thirty million verifications and
// their idempotency keys. `-- 3000000` fills in fewer verifications. There are no ledger entries of the past: accepts write to
// the partition of today alone.

import { Client } from 'pg'
import { fillMonth, largeDays, lastFullDay } from '../scripts/seed/large.ts'
import { type AccountId, firstIdOfSecond, idEpochSeconds, type ServiceId } from '../server/src/domain/core/slot.ts'
import { inFlightMax } from '../server/src/http/concurrency-limit.ts'
import { readSecrets } from '../server/src/process/secrets.ts'
import { accountCount, type BenchEnv, createBenchEnv } from './environment.ts'
import { median } from './load.ts'
import { createWorkbench, type Workbench } from './workbench.ts'

const rounds = 7
const seconds = 4
const goal = 1.2
const verifications = Number(process.argv[2] ?? 30_000_000)
const accountsMore = 1_000_000
const numbers = 3_000_000
const sweepMax = 1_000
// The shortest that a partition is kept.
const keptDays = 7

type Side = { readonly env: BenchEnv; readonly bench: Workbench; readonly owner: Client }
// Milliseconds of one piece of work.
type Measure = readonly [name: string, measure: (side: Side) => Promise<number>]

const measures: readonly Measure[] = [
  ['accept', ({ bench }) => each(bench.direct({ kind: 'accept', databases: 1, services: accountCount, load: load() }))],
  ['getInfo', ({ bench }) => each(bench.overHttp({ kind: 'getInfo', services: accountCount, load: load() }))],
  [`sweep of ${sweepMax} overdue calls`, ({ owner }) => timed(owner, `SELECT sweep_calls(${sweepMax}, NULL)`)],
  ['sweep without overdue calls', ({ owner }) => timed(owner, 'SELECT sweep_inbound_requests(1000, NULL, 1)')],
  ['forgetting old numbers', ({ owner }) => timed(owner, 'SELECT forget_numbers(0, 200, 1)')],
  ['partition drop', ({ owner }) => timed(owner, `SELECT drop_old_partition('verifications', ${keptDays})`)],
]

const [empty, full] = [await createBenchEnv(), await createBenchEnv()]
const sides: Side[] = []
try {
  await fill(empty, 30, 0, 0)
  await fill(full, verifications, accountsMore, numbers)
  for (const env of [empty, full]) sides.push(await openSide(env))
  for (const { bench } of sides) {
    await bench.overHttp({ kind: 'initCall', services: accountCount, load: load() })
    await bench.direct({ kind: 'accept', databases: 1, services: accountCount, load: load() })
  }
  const times = new Map(measures.map(([name]) => [name, sides.map((): number[] => [])]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of measures) {
      for (const [place, side] of sides.entries()) times.get(name)?.[place]?.push(await measure(side))
    }
  }
  for (const [name, [few = [], many = []]] of times) report(name, few, many)
} finally {
  for (const { bench, owner } of sides) {
    await owner.end()
    await bench.close()
  }
  for (const env of [empty, full]) await env.close()
}

function report(name: string, few: readonly number[], many: readonly number[]): void {
  const ratio = median(many.map((ms, round) => ms / (few[round] ?? Number.NaN)))
  const [emptyMs, fullMs] = [few, many].map((ms) => Number(median(ms).toPrecision(3)))
  const line = { measure: name, empty_ms: emptyMs, full_ms: fullMs, ratio: Number(ratio.toFixed(2)), goal }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

function load() {
  return { seconds, clients: inFlightMax }
}

async function each(run: Promise<{ readonly perSecond: number }>): Promise<number> {
  return 1_000 / (await run).perSecond
}

async function timed(owner: Client, text: string): Promise<number> {
  const startedMs = performance.now()
  await owner.query(text)
  return performance.now() - startedMs
}

async function openSide(env: BenchEnv): Promise<Side> {
  const owner = new Client({ connectionString: env.ownerUrls[0] })
  await owner.connect()
  return { env, owner, bench: await createWorkbench(env) }
}

async function fill(env: BenchEnv, count: number, accounts: number, numbersMore: number): Promise<void> {
  const [ownerUrl] = env.ownerUrls
  const untilSecond = lastFullDay()
  const services = env.serviceIds.slice(0, 20).map((id) => ({ accountId: id as AccountId, serviceId: id as ServiceId }))
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  await fillMonth(ownerUrl, { services, secrets: readSecrets(env.secretsDir), untilSecond, count }, say)
  const [one, other] = [new Client({ connectionString: ownerUrl }), new Client({ connectionString: ownerUrl })]
  for (const session of [one, other]) await session.connect()
  // Above the IDs of the bench.
  const made = `generate_series(${accountCount + 1_000}, ${accountCount + 999 + accounts}) AS n`
  const [lastDay, firstDay] = [0, largeDays].map((days) => (untilSecond - idEpochSeconds) / 86_400 - days)
  const middleId = firstIdOfSecond(untilSecond - (largeDays / 2) * 86_400)
  const copyKeys = (where: string) =>
    `INSERT INTO idempotency_keys (service_id, digest, id) SELECT service_id, substr(sha256(id::text::bytea), 1, 16), id
     FROM verifications WHERE ${where}`
  await one.query(
    `SELECT make_partition('idempotency_keys', 8, day, '') FROM generate_series(${firstDay}, ${lastDay}) AS day`,
  )
  await Promise.all([
    queryAll(one, [
      copyKeys(`id < ${middleId}`),
      `INSERT INTO subscriber_numbers (hash) SELECT sha256(n::text::bytea) FROM generate_series(1, ${numbersMore}) AS n`,
    ]),
    queryAll(other, [
      copyKeys(`id >= ${middleId} AND id < ${firstIdOfSecond(untilSecond)}`),
      `INSERT INTO accounts (id, email) SELECT n, 'more-' || n || '@example.org' FROM ${made}`,
      `INSERT INTO account_emails (email, account_id) SELECT 'more-' || n || '@example.org', n FROM ${made}`,
      `INSERT INTO services (id, account_id, name, webhook_secret_sealed) SELECT n, n, 'Shop', '' FROM ${made}`,
      `INSERT INTO api_keys (service_id, digest, name, scopes) SELECT n, sha256(n::text::bytea), 'main', '{start,read}' FROM ${made}`,
    ]),
  ])
  say('idempotency keys, accounts and numbers: filled')
  await one.query('VACUUM ANALYZE')
  for (const session of [one, other]) await session.end()
}

async function queryAll(session: Client, texts: readonly string[]): Promise<void> {
  for (const text of texts) await session.query(text)
}
