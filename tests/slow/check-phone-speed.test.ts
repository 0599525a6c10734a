// The throughput of checkPhone relative to the same route with a constant response: alternating rounds, median of the
// ratios. The load comes from another process.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { insertPrice } from '../../server/src/db/money/tariff.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { buildApp } from '../../server/src/http/app.ts'
import { loadNumbering } from '../../server/src/numbering/load-numbering.ts'
import { atEnd } from '../support/at-end.ts'
import { realDeps } from '../support/fuzz/run.ts'
import { ask } from '../support/http/ask.ts'
import { writeLetteredRegistry } from '../support/numbering/lettered-registry.ts'
import { ringproof } from '../support/process/cli.ts'
import { install, makeService } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const rounds = 7
const requests = 6_000
const atOnce = 64
const goal = 0.8

const load = fileURLToPath(new URL('../support/http/http-load.ts', import.meta.url))
const directory = fileDirectory()
const installation = await install()
const price = 100 as MicroAmount
const lookup = { method: 'checkPhone', mode: '', country: '*', price, validFrom: undefined } as const
await insertPrice(installation.slots.globalDatabase, 'uni', lookup)
const service = await makeService(installation, 10_000)

writeLetteredRegistry(`${directory}/A.csv`, 'A')
const environment = { ...installation.environment, RINGPROOF_NUMBERING_DIR: `${directory}/numbering` }
const { status, err } = await ringproof(environment, 'registry', 'import', `${directory}/A.csv`)
assert.equal(status, 0, err)
const book = await loadNumbering(`${directory}/numbering`)

const deps = await realDeps(installation, book.current)
const path = '/v1.0/checkPhone?phone=%2B7%20(907)%20000-00-01'

async function listen(app: Awaited<ReturnType<typeof buildApp>>): Promise<string> {
  atEnd(() => app.fastify.close())
  await app.fastify.listen({ port: 0, host: '127.0.0.1', listenTextResolver: () => '' })
  return `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}${path}`
}

const real = await listen(await buildApp(deps))
const { json } = await ask(real, { headers: service.bearer })
assert.match(String(json['company']), /Связь A/)
const constant = await listen(
  await buildApp({ ...deps, actions: { ...deps.actions, checkPhone: async () => json as never } }),
)

async function round(url: string): Promise<{ readonly perSecond: number; readonly cpuUs: number }> {
  const before = process.cpuUsage()
  const args = [load, url, service.bearer.authorization, String(requests), String(atOnce)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { user, system } = process.cpuUsage(before)
  return { perSecond: Number(stdout), cpuUs: (user + system) / requests }
}

test(`checkPhone reaches ${goal} of the throughput of a constant response`, async (t) => {
  await round(constant)
  await round(real)
  const measured = []
  for (let n = 0; n < rounds; n++) measured.push({ constant: await round(constant), real: await round(real) })
  const perSecond = middle(measured.map((one) => one.real.perSecond / one.constant.perSecond))
  const cpu = middle(measured.map((one) => one.constant.cpuUs / one.real.cpuUs))
  const { real: last, constant: anchor } = measured[rounds - 1] ?? assert.fail()
  t.diagnostic(
    JSON.stringify({
      measure: 'checkPhone',
      per_s: last.perSecond,
      anchor_per_s: anchor.perSecond,
      ratio: perSecond,
      goal,
    }),
  )
  t.diagnostic(
    JSON.stringify({ measure: 'checkPhone, CPU', cpu_us: last.cpuUs, anchor_cpu_us: anchor.cpuUs, ratio: cpu }),
  )
  assert(perSecond >= goal, `${perSecond.toFixed(2)} of the constant`)
})

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
