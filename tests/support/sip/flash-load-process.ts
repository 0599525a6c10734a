// Places flash calls at a steady rate over one switch, and reports what each cost this process. Apart from the test: its runner follows
// every promise, which costs more than a call.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { placeCall } from '../../../server/src/engine/trunks/place-call.ts'
import type { EdgeConfig } from '../../../server/src/telephony/edge/config.ts'
import { noCapture } from '../../../server/src/telephony/sip/capture.ts'
import type { Switch } from '../../../server/src/telephony/switch.ts'
import type { TestAsterisk } from './asterisk.ts'
import { asteriskSwitch, realClock } from './asterisk-switch.ts'
import { edgeSwitch, edgeTrunk } from './edge-switch.ts'

export type FlashLoad = {
  readonly over:
    | { readonly asterisk: TestAsterisk['site'] }
    | { readonly edge: Pick<EdgeConfig, 'insideHost' | 'insidePort' | 'keys'> }
  readonly carrier: string
  readonly name: string
  readonly perSecond: number
  readonly seconds: number
  readonly ringMs: number
}

export type FlashLoadResult = {
  readonly lost: number
  readonly nodeMs: number
  // The longest time that this process could do nothing.
  readonly pauseMs: number
}

const load = JSON.parse(process.argv[2] ?? '') as FlashLoad
const trunk = { ...edgeTrunk, address: load.carrier }
const phones = await openSwitch()
let lost = 0
const pauses = monitorEventLoopDelay({ resolution: 10 })
pauses.enable()
const before = process.cpuUsage()
await evenly(async (index) => {
  const { progress } = placeCall(
    { switch: phones, clock: realClock },
    {
      channelId: `${load.name}-${index}`,
      trunk: trunk.name,
      to: `7907${String(index % 10_000_000).padStart(7, '0')}`,
      from: '70000000001',
      mode: 'flash',
      code: '',
      language: 'ru',
      ringMs: load.ringMs,
      countsEarlyMedia: false,
      callDeadlineMs: 55_000,
    },
  )
  const { rangAtMs, endedBy } = await progress
  if (rangAtMs === undefined || endedBy !== 'us') lost++
})
const { user, system } = process.cpuUsage(before)
const result: FlashLoadResult = {
  lost,
  nodeMs: (user + system) / 1_000 / (load.perSecond * load.seconds),
  pauseMs: pauses.max / 1e6,
}
await new Promise((resolve) => process.send?.(result, resolve))
process.exit()

function openSwitch(): Promise<Pick<Switch, 'dial'>> {
  if ('edge' in load.over) return edgeSwitch(load.over.edge, trunk)
  const asterisk = { site: load.over.asterisk, edge: undefined } as TestAsterisk
  return asteriskSwitch(asterisk, () => [trunk], { capture: noCapture })
}

async function evenly(work: (index: number) => Promise<void>): Promise<void> {
  const startedMs = performance.now()
  const open = new Set<Promise<void>>()
  for (let index = 0; index < load.perSecond * load.seconds; index++) {
    const waitMs = (index * 1_000) / load.perSecond - (performance.now() - startedMs)
    if (waitMs > 1) await realClock.sleep(waitMs, AbortSignal.any([]))
    const call = work(index).finally(() => open.delete(call))
    open.add(call)
  }
  await Promise.all(open)
}
