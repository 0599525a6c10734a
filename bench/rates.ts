// `npm run bench -- rates` sends verifications to a database at 30, 200 and 1 000 a second, as a process does and without HTTP and
// NATS: accept, claim, ring and end, each gathered as it is there. So it shows what a verification costs at the batches that a rate
// makes: CPU of the process and of PostgreSQL, commits, WAL and syncs; with the partitions of a new database and of one that keeps a
// month, in turns, and the floor of the bare engine (bench/floor.ts) in batches of one. `-- 200` leaves out the other rates.

import { Client } from 'pg'
import { createChild } from './child.ts'
import { backendMs, cpuMsOf, cpuMsOfFamily } from './cpu.ts'
import type { DriverJob, DriverOpening, DriverResult } from './driver.ts'
import { type BenchEnv, createBenchEnv } from './environment.ts'
import { createFloor } from './floor.ts'
import { addDays, daysKept, ratio, short, spread } from './month.ts'

const rates = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [30, 200, 1_000]
const rounds = 5
const seconds = 4
const services = 64
const floorCalls = 100

type Spent = {
  readonly ours: number
  readonly postgres: number
  readonly commits: number
  readonly walBytes: number
  readonly syncs: number
  readonly floor: number
  readonly perSecond: number
}

const env = await createBenchEnv(services)
const open: Client[] = []
try {
  await addDays(env.ownerUrls[1] ?? '')
  const floor = await openFloor()
  const sides = [await openSide(env, 0), await openSide(env, 1)]
  for (const { run } of sides) for (const perSecond of [200, 200]) await run(perSecond)
  for (const { owner } of sides) await owner.query('ANALYZE')
  for (const perSecond of rates) {
    const all: Spent[][] = sides.map(() => [])
    for (let round = 0; round < rounds; round++) {
      for (const [place, { run }] of sides.entries())
        all[place]?.push({ ...(await run(perSecond)), floor: await floor() })
    }
    for (const [place, spent] of all.entries()) report(perSecond, place * daysKept, spent, all[0] ?? [])
  }
  for (const { driver } of sides) await driver.close()
} finally {
  for (const session of open) await session.end()
  await env.close()
}

async function openSide(
  { urls, ownerUrls, secretsDir, natsUrl, prefix, serviceIds, postgresPid }: BenchEnv,
  database: number,
) {
  const opening: DriverOpening = { urls: [urls[database] ?? urls[0]], secretsDir, natsUrl, prefix, serviceIds }
  const driver = createChild<DriverJob, DriverResult>('driver.ts', opening)
  const owner = await openOwner(ownerUrls[database])
  const read = async () => {
    const { rows } = await owner.query<{ commits: string; wal: string; syncs: string | null }>(
      `SELECT xact_commit AS commits, pg_current_wal_insert_lsn() - '0/0' AS wal, to_jsonb(written) ->> 'wal_sync' AS syncs
       FROM pg_stat_database, pg_stat_wal AS written WHERE datname = current_database()`,
    )
    const { commits, wal, syncs } = rows[0] ?? {}
    return [cpuMsOf(driver.pid), cpuMsOfFamily(postgresPid), Number(commits), Number(wal), Number(syncs ?? Number.NaN)]
  }
  const run = async (perSecond: number) => {
    const before = await read()
    const job = { kind: 'verification', databases: 1, services, load: { seconds, perSecond } } as const
    const { good, failed, perSecond: reached } = await driver.ask(job)
    if (failed > 0) throw new Error(`${failed} verifications failed`)
    const [ours = 0, postgres = 0, commits = 0, walBytes = 0, syncs = 0] = (await read()).map(
      (now, figure) => (now - (before[figure] ?? 0)) / good,
    )
    return { ours, postgres, commits, walBytes, syncs, perSecond: reached }
  }
  return { driver, owner, run }
}

// Milliseconds of a backend for what has to be committed: an accept and an end.
async function openFloor(): Promise<() => Promise<number>> {
  const backend = await openOwner(env.ownerUrls[0])
  const { accept, end } = await createFloor(backend)
  return async () => {
    const before = backendMs(backend)
    for (let call = 0; call < floorCalls; call++) await end(await accept(1))
    return (backendMs(backend) - before) / floorCalls
  }
}

async function openOwner(connectionString: string | undefined): Promise<Client> {
  const session = new Client({ connectionString })
  await session.connect()
  open.push(session)
  return session
}

function report(perSecond: number, days: number, spent: readonly Spent[], fresh: readonly Spent[]): void {
  const of = (figure: keyof Spent, from = spent) => from.map((one) => one[figure])
  const line = {
    per_s: perSecond,
    reached_per_s: spread(of('perSecond')),
    days,
    process_ms: spread(of('ours')),
    postgres_ms: spread(of('postgres')),
    floor_ms: spread(of('floor')),
    of_floor: ratio(of('postgres'), of('floor')),
    ...(days > 0 && { of_new: ratio(of('postgres'), of('postgres', fresh)) }),
    commits: spread(of('commits')),
    wal_bytes: spread(of('walBytes')),
    syncs: spread(of('syncs')),
    core_hours_of_a_million: short(
      (spent.map(({ ours, postgres }) => ours + postgres).toSorted((a, b) => a - b)[spent.length >> 1] ?? 0) / 3.6,
    ),
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
