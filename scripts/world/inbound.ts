// Subscribers who are to call, and how the customers' servers receive the webhooks of those who did.

import { dayMs, hourMs, minuteMs } from '../../server/src/domain/values/time.ts'
import { afterAttempt } from '../../server/src/domain/webhooks/webhook.ts'
import type { CustomerName } from './cast.ts'
import { brokenSinceDay } from './demand.ts'
import type { Delivery } from './events.ts'
import type { Draw } from './random.ts'

// As a service is set.
export const inboundSeconds = 120
export const brokenReceiver: CustomerName = 'gym'
// A webhook of the broken receiver is given up within this time.
export const givenUpWithinMs = 22 * minuteMs
const numberLifeMs = 30 * minuteMs

export function willCall(draw: Draw, key: string): boolean {
  return draw(key, 'calls') < 0.81
}

// From the request to the call, or to the end of the time for it. A keeper looks several times a second.
export function waitMs(draw: Draw, key: string, isCalled: boolean): number {
  const spread = draw(key, 'wait')
  if (!isCalled) return inboundSeconds * 1_000 + 40 + Math.floor(spread * 400)
  return 6_000 + Math.floor(spread ** 2 * 80_000)
}

type Called = {
  readonly key: string
  readonly customer: CustomerName
  readonly beginMs: number
  readonly calledMs: number
}

export function deliveriesOf(draw: Draw, { key, customer, beginMs, calledMs }: Called): readonly Delivery[] {
  const brokenMs = beginMs + brokenSinceDay * dayMs + 10 * hourMs
  const deliveries: Delivery[] = []
  for (let atMs = calledMs + 20; ; ) {
    const nth = deliveries.length + 1
    const isBroken = customer === brokenReceiver && atMs >= brokenMs
    // Every receiver is restarted now and then.
    const isFailing = isBroken || draw(key, 'receiver', nth) < (nth === 1 ? 0.02 : 0.3)
    const durationMs = 40 + Math.floor(draw(key, 'answer', nth) * (isBroken ? 900 : 180))
    const status = isFailing ? 503 : 204
    const response = isBroken ? 'Service Unavailable: no connection to the database' : isFailing ? 'Bad Gateway' : ''
    deliveries.push({ atMs, durationMs, status, response })
    const lifeLeftSeconds = (calledMs + numberLifeMs - atMs - durationMs) / 1_000
    const next = afterAttempt(nth, { status, retryAfterSeconds: undefined }, lifeLeftSeconds)
    if (next.state !== 'due') return deliveries
    atMs += durationMs + next.inSeconds * 1_000 + Math.floor(draw(key, 'late', nth) * 90)
  }
}
