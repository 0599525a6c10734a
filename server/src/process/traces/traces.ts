// One trace per verification, for OpenTelemetry (ADR 31). Each process records spans of what it does itself. The IDs of the trace
// and of its root span are computed from the ID of the verification, so all spans meet in one trace without a word on the bus.
// Times are those of this machine. The types name every attribute that exists: no number, code, key or text of a customer.

import { createHmac } from 'node:crypto'
import type { Method } from '@ringproof/contract/methods.ts'
import { slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import { activeKey, deriveKey, type KeyRing } from '../../domain/crypto/sealing.ts'
import type { Clock } from '../clock.ts'
import type { TraceSettings } from '../config/trace-settings.ts'
import type { Logger } from '../log/log.ts'
import type { Events } from '../metrics/events.ts'
import { createRandomBytes } from '../random-bytes.ts'
import { createSpanExporter, type OtlpSpan, otlpAttributes } from './export.ts'

export type Traces = {
  readonly record: (id: VerificationId, span: Span) => void
  // Undefined if the verification is not sampled.
  readonly traceIdOf: (id: VerificationId) => string | undefined
  readonly close: () => Promise<void>
}

export type Span = {
  // The root span is named after the method that started the verification.
  readonly name: Method | ChildName
  // By the monotonic clock.
  readonly startedMs: number
  // Now, if missing.
  readonly endedMs?: number
  readonly isFailed?: boolean
  readonly attributes?: SpanAttributes
  readonly events?: readonly SpanEvent[]
}

export type SpanEvent = {
  readonly name: 'ringing' | 'early media' | 'answered' | 'code spoken' | 'ended'
  readonly atMs: number
}

export type SpanAttributes = {
  readonly [Name in
    | 'service_id'
    | 'mode'
    | 'trunk'
    | 'attempt'
    | 'outcome'
    | 'reason'
    | 'sip_status'
    | 'ended_by'
    | 'http_status'
    | 'failure']?: string | number | undefined
}

type ChildName = keyof typeof childKinds

// The numbers of OpenTelemetry.
const [internal, server, client, producer] = [1, 2, 3, 4]
const childKinds = {
  plan: internal,
  accept: client,
  dispatch: producer,
  claim: client,
  INVITE: client,
  'inbound call': server,
  charge: client,
  webhook: client,
} as const
const failedStatus = 2

const spanIdBytes = 8

export type TracesDeps = {
  readonly settings: TraceSettings
  readonly keys: { readonly phoneSlot: KeyRing }
  readonly version: string
  readonly roles: readonly string[]
  readonly clock: Clock
  readonly events: Pick<Events, 'spansExported'>
  readonly log: Logger
}

export function createTraces(deps: TracesDeps): Traces {
  const { settings, keys, clock } = deps
  const exporter = createSpanExporter(deps)
  const randomBytes = createRandomBytes()
  const unixNanos = createUnixNanos(clock)
  return {
    traceIdOf: (id) => {
      const { traceId } = identify(keys.phoneSlot, id)
      return isSampled(traceId, settings.share) ? traceId : undefined
    },
    record: (id, { name, startedMs, endedMs = clock.monotonicMs(), isFailed, attributes, events = [] }) => {
      const { traceId, rootSpanId } = identify(keys.phoneSlot, id)
      if (!isSampled(traceId, settings.share)) return
      const span: OtlpSpan = {
        traceId,
        ...(isChild(name)
          ? { spanId: hex(randomBytes(spanIdBytes)), parentSpanId: rootSpanId, kind: childKinds[name] }
          : { spanId: rootSpanId, kind: server }),
        name,
        startTimeUnixNano: unixNanos(startedMs),
        endTimeUnixNano: unixNanos(Math.max(startedMs, endedMs)),
        attributes: otlpAttributes({ ...named(attributes), ...named({ vendor_id: id, slot: slotOfVerification(id) }) }),
        events: events.map((event) => ({ name: event.name, timeUnixNano: unixNanos(event.atMs) })),
        ...(isFailed ? { status: { code: failedStatus } } : {}),
      }
      exporter.add(span)
    },
    close: exporter.close,
  }
}

// Adds the trace to every log line that names its verification.
export function addTraceIds(log: Logger, { traceIdOf }: Pick<Traces, 'traceIdOf'>): Logger {
  const withTraceId = (line: { readonly vendor_id?: unknown }) =>
    typeof line.vendor_id === 'number' ? { ...line, trace_id: traceIdOf(line.vendor_id as VerificationId) } : line
  return log.child({}, { formatters: { log: withTraceId } })
}

// Keyed, so that two installations with one collector do not share traces. The slot key never changes, so all processes
// compute the same.
function identify(slotRing: KeyRing, id: VerificationId): { readonly traceId: string; readonly rootSpanId: string } {
  const digest = createHmac('sha256', deriveKey(activeKey(slotRing), 'trace'))
    .update(String(id))
    .digest()
  return { traceId: hex(digest.subarray(0, 16)), rootSpanId: hex(digest.subarray(16, 16 + spanIdBytes)) }
}

// Decided by the trace ID alone, so that all processes decide alike. Thirteen hexadecimal digits are 52 bits.
function isSampled(traceId: string, share: number): boolean {
  return parseInt(traceId.slice(-13), 16) / 2 ** 52 >= 1 - share
}

function isChild(name: Span['name']): name is ChildName {
  return name in childKinds
}

function named(attributes: Readonly<Record<string, string | number | undefined>> = {}) {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ringproof.${name}`, value]))
}

// The offset between both clocks is kept until it has changed by more than reading them explains: otherwise a span could seem
// to start before its parent. The time of day has whole milliseconds, so it is read at the beginning of one.
export function createUnixNanos(clock: Clock): (monotonicMs: number) => string {
  const toleranceMs = 2
  // The process may lose the CPU between the two clocks; such a reading says nothing.
  const readingMsMax = 0.5
  const readOffsetMs = (): number | undefined => {
    const beforeMs = clock.monotonicMs()
    const timeOfDayMs = clock.timeOfDayMs()
    return clock.monotonicMs() - beforeMs > readingMsMax ? undefined : timeOfDayMs - beforeMs
  }
  const firstMs = clock.timeOfDayMs()
  while (clock.timeOfDayMs() === firstMs);
  let offsetMs = readOffsetMs() ?? clock.timeOfDayMs() - clock.monotonicMs()
  return (monotonicMs) => {
    const nowOffsetMs = readOffsetMs()
    if (nowOffsetMs !== undefined && Math.abs(nowOffsetMs - offsetMs) > toleranceMs) offsetMs = nowOffsetMs
    // Whole microseconds are the most that a number holds exactly.
    return `${Math.round((monotonicMs + offsetMs) * 1_000)}000`
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
