// The root span of a verification: the request that started it. A request that was refused has no verification and no trace; a
// retry with the same idempotency key belongs to the trace of its first request.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VerificationId } from '../domain/core/slot.ts'
import type { Traces } from '../process/traces/traces.ts'
import { notesOf } from './request-notes.ts'
import type { Route } from './routes.ts'

export function traceRequest(
  traces: Traces,
  { method, scope }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  response: Readonly<Record<string, unknown>>,
): void {
  // A lookup costs money, too, but has no verification.
  if (scope !== 'start' || !('vendor_id' in response)) return
  const id = response['vendor_id'] as VerificationId
  const notes = notesOf(request)
  if (response['exists'] !== true) {
    const attributes = { service_id: notes.apiClient?.serviceId }
    traces.record(id, { name: method, startedMs: notes.startedMs, attributes })
  }
  const traceId = traces.traceIdOf(id)
  if (traceId === undefined) return
  notes.traceId = traceId
  reply.header('x-trace-id', traceId)
}
