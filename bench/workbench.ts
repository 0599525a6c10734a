// The processes of a run and the CPU time of each job: the API with a load generator, the driver without HTTP, two anchor
// servers, and PostgreSQL and NATS of the stack.

import { type ApiLog, type ApiRoles, startApi } from './api.ts'
import { createChild } from './child.ts'
import type { ConstantOpening } from './constant-server.ts'
import { cpuMsOf, cpuMsOfFamily } from './cpu.ts'
import type { DriverJob, DriverOpening, DriverResult } from './driver.ts'
import type { BenchEnv } from './environment.ts'
import type { FastifyOpening } from './fastify-server.ts'
import type { GeneratorJob, GeneratorOpening } from './http-generator.ts'
import type { Measured } from './load.ts'

// CPU milliseconds for each good request, by process.
type Cpu = { readonly ours: number; readonly postgres: number; readonly nats: number }
export type Run = Measured & { readonly cpu: Cpu }

export type Workbench = {
  readonly overHttp: (job: Omit<GeneratorJob, 'port'>) => Promise<Run>
  readonly direct: (job: DriverJob) => Promise<Run & DriverResult>
  readonly close: () => Promise<void>
}

export async function createWorkbench(
  env: BenchEnv,
  roles: ApiRoles = 'api',
  apiLog: ApiLog = 'on',
): Promise<Workbench> {
  const { urls, secretsDir, natsUrl, prefix, serviceIds, bearers } = env
  const api = await startApi(env, roles, apiLog)
  const generator = createChild<GeneratorJob, Measured>('http-generator.ts', { bearers } satisfies GeneratorOpening)
  const opening: DriverOpening = { urls, secretsDir, natsUrl, prefix, serviceIds }
  const driver = createChild<DriverJob, DriverResult>('driver.ts', opening)
  // An empty job returns when the driver is connected.
  await driver.ask({ kind: 'requests', batches: 0, size: 0 })
  await env.discardOldOrders()
  const base = `http://127.0.0.1:${api.port}`
  const body = await sampleResponse(base, bearers[0] ?? '')
  await fillClientCache(base, bearers)
  const constant = createChild<'port', number>('constant-server.ts', { body } satisfies ConstantOpening)
  const fastify = createChild<'port', number>('fastify-server.ts', { url: urls[0], body } satisfies FastifyOpening)
  const servers = {
    initCall: api,
    getInfo: api,
    fastify: { pid: fastify.pid, port: await fastify.ask('port') },
    constant: { pid: constant.pid, port: await constant.ask('port') },
  }

  async function withCpu<R extends Measured>(pid: number, work: () => Promise<R>): Promise<R & Run> {
    const spent = () => [cpuMsOf(pid), cpuMsOfFamily(env.postgresPid), cpuMsOf(env.natsPid)] as const
    const before = spent()
    const result = await work()
    const [ours, postgres, nats] = spent().map((ms, part) => (ms - (before[part] ?? 0)) / result.good)
    return { ...result, cpu: { ours: ours ?? 0, postgres: postgres ?? 0, nats: nats ?? 0 } }
  }

  return {
    overHttp: async (job) => {
      const { pid, port } = servers[job.kind]
      return withCpu(pid, () => generator.ask({ ...job, port }))
    },
    direct: async (job) => withCpu(driver.pid, () => driver.ask(job)),
    close: async () => {
      for (const { close } of [generator, driver, constant, fastify, api]) await close()
    },
  }
}

// Fills the API's client cache: the first lookup of each key is not what is measured.
async function fillClientCache(base: string, bearers: readonly string[]): Promise<void> {
  for (const authorization of bearers) {
    const response = await fetch(`${base}/v1.0/getBalance`, { headers: { authorization } })
    if (!response.ok) throw new Error(`the API rejected a service: ${response.status}`)
    await response.arrayBuffer()
  }
}

// A response of getInfo, for anchors to send: as long as those of the run.
async function sampleResponse(base: string, authorization: string): Promise<string> {
  const headers = { authorization, 'content-type': 'application/json' }
  const body = JSON.stringify({ phone: '79079999999', unique: 'order-0009999999' })
  const accepted = await fetch(`${base}/v1.0/initCall`, { method: 'POST', headers, body })
  const { vendor_id: id } = (await accepted.json()) as { vendor_id: number }
  const info = await fetch(`${base}/v1.0/getInfo?uid=${id}`, { headers: { authorization } })
  if (!info.ok) throw new Error(`getInfo failed: ${info.status}`)
  return info.text()
}
