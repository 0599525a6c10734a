// Sends spans to a collector: OTLP over HTTP, in JSON. Nothing waits for it. The queue is bounded, and what does not fit, what
// the collector refuses, and what is left at the end is dropped and counted. A collector that does not respond, or asks to
// come later, gets the same spans again.

import { type Clock, createClock, withTimeLimit } from '../clock.ts'
import type { TraceSettings } from '../config/trace-settings.ts'
import type { Logger } from '../log/log.ts'
import type { Events } from '../metrics/events.ts'

export type OtlpSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly OtlpAttribute[]
  readonly events: readonly { readonly name: string; readonly timeUnixNano: string }[]
  readonly status?: { readonly code: number }
}

type OtlpAttribute = {
  readonly key: string
  readonly value: { readonly stringValue: string } | { readonly intValue: string }
}

type ExporterDeps = {
  readonly settings: TraceSettings
  readonly version: string
  readonly roles: readonly string[]
  readonly events: Pick<Events, 'spansExported'>
  readonly log: Logger
}

type Outcome = { readonly result: 'sent' | 'refused' | 'failed'; readonly status?: number; readonly error?: unknown }

// About seven megabytes; a call has seven spans.
export const queueMax = 8_192
const batchMax = 512
const intervalMs = 1_000
const retryMs = 5_000
const requestMs = 10_000
const lastRequestsMs = 2_000
const logMs = 60_000
const retriedStatuses = new Set([429, 502, 503, 504])

export function createSpanExporter(deps: ExporterDeps): {
  readonly add: (span: OtlpSpan) => void
  readonly close: () => Promise<void>
} {
  // In real time: it bounds someone else's server.
  const clock = createClock(1)
  const queue: OtlpSpan[] = []
  const closing = new AbortController()
  const over = new AbortController()
  const drop = (count: number) => deps.events.spansExported('dropped', count)
  const note = createFailureLog(deps.log, clock)
  // False if the collector is to be tried again later.
  const sendQueue = async (): Promise<boolean> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchMax)
      const outcome = await post(deps, clock, batch, over.signal)
      if (outcome.result !== 'sent') note(outcome)
      if (outcome.result === 'failed') return false
      queue.splice(0, batch.length)
      if (outcome.result === 'sent') deps.events.spansExported('sent', batch.length)
      else drop(batch.length)
    }
    return true
  }
  const sending = (async () => {
    let waitMs = intervalMs
    while (!closing.signal.aborted) {
      await clock.sleep(waitMs, closing.signal)
      waitMs = (await sendQueue()) ? intervalMs : retryMs
    }
    drop(queue.length)
  })()
  return {
    add: (span) => {
      if (queue.length < queueMax) queue.push(span)
      else drop(1)
    },
    close: async () => {
      closing.abort()
      const last = clock.after(lastRequestsMs, () => over.abort())
      await sending
      last.stop()
    },
  }
}

// Undefined values are left out.
export function otlpAttributes(attributes: Readonly<Record<string, string | number | undefined>>): OtlpAttribute[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return []
    // 64-bit integers are strings in this format.
    return [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }]
  })
}

function post(
  { settings, version, roles }: ExporterDeps,
  clock: Clock,
  spans: readonly OtlpSpan[],
  over: AbortSignal,
): Promise<Outcome> {
  const resource = { ...settings.resource, 'service.version': version, 'ringproof.roles': roles.join(',') }
  const body = {
    resourceSpans: [
      {
        resource: { attributes: otlpAttributes(resource) },
        scopeSpans: [{ scope: { name: 'ringproof', version }, spans }],
      },
    ],
  }
  const request = async (signal: AbortSignal): Promise<Outcome> => {
    const response = await fetch(settings.url, {
      method: 'POST',
      headers: { ...settings.headers, 'content-type': 'application/json', 'user-agent': `Ringproof/${version}` },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.any([signal, over]),
    })
    await response.arrayBuffer()
    const { status, ok } = response
    return { result: ok ? 'sent' : retriedStatuses.has(status) ? 'failed' : 'refused', status }
  }
  return withTimeLimit(clock, requestMs, request, (error) => ({ result: 'failed', error }))
}

// While the collector is down every attempt fails: one line a minute is enough.
function createFailureLog(log: Logger, clock: Clock): (outcome: Outcome) => void {
  let loggedMs: number | undefined
  return ({ status, error }) => {
    const nowMs = clock.monotonicMs()
    if (loggedMs !== undefined && nowMs - loggedMs < logMs) return
    loggedMs = nowMs
    log.warn({ http_status: status, err: error }, 'trace export failed')
  }
}
