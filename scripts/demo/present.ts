// The world goes on while the demo runs: calls through the API and over real SIP, and an incident every few minutes.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '../../server/src/domain/values/time.ts'
import { carrierScenario } from '../stack/carrier/scenario.ts'
import { carrierCommand } from '../stack/parts/carrier.ts'
import { customerNames } from '../world/cast.ts'
import type { InstalledCustomers } from '../world/installed.ts'
import { incidentAt, nextCall } from '../world/present.ts'
import { drawsOf } from '../world/random.ts'

const callEveryMs = 900
const payEveryMs = 120_000
const balanceMin = 200
const paidIn = '1000'
const ringingTestNumber = '79000000001'

type Credentials = { readonly key: string; readonly serviceId: number }

type Present = {
  readonly url: string
  readonly customers: InstalledCustomers
  // Of the shop's own tests: a virtual phone rings at the start.
  readonly tests: Credentials
  // Reports a payment, as the payment page does.
  readonly pay: (account: number, amount: string, signal: AbortSignal) => Promise<unknown>
  readonly signal: AbortSignal
}

// Ends with the signal. A request that fails is no reason to stop: people are to see what the pages say then.
export async function goOn(present: Present): Promise<void> {
  const { signal } = present
  const draw = drawsOf(Date.now())
  const startedMs = performance.now()
  let paidMs = Number.NEGATIVE_INFINITY
  await ask(present, present.tests, 'initCall', { phone: ringingTestNumber }).catch(() => undefined)
  for (let nth = 0; !signal.aborted; nth++) {
    const nowMs = performance.now()
    const incident = incidentAt(Math.floor((nowMs - startedMs) / minuteMs))
    const { customer, phone, mode, client } = nextCall(draw, nth, incident)
    const sent = { phone, ...(mode === 'voice' ? { voice: true } : {}), ...(client === '' ? {} : { client }) }
    await ask(present, present.customers[customer], 'initCall', sent).catch(() => undefined)
    if (nowMs - paidMs > payEveryMs) {
      paidMs = nowMs
      await payIn(present).catch(() => undefined)
    }
    await sleep(callEveryMs * (0.4 + 1.2 * draw(nth, 'pause')), undefined, { signal }).catch(() => undefined)
  }
}

// A trunk leads to this carrier, which refuses calls to a provider that falls, while the others lead to a sound one.
export function startIllCarrier(folder: string, port: number): ChildProcess {
  mkdirSync(folder, { recursive: true })
  const scenario = join(folder, 'ill.xml')
  writeFileSync(scenario, carrierScenario(true))
  const [program = '', ...args] = carrierCommand(scenario, port)
  return spawn(program, args, { stdio: 'ignore', cwd: folder })
}

async function payIn(present: Present): Promise<void> {
  for (const name of customerNames) {
    const { rub_balance: balance } = await ask(present, present.customers[name], 'getBalance', {})
    if (typeof balance === 'number' && balance < balanceMin)
      await present.pay(present.customers[name].accountId, paidIn, present.signal)
  }
}

async function ask(
  { url, signal }: Present,
  { key, serviceId }: Credentials,
  method: 'initCall' | 'getBalance',
  sent: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${url}/v1.0/${method}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}.${serviceId}`,
      'content-type': 'application/json',
      'user-agent': 'demo/1.0',
    },
    body: JSON.stringify(sent),
    signal,
  })
  return (await response.json()) as Readonly<Record<string, unknown>>
}
