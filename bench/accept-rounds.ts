// One side of bench/compare.ts: a closed loop of accepts over HTTP for the throughput, then an open loop at a given rate for
// the latency. It also runs in older trees, so it uses only what they have.

import type { ApiLog, ApiRoles } from './api.ts'
import { serveJobs } from './child.ts'
import { accountCount, createBenchEnv } from './environment.ts'
import { createWorkbench } from './workbench.ts'

export type AcceptRoundOpening = { readonly roles: ApiRoles; readonly apiLog?: ApiLog }
// `close` drops the databases and stops the processes of this side.
export type AcceptRoundJob = { readonly perSecond: number } | { readonly close: true }
export type AcceptRound = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  // CPU time of one accept, over all processes and of each kind.
  readonly cpuMs: number
  readonly serverCpuMs: number
  readonly postgresCpuMs: number
  readonly failed: number
}

const clients = 256
const seconds = 2
const accept = { kind: 'initCall', services: accountCount } as const

serveJobs(async ({ roles, apiLog = 'on' }: AcceptRoundOpening) => {
  const env = await createBenchEnv()
  const bench = await createWorkbench(env, roles, apiLog)
  return async (job: AcceptRoundJob): Promise<AcceptRound> => {
    if ('close' in job) {
      await bench.close()
      await env.close()
      return { perSecond: 0, p50Ms: 0, p99Ms: 0, cpuMs: 0, serverCpuMs: 0, postgresCpuMs: 0, failed: 0 }
    }
    const { perSecond } = job
    const closed = await bench.overHttp({ ...accept, load: { seconds, clients } })
    const open = await bench.overHttp({ ...accept, load: { seconds, perSecond } })
    const { ours, postgres, nats } = closed.cpu
    return {
      perSecond: closed.perSecond,
      p50Ms: open.p50Ms,
      p99Ms: open.p99Ms,
      cpuMs: ours + postgres + nats,
      serverCpuMs: ours,
      postgresCpuMs: postgres,
      failed: closed.failed + open.failed,
    }
  }
})
