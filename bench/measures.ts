// Every measure, in the order of the run. First rounds of each anchor followed by ours, in a closed loop: throughput and
// ratio. Then an open loop at half of that throughput: latency. At last the overload test at twice the peak.

import { itemsMax } from '../server/src/db/core/micro-batch.ts'
import { inFlightMax, inFlightPerAccountMax } from '../server/src/http/concurrency-limit.ts'
import { createAnchors } from './anchors.ts'
import { accountCount, type BenchEnv, sql } from './environment.ts'
import { type Load, median } from './load.ts'
import { createWorkbench, type Run, type Workbench } from './workbench.ts'

export type Line = {
  readonly measure: string
  readonly per_s: number
  readonly anchor_per_s: number
  readonly ratio: number
  readonly goal: number | null
  readonly p50_ms: number
  readonly p99_ms: number
  readonly cpu_ms_each: number
  // Set where the goal is a p99 instead of a ratio.
  readonly goal_p99_ms?: number
  readonly refused?: number
  readonly refused_p99_ms?: number
  readonly failed: number
  readonly generator_lag_p99_ms: number
}

// One step of the open loop over HTTP.
type Step = Run & { readonly offeredPerSecond: number }

// CPU milliseconds and bytes of one verification.
export type Costs = {
  readonly apiMs: number
  readonly postgresMs: number
  readonly natsMs: number
  readonly workerMs: number
  readonly walBytes: number
  readonly storedBytes: number
}

export type Figures = {
  readonly lines: readonly Line[]
  readonly steps: readonly Step[]
  readonly peakPerSecond: number
  readonly batchSize: number
  readonly costs: Costs
  readonly versions: BenchEnv['versions']
}

type Measure = {
  readonly name: string
  readonly goal: number | null
  readonly anchor: () => Promise<number>
  readonly ours: (load: Load) => Promise<Run>
}

type Measured = Measure & { readonly anchors: number[]; readonly runs: Run[] }

const rounds = 3
// A p99 needs more: one pause of a shared machine decides it.
const latencyRounds = 5
const roundSeconds = 3
const stepSeconds = 3
// Parts of the throughput of the closed loop.
const stepParts = [0.25, 0.5, 0.75, 1, 1.25]
const batchRequests = 6_000
// The most that one process has in flight: above this it sheds requests.
const closed: Load = { seconds: roundSeconds, clients: inFlightMax }

const accept = { kind: 'initCall', services: accountCount } as const
const direct = { kind: 'accept', databases: 1, services: accountCount } as const

export async function measureAll(env: BenchEnv, say: (text: string) => void): Promise<Figures> {
  const bench = await createWorkbench(env)
  try {
    const { batchSize, ...costs } = await warmUp(env, bench)
    const measured = measuresOf(env, bench, batchSize).map((one): Measured => ({ ...one, anchors: [], runs: [] }))
    for (let round = 1; round <= rounds; round++) {
      for (const { name, anchor, ours, anchors, runs } of measured) {
        anchors.push(await anchor())
        runs.push(await ours(closed))
        say(
          `round ${round} of ${rounds}: ${name}, ${whole(runs.at(-1)?.perSecond)}/s, anchor ${whole(anchors.at(-1))}/s`,
        )
      }
    }
    const lines: Line[] = []
    for (const one of measured) {
      const half = await one.ours({ seconds: stepSeconds, perSecond: median(one.runs.map((run) => run.perSecond)) / 2 })
      lines.push(lineOf(one, half))
    }
    const { steps, peakPerSecond, overloaded } = await climb(bench, lines[0]?.per_s ?? 0, say)
    const { cpu } = middleRun(measured[0]?.runs ?? [])
    return {
      lines: [...lines, ...overloaded],
      steps,
      peakPerSecond,
      batchSize,
      costs: { ...costs, apiMs: cpu.ours, natsMs: cpu.nats },
      versions: env.versions,
    }
  } finally {
    await bench.close()
  }
}

// Warms caches, query plans and the JIT. Also measures our batch size, which the anchor needs, and the bytes that a
// verification stores.
async function warmUp(env: BenchEnv, bench: Workbench) {
  await bench.overHttp({ ...accept, load: closed })
  await bench.overHttp({ ...accept, kind: 'getInfo', load: closed })
  await bench.overHttp({ ...accept, kind: 'fastify', load: closed })
  await bench.overHttp({ ...accept, kind: 'constant', load: closed })
  await bench.direct({ ...direct, databases: 2, load: closed })
  await bench.direct({ kind: 'dispatchCall', load: closed })
  const { batchSize } = await bench.direct({ ...direct, load: closed })
  await bench.direct({ ...direct, kind: 'lifecycle', load: closed })
  const before = await readBytes(env)
  const { good, cpu } = await bench.direct({ ...direct, kind: 'lifecycle', load: closed })
  const after = await readBytes(env)
  return {
    batchSize: Math.round(batchSize),
    postgresMs: cpu.postgres,
    workerMs: cpu.ours,
    walBytes: (after.wal - before.wal) / good,
    storedBytes: (after.stored - before.stored) / good,
  }
}

async function readBytes({ ownerUrls }: BenchEnv): Promise<{ readonly wal: number; readonly stored: number }> {
  const [row] = await sql(
    ownerUrls[0],
    `SELECT pg_current_wal_insert_lsn() - '0/0' AS wal, pg_database_size(current_database()) AS stored`,
  )
  return { wal: Number(row?.['wal']), stored: Number(row?.['stored']) }
}

function measuresOf(env: BenchEnv, bench: Workbench, batchSize: number): readonly Measure[] {
  const anchors = createAnchors(env)
  const batches = {
    kind: 'requests',
    size: batchSize,
    batches: Math.ceil(batchRequests / batchSize),
  } as const
  return [
    {
      name: 'accept over HTTP, 1000 accounts',
      goal: 1,
      anchor: () => anchors.transactions(roundSeconds, accountCount),
      ours: (load) => bench.overHttp({ ...accept, load }),
    },
    {
      name: 'accept over HTTP, one hot account',
      goal: 5,
      anchor: () => anchors.transactions(roundSeconds, 1),
      ours: (load) => bench.overHttp({ ...accept, services: 1, load: ofOneAccount(load) }),
    },
    {
      name: 'lifecycle without HTTP',
      goal: 0.7,
      anchor: () => anchors.transactions(roundSeconds, accountCount),
      ours: (load) => bench.direct({ ...direct, kind: 'lifecycle', load }),
    },
    {
      name: 'accept without HTTP',
      goal: 0.6,
      anchor: async () => anchors.batches((await bench.direct(batches)).requests),
      ours: (load) => bench.direct({ ...direct, load }),
    },
    {
      name: 'getInfo over HTTP',
      goal: 0.5,
      anchor: async () => (await bench.overHttp({ ...accept, kind: 'fastify', load: closed })).perSecond,
      ours: (load) => bench.overHttp({ ...accept, kind: 'getInfo', load }),
    },
    {
      name: 'getInfo over HTTP, beside a constant',
      goal: null,
      anchor: async () => (await bench.overHttp({ ...accept, kind: 'constant', load: closed })).perSecond,
      ours: (load) => bench.overHttp({ ...accept, kind: 'getInfo', load }),
    },
    {
      name: 'dispatch',
      goal: 0.8,
      anchor: async () => (await bench.direct({ kind: 'jetstream', seconds: roundSeconds, size: itemsMax })).perSecond,
      ours: (load) => bench.direct({ kind: 'dispatchCall', load }),
    },
    {
      name: 'accept over two databases, beside one',
      goal: 0.7,
      anchor: async () => (await bench.direct({ ...direct, load: closed })).perSecond,
      ours: (load) => bench.direct({ ...direct, databases: 2, load }),
    },
  ]
}

// More would be refused at once, and their clients would ask again at once.
function ofOneAccount(load: Load): Load {
  return 'clients' in load ? { ...load, clients: inFlightPerAccountMax } : load
}

// The open loop over HTTP in steps beyond the throughput; then at half of the peak, and at twice the peak.
async function climb(bench: Workbench, closedPerSecond: number, say: (text: string) => void) {
  const step = async (offeredPerSecond: number): Promise<Step> => {
    const run = await bench.overHttp({ ...accept, load: { seconds: stepSeconds, perSecond: offeredPerSecond } })
    const [offered, good] = [offeredPerSecond, run.perSecond].map(Math.round)
    say(
      `${offered}/s offered: ${good}/s good, ${run.refused} refused, ${run.failed} failed, p99 ${run.p99Ms.toFixed(1)} ms`,
    )
    return { ...run, offeredPerSecond }
  }
  const steps: Step[] = []
  for (const part of stepParts) steps.push(await step(closedPerSecond * part))
  const peakPerSecond = Math.max(closedPerSecond, ...steps.map(({ perSecond }) => perSecond))
  const halves: Step[] = []
  for (let round = 1; round <= latencyRounds; round++) halves.push(await step(peakPerSecond / 2))
  const twice = await step(peakPerSecond * 2)
  const half = middleBy(halves, ({ p99Ms }) => p99Ms)
  const overloaded = [
    { ...stepLine('accept at half of the peak', half, peakPerSecond, null), goal_p99_ms: 50 },
    stepLine('accept at twice the peak', twice, peakPerSecond, 0.8),
  ]
  return { steps: [...steps, twice], peakPerSecond, overloaded }
}

function lineOf({ name, goal, anchors, runs }: Measured, half: Run): Line {
  return rounded({
    measure: name,
    per_s: middleRun(runs).perSecond,
    anchor_per_s: median(anchors),
    ratio: median(runs.map(({ perSecond }, round) => perSecond / (anchors[round] ?? Number.NaN))),
    goal,
    p50_ms: half.p50Ms,
    p99_ms: half.p99Ms,
    cpu_ms_each: cpuOf(middleRun(runs)),
    failed: runs.reduce((sum, { failed }) => sum + failed, half.failed),
    generator_lag_p99_ms: half.lagP99Ms,
  })
}

function stepLine(measure: string, run: Step, peakPerSecond: number, goal: number | null): Line {
  return rounded({
    measure,
    per_s: run.perSecond,
    anchor_per_s: peakPerSecond,
    ratio: run.perSecond / peakPerSecond,
    goal,
    p50_ms: run.p50Ms,
    p99_ms: run.p99Ms,
    cpu_ms_each: cpuOf(run),
    refused: run.refused,
    refused_p99_ms: run.refusedP99Ms,
    failed: run.failed,
    generator_lag_p99_ms: run.lagP99Ms,
  })
}

function middleRun(runs: readonly Run[]): Run {
  return middleBy(runs, ({ perSecond }) => perSecond)
}

function middleBy<T>(runs: readonly T[], figureOf: (run: T) => number): T {
  const middle = runs.toSorted((a, b) => figureOf(a) - figureOf(b))[runs.length >> 1]
  if (!middle) throw new Error('no rounds were run')
  return middle
}

function cpuOf({ cpu }: Run): number {
  return cpu.ours + cpu.postgres + cpu.nats
}

// More than four digits would be noise.
function rounded(line: Line): Line {
  const entries = Object.entries(line).map(([name, value]) => [
    name,
    typeof value === 'number' ? Number(value.toPrecision(4)) : value,
  ])
  return Object.fromEntries(entries) as Line
}

function whole(figure = Number.NaN): string {
  return String(Math.round(figure))
}
