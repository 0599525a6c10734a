// A collector of traces on loopback. It reads OTLP over HTTP in JSON strictly: hexadecimal IDs, 64-bit integers as strings, and
// no field that the format does not have.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { createReceiverToTheEnd, type Received } from './webhook-receiver.ts'

export type CollectedSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: number
  readonly startedNs: bigint
  readonly endedNs: bigint
  readonly attributes: Readonly<Record<string, string>>
  readonly events: readonly { readonly name: string; readonly atNs: bigint }[]
  readonly isFailed: boolean
  readonly resource: Readonly<Record<string, string>>
}

export type TraceCollector = {
  readonly url: string
  readonly requests: readonly Received[]
  // Every span so far, in order of start.
  readonly spans: () => readonly CollectedSpan[]
}

export async function startTraceCollector(
  respond: (response: ServerResponse) => void = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
): Promise<TraceCollector> {
  const { url, received } = await createReceiverToTheEnd(respond)
  return {
    url,
    requests: received,
    spans: () => received.flatMap(readSpans).toSorted((a, b) => Number(a.startedNs - b.startedNs)),
  }
}

type Fields = Readonly<Record<string, unknown>>

function readSpans({ method, headers, body }: Received): readonly CollectedSpan[] {
  assert.deepEqual([method, headers['content-type']], ['POST', 'application/json'])
  const { resourceSpans } = fieldsOf(JSON.parse(body), ['resourceSpans'])
  return listOf(resourceSpans).flatMap((one) => {
    const { resource, scopeSpans } = fieldsOf(one, ['resource', 'scopeSpans'])
    const { attributes } = fieldsOf(resource, ['attributes'])
    return listOf(scopeSpans).flatMap((scoped) => {
      const { scope, spans } = fieldsOf(scoped, ['scope', 'spans'])
      assert.equal(fieldsOf(scope, ['name', 'version'])['name'], 'ringproof')
      return listOf(spans).map((span) => readSpan(span, readAttributes(attributes)))
    })
  })
}

function readSpan(value: unknown, resource: CollectedSpan['resource']): CollectedSpan {
  const times = ['startTimeUnixNano', 'endTimeUnixNano'] as const
  const known = [
    'traceId',
    'spanId',
    'parentSpanId',
    'name',
    'kind',
    ...times,
    'attributes',
    'events',
    'status',
  ] as const
  const span = fieldsOf(value, known)
  const { parentSpanId } = span
  assert(typeof span['name'] === 'string' && Number.isInteger(span['kind']))
  return {
    traceId: hexOf(span['traceId'], 16),
    spanId: hexOf(span['spanId'], 8),
    parentSpanId: parentSpanId === undefined ? undefined : hexOf(parentSpanId, 8),
    name: span['name'],
    kind: Number(span['kind']),
    startedNs: nanosOf(span['startTimeUnixNano']),
    endedNs: nanosOf(span['endTimeUnixNano']),
    attributes: readAttributes(span['attributes']),
    events: listOf(span['events']).map((event) => {
      const { name, timeUnixNano } = fieldsOf(event, ['name', 'timeUnixNano'])
      return { name: String(name), atNs: nanosOf(timeUnixNano) }
    }),
    isFailed: span['status'] !== undefined && fieldsOf(span['status'], ['code'])['code'] === 2,
    resource,
  }
}

function readAttributes(list: unknown): Readonly<Record<string, string>> {
  const pairs = listOf(list).map((attribute) => {
    const { key, value } = fieldsOf(attribute, ['key', 'value'])
    const { stringValue, intValue } = fieldsOf(value, ['stringValue', 'intValue'])
    assert(typeof key === 'string')
    const text = stringValue ?? intValue
    assert(typeof text === 'string' && (intValue === undefined || /^-?\d+$/.test(text)), `${key} has no value`)
    return [key, text] as const
  })
  return Object.fromEntries(pairs)
}

function fieldsOf(value: unknown, known: readonly string[]): Fields {
  assert(typeof value === 'object' && value !== null)
  const strange = Object.keys(value).filter((name) => !known.includes(name))
  assert.deepEqual(strange, [])
  return value as Fields
}

function listOf(value: unknown): readonly unknown[] {
  assert(Array.isArray(value))
  return value
}

function hexOf(value: unknown, bytes: number): string {
  assert.match(String(value), new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
  return String(value)
}

function nanosOf(value: unknown): bigint {
  assert(typeof value === 'string' && /^\d{19}$/.test(value), `${String(value)} is no time`)
  return BigInt(value)
}
