// `npm run bench -- shards` accepts calls without HTTP over one, two and three databases of one server, in turns. So it shows what
// number limits in another database than the account cost, not the gain of a second machine. It prints the median throughput,
// the CPU for each accept, and both beside one database, in about three minutes.

import { inFlightMax } from '../server/src/http/concurrency-limit.ts'
import { accountCount, createBenchEnv } from './environment.ts'
import { median } from './load.ts'
import { createWorkbench, type Run } from './workbench.ts'

const rounds = 7
const counts = [1, 2, 3]
const goals = new Map([
  [2, 0.7],
  [3, 0.6],
])

const env = await createBenchEnv()
const bench = await createWorkbench(env)
try {
  const runs = new Map<number, Run[]>(counts.map((count) => [count, []]))
  const accept = (databases: number, seconds: number) =>
    bench.direct({ kind: 'accept', databases, services: accountCount, load: { seconds, clients: inFlightMax } })
  for (const count of counts) await accept(count, 4)
  for (let round = 0; round < rounds; round++) {
    for (const count of counts) runs.get(count)?.push(await accept(count, 4))
  }
  const one = runs.get(1) ?? []
  for (const [count, own] of runs) report(count, own, one)
} finally {
  await bench.close()
  await env.close()
}

function report(count: number, own: readonly Run[], one: readonly Run[]): void {
  const beside = (figure: (run: Run) => number) =>
    median(own.map((run, round) => figure(run) / figure(one[round] as Run)))
  const cpuMs = ({ cpu }: Run) => cpu.ours + cpu.postgres
  const line = {
    databases: count,
    per_s: Math.round(median(own.map(({ perSecond }) => perSecond))),
    ratio: beside(({ perSecond }) => perSecond).toFixed(2),
    goal: goals.get(count) ?? null,
    cpu_ms_each: median(own.map(cpuMs)).toFixed(3),
    cpu_ratio: beside(cpuMs).toFixed(2),
    failed: own.reduce((sum, { failed }) => sum + failed, 0),
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
