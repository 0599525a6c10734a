// `npm run bench -- steps` measures what the steps of a verification cost one database: in batches of 1, 4, 16 and 64, with the
// partitions of a new database and with those of one that keeps a month, in turns, and beside each the floor of the bare engine
// (bench/floor.ts). Figures are for one call: CPU of the backend, and of this process, which writes and reads the messages as the
// product does; statements, with those inside functions; WAL; syncs. At last the sweep that finds nothing. A ratio is taken within a
// round, so that load from elsewhere hits both of its sides. `-- 9 1 16` makes nine rounds instead of five, of batches of 1 and 16.

import { Client } from 'pg'
import { readState } from '../scripts/stack/state.ts'
import { sweepCalls, sweepInboundRequests } from '../server/src/db/core/sweep.ts'
import { groupOf, type ProcessRole } from '../server/src/domain/core/database-role.ts'
import type { AccountId, ServiceId } from '../server/src/domain/core/slot.ts'
import { backendMs } from './cpu.ts'
import { createBenchEnv } from './environment.ts'
import { createFloor } from './floor.ts'
import { createLifecycle } from './lifecycle.ts'
import { median } from './load.ts'
import { addDays, daysKept, ratio, short, spread } from './month.ts'

const [rounds = 5, ...sizesAsked] = process.argv.slice(2).map(Number)
const sizes = sizesAsked.length > 0 ? sizesAsked : [1, 4, 16, 64]
// Batches of a round: enough calls for the clock of the scheduler, few enough for a short run.
const batchesOf = (size: number) => Math.ceil(60 / Math.sqrt(size))
const steps = ['accept', 'claim', 'rang', 'end'] as const

type Step = (typeof steps)[number]
type Spent = { readonly cpuMs: number; readonly clientMs: number; readonly walBytes: number; readonly syncs: number }
// One backend does a step of a side; `run` returns the calls that a later step is given.
type Part = { readonly backend: Client; readonly run: (calls: never) => Promise<unknown> }
type Side = { readonly name: string; readonly owner: Client; readonly parts: Readonly<Record<Step, Part>> }
type RoundOf = ReadonlyMap<string, Spent>

const open: Client[] = []
const env = await createBenchEnv(1)
try {
  await addDays(env.ownerUrls[1] ?? '')
  const floor = await openFloor()
  const [fresh, month] = [await openSide('new', 0), await openSide('month', 1)]
  const sides = [floor, fresh, month]
  // Plans are made with statistics, and kept.
  for (const side of sides) for (const size of sizes) await runRound(side, size, 3)
  for (const { owner } of sides) await owner.query('ANALYZE')
  for (const side of sides) for (const size of sizes) await runRound(side, size, 3)
  const statements = await countStatements()
  for (const size of sizes) {
    const own: RoundOf[][] = sides.map(() => [])
    for (let round = 0; round < rounds; round++) {
      for (const [place, side] of sides.entries()) own[place]?.push(await runRound(side, size, batchesOf(size)))
    }
    report(size, own as [RoundOf[], RoundOf[], RoundOf[]], statements)
  }
  await measureSweeps([fresh, month])
} finally {
  for (const session of open) await session.end()
  await env.close()
}

// All batches of a step, then those of the next one: so its WAL and its syncs are its own.
async function runRound({ owner, parts }: Side, size: number, batches: number): Promise<RoundOf> {
  const spent = new Map<string, Spent>()
  let given: readonly unknown[] = Array.from({ length: batches }, () => size)
  for (const step of steps) {
    const { backend, run } = parts[step]
    const results: unknown[] = []
    const of = await spend(owner, backend, batches * size, async () => {
      for (const one of given) results.push(await run(one as never))
    })
    spent.set(step, of)
    if (step === 'accept') given = results
  }
  const all = [...spent.values()]
  const sum = (figure: keyof Spent) => all.reduce((total, one) => total + one[figure], 0)
  return spent.set('whole', {
    cpuMs: sum('cpuMs'),
    clientMs: sum('clientMs'),
    walBytes: sum('walBytes'),
    syncs: sum('syncs'),
  })
}

async function spend(owner: Client, backend: Client, calls: number, work: () => Promise<void>): Promise<Spent> {
  const read = async () => {
    // A backend keeps what it has counted for up to a second.
    await backend.query('SELECT pg_stat_force_next_flush()')
    const { rows } = await owner.query<{ wal: string; syncs: string | null }>(
      `SELECT pg_current_wal_insert_lsn() - '0/0' AS wal, to_jsonb(written) ->> 'wal_sync' AS syncs FROM pg_stat_wal AS written`,
    )
    const { user, system } = process.cpuUsage()
    return [backendMs(backend), (user + system) / 1_000, Number(rows[0]?.wal), Number(rows[0]?.syncs ?? Number.NaN)]
  }
  const before = await read()
  await work()
  const [cpuMs = 0, clientMs = 0, walBytes = 0, syncs = 0] = (await read()).map(
    (now, figure) => (now - (before[figure] ?? 0)) / calls,
  )
  return { cpuMs, clientMs, walBytes, syncs }
}

async function openSide(name: string, database: number): Promise<Side> {
  const [api, calls] = [await openSession(database, 'api'), await openSession(database, 'calls')]
  const owner = await openSession(database)
  const life = await lifecycleOf(owner, api, calls)
  const part = (backend: Client, step: Step): Part => ({ backend, run: life[step] })
  return {
    name,
    owner,
    parts: {
      accept: part(api, 'accept'),
      claim: part(calls, 'claim'),
      rang: part(calls, 'rang'),
      end: part(calls, 'end'),
    },
  }
}

async function openFloor(): Promise<Side> {
  const [owner, backend] = [await openSession(0), await openSession(0)]
  const { accept, claim, rang, end } = await createFloor(backend)
  const part = (run: Part['run']): Part => ({ backend, run })
  return { name: 'floor', owner, parts: { accept: part(accept), claim: part(claim), rang: part(rang), end: part(end) } }
}

async function lifecycleOf(owner: Client, api: Client, calls: Client) {
  const [serviceId = 0] = env.serviceIds
  const { rows } = await owner.query<{ id: AccountId }>('SELECT account_id AS id FROM services WHERE id = $1', [
    serviceId,
  ])
  return createLifecycle(api, calls, rows[0]?.id as AccountId, serviceId as ServiceId)
}

// As the owner, or as a process with one role.
async function openSession(database: number, role?: ProcessRole): Promise<Client> {
  const connectionString = (role ? env.urls : env.ownerUrls)[database]
  const session = new Client({ connectionString, options: `-c jit=off${role ? ` -c role=${groupOf(role)}` : ''}` })
  await session.connect()
  open.push(session)
  return session
}

// How many statements PostgreSQL starts for one call, by size and step: auto_explain reports each to its session. It asks for more
// rights than ours, and takes time, so this is a session apart.
async function countStatements(): Promise<ReadonlyMap<string, number>> {
  const state = await readState()
  const url = new URL(env.ownerUrls[0])
  url.username = 'postgres'
  url.password = state?.passwords.postgresSuperuser ?? ''
  const session = new Client({ connectionString: url.href, options: '-c jit=off' })
  await session.connect()
  open.push(session)
  let seen = 0
  session.on('notice', () => (seen += 1))
  await session.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
    SET auto_explain.log_level = notice`)
  const life = await lifecycleOf(session, session, session)
  // The first ones of a session plan.
  const first = await life.accept(1)
  for (const step of ['claim', 'rang', 'end'] as const) await life[step](first)
  const counts = new Map<string, number>()
  const count = async <T>(step: Step, size: number, work: () => Promise<T>): Promise<T> => {
    seen = 0
    const result = await work()
    counts.set(`${step} ${size}`, seen / size)
    counts.set(`whole ${size}`, (counts.get(`whole ${size}`) ?? 0) + seen / size)
    return result
  }
  for (const size of sizes) {
    const calls = await count('accept', size, () => life.accept(size))
    for (const step of ['claim', 'rang', 'end'] as const) await count(step, size, () => life[step](calls))
  }
  return counts
}

function report(
  size: number,
  [floor, fresh, month]: readonly [RoundOf[], RoundOf[], RoundOf[]],
  statements: ReadonlyMap<string, number>,
): void {
  for (const step of [...steps, 'whole']) {
    const of = (side: RoundOf[], figure: keyof Spent) => side.map((round) => round.get(step)?.[figure] ?? Number.NaN)
    // The floor of a whole verification: what has to be committed.
    const floorMs = floor.map((round) =>
      (step === 'whole' ? ['accept', 'end'] : [step]).reduce((sum, part) => sum + (round.get(part)?.cpuMs ?? 0), 0),
    )
    for (const [days, side] of [
      [0, fresh],
      [daysKept, month],
    ] as const) {
      const cpuMs = of(side, 'cpuMs')
      say({
        step,
        size,
        days,
        cpu_ms: spread(cpuMs),
        floor_ms: spread(floorMs),
        of_floor: ratio(cpuMs, floorMs),
        ...(days > 0 && { of_new: ratio(cpuMs, of(fresh, 'cpuMs')) }),
        client_ms: spread(of(side, 'clientMs')),
        statements: short(statements.get(`${step} ${size}`) ?? Number.NaN),
        wal_bytes: Math.round(median(of(side, 'walBytes'))),
        syncs: short(median(of(side, 'syncs'))),
      })
    }
  }
}

// What a keeper asks every second, of a database where nothing is overdue.
async function measureSweeps(sides: readonly Side[]): Promise<void> {
  for (const [database, { name, owner }] of sides.entries()) {
    const keeper = await openSession(database, 'keeper')
    const sweep = async () => {
      for (let n = 0; n < 20; n++) {
        await sweepCalls(keeper, 500)
        await sweepInboundRequests(keeper, 500, 1)
      }
    }
    await sweep()
    const all: Spent[] = []
    for (let round = 0; round < rounds; round++) all.push(await spend(owner, keeper, 20, sweep))
    say({
      step: 'sweep',
      database: name,
      cpu_ms: spread(all.map(({ cpuMs }) => cpuMs)),
      wal_bytes: median(all.map(({ walBytes }) => walBytes)),
    })
  }
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
