import type { LaneEvent } from '../../parts/charts/Lanes.tsx'
import type { PhoneCall } from '../../parts/phone/call-status.ts'
import { isOpen } from '../../parts/phone/call-status.ts'
import type { words } from './words.en.ts'

type Words = typeof words
type Formats = { readonly seconds: (value: number) => string; readonly price: (value: number) => string }
type Context = { readonly words: Words['events']; readonly formats: Formats; readonly nowMs: number }

// One call as what four sides saw of it. `nowMs` is on the clock of the call.
export function callEvents(call: PhoneCall, words: Words['events'], formats: Formats, nowMs: number): LaneEvent[] {
  const context = { words, formats, nowMs }
  return [
    ...apiEvents(call, context),
    ...(call.mode === 'inbound' ? inboundEvents(call, context) : networkEvents(call, context)),
    ...moneyEvents(call, context),
    ...webhookEvents(call, context),
  ]
}

function apiEvents(call: PhoneCall, { words }: Context): LaneEvent[] {
  const method = call.mode === 'inbound' ? 'inboundCallWaiting' : 'initCall'
  const response = call.code === null ? words.accepted : words.code(call.code)
  const events: LaneEvent[] = [
    { lane: 'api', at: 0, text: method, tone: 'ink', place: 'above' },
    { lane: 'api', at: 0.04, text: response, tone: 'succeeded', place: 'below' },
  ]
  if (call.endedMs === null || isOpen(call)) return events
  const hasSucceeded = call.state === 'succeeded'
  const text = words.info(hasSucceeded ? 1 : 0)
  return [...events, { lane: 'api', at: call.endedMs / 1000, text, tone: hasSucceeded ? 'succeeded' : 'failed' }]
}

function networkEvents(call: PhoneCall, { words, formats, nowMs }: Context): LaneEvent[] {
  const events: LaneEvent[] = []
  const end = call.endedMs ?? nowMs
  if (call.dialledMs !== null)
    events.push({ lane: 'call', at: call.dialledMs / 1000, text: words.dialled, tone: 'ink' })
  if (call.rangMs !== null) {
    const to = call.answeredMs ?? end
    const text = words.ringing(formats.seconds((to - call.rangMs) / 1000))
    events.push({ lane: 'call', at: call.rangMs / 1000, to: to / 1000, text, tone: 'marker' })
  }
  if (call.answeredMs !== null) {
    const text = words.talking(formats.seconds((end - call.answeredMs) / 1000))
    events.push({ lane: 'call', at: call.answeredMs / 1000, to: end / 1000, text, tone: 'open' })
  }
  if (call.state === 'failed') events.push(failure(call, words, end))
  return events
}

function failure({ sipStatus }: PhoneCall, words: Words['events'], endMs: number): LaneEvent {
  const text = sipStatus === null ? words.failed : words.status(sipStatus)
  return { lane: 'call', at: endMs / 1000, text, tone: 'failed', place: 'below' }
}

function inboundEvents(call: PhoneCall, { words, formats, nowMs }: Context): LaneEvent[] {
  const end = call.endedMs ?? nowMs
  const waiting: LaneEvent = { lane: 'call', at: 0.1, to: end / 1000, text: words.waiting, tone: 'open' }
  if (call.state === 'succeeded') {
    return [waiting, { lane: 'call', at: end / 1000, text: words.came, tone: 'succeeded', place: 'below' }]
  }
  if (call.state === 'failed') return [waiting, failure(call, words, end)]
  if (call.expiresMs === null || call.expiresMs <= nowMs) return [waiting]
  const text = words.until(formats.seconds(call.expiresMs / 1000))
  return [waiting, { lane: 'call', at: end / 1000, to: call.expiresMs / 1000, text, tone: 'quiet', look: 'ghost' }]
}

// Test calls cost nothing: what would be held is hatched.
function moneyEvents(call: PhoneCall, { words, formats, nowMs }: Context): LaneEvent[] {
  const price = formats.price(call.price)
  const end = (call.endedMs ?? nowMs) / 1000
  const text = call.state === 'succeeded' ? words.wouldCharge(price) : words.would(price)
  const held: LaneEvent = { lane: 'money', at: 0.02, to: Math.max(end, 0.5), text, tone: 'quiet', look: 'hatched' }
  return call.state === 'failed'
    ? [held, { lane: 'money', at: end, text: words.released, tone: 'ink', place: 'below' }]
    : [held]
}

function webhookEvents({ webhooks }: PhoneCall, { words }: Context): LaneEvent[] {
  return webhooks.map(({ atMs, status }, at) => {
    const isDelivered = status !== null && status >= 200 && status < 300
    const text = status === null ? words.noAnswer : isDelivered ? words.delivered(status) : words.refused(status)
    const isLast = at === webhooks.length - 1
    const event: LaneEvent = { lane: 'webhook', at: atMs / 1000, tone: isDelivered ? 'succeeded' : 'failed' }
    return isLast ? { ...event, text } : event
  })
}
