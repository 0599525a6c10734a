// A process that places flash calls over an edge and reports how each went, to be killed and frozen by a test.

import { placeCall } from '../../../server/src/engine/trunks/place-call.ts'
import { createClock } from '../../../server/src/process/clock.ts'
import type { EdgeKeys } from '../../../server/src/telephony/edge/key.ts'
import { edgeSwitch, edgeTrunk } from './edge-switch.ts'

export type DialerOrder = {
  readonly insideHost: string
  readonly insidePort: number
  readonly keys: EdgeKeys
  readonly carrier: string
  // The calls are from numbers that end with their index; the prefix names them at the carrier.
  readonly prefix: string
  readonly calls: number
  readonly ringMs: number
}

const order = JSON.parse(process.argv[2] ?? '') as DialerOrder
const clock = createClock(1)
const edge = await edgeSwitch(order, { address: order.carrier, fromUser: order.prefix })
// The process lives until it is killed.
const alive = setInterval(() => undefined, 60_000)
process.on('SIGTERM', () => {
  clearInterval(alive)
  process.exit()
})
for (let index = 0; index < order.calls; index++) follow(index).catch(() => undefined)

async function follow(index: number): Promise<void> {
  const { rang, progress } = placeCall(
    { switch: edge, clock },
    {
      channelId: `${order.prefix}-${index}`,
      trunk: edgeTrunk.name,
      to: `7907000${String(1_000 + index)}`,
      from: '70000000000',
      mode: 'flash',
      code: '0000',
      language: 'ru',
      ringMs: order.ringMs,
      countsEarlyMedia: false,
      callDeadlineMs: 55_000,
    },
  )
  const isRinging = await rang
  if (isRinging) process.send?.('ringing')
  const { endedBy, status } = await progress
  process.send?.([isRinging ? 'rang' : 'silent', status ?? endedBy].join(', '))
}
