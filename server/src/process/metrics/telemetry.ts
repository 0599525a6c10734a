// What the log, the API log and the traces lose.

import { Counter, type Registry } from 'prom-client'

export type TelemetryEvents = {
  // Spans were taken by the collector, or will never be.
  readonly spansExported: (outcome: 'sent' | 'dropped', count: number) => void
  // Requests that the API log does not have.
  readonly apiRequestsDropped: (count: number) => void
}

export function telemetryEvents(registry: Registry, logLinesDropped: () => number): TelemetryEvents {
  countLostLines(registry, logLinesDropped)
  const spans = new Counter({
    name: 'ringproof_trace_spans_total',
    help: 'Spans of traces, by outcome: sent, or dropped because the collector was away, too slow or refused them.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const apiRequests = new Counter({
    name: 'ringproof_api_log_dropped_total',
    help: 'Requests that the API log does not have: its database was away, too slow or refused them.',
    registers: [registry],
  })
  return {
    spansExported: (outcome, count) => spans.inc({ outcome }, count),
    apiRequestsDropped: (count) => apiRequests.inc(count),
  }
}

function countLostLines(registry: Registry, logLinesDropped: () => number): void {
  const lost = new Counter({
    name: 'ringproof_log_lines_dropped_total',
    help: 'Log lines that could not be written: the disk was full, or the reader of the pipe too slow.',
    registers: [],
    collect() {
      this.reset()
      this.inc(logLinesDropped())
    },
  })
  registry.registerMetric(lost)
}
