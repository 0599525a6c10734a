// One request to a receiver, as careful as a request to a stranger must be: no redirect is followed, no more of the response is
// read than will be told, nothing is decompressed, and every request has a connection of its own, so that its address is
// evaluated anew. It says what happened and decides nothing.

import { Agent, request } from 'undici'
import type { Clock } from '../clock.ts'
import { responseBytesMax, responseTimeoutSeconds } from '../domain/webhooks/webhook.ts'
import { addressBusy, addressRefused, connectSafely, type Resolve } from './connect-safely.ts'

export type Delivery = {
  // Undefined when no response came.
  readonly status: number | undefined
  readonly failure: 'address-refused' | 'address-busy' | 'too-slow' | 'unreachable' | undefined
  readonly durationMs: number
  readonly response: Buffer
  readonly retryAfter: string | undefined
}

export type Deliver = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Delivery>

export type DeliverDeps = {
  // Networks of the operator's that webhooks may reach all the same.
  readonly webhookAllow: readonly string[]
  readonly resolve: Resolve
  readonly clock: Clock
  readonly timeScale: number
}

const headerBytesMax = 16 * 1024

export function createDelivery(deps: DeliverDeps): { readonly deliver: Deliver; readonly close: () => Promise<void> } {
  const agent = new Agent({ connect: connectSafely(deps.webhookAllow, deps.resolve), maxHeaderSize: headerBytesMax })
  return {
    deliver: (url, headers, body) => deliver(deps, agent, url, headers, body),
    close: () => agent.destroy(),
  }
}

async function deliver(
  { clock, timeScale }: DeliverDeps,
  agent: Agent,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Delivery> {
  const startedMs = clock.monotonicMs()
  const timeout = new AbortController()
  // Other people's machines keep real time.
  const timer = clock.after((responseTimeoutSeconds * 1_000) / timeScale, () => timeout.abort())
  const took = () => Math.round(clock.monotonicMs() - startedMs)
  try {
    const response = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Ringproof', ...headers },
      body,
      reset: true,
      signal: timeout.signal,
    })
    const start = await beginning(response.body)
    const retryAfter = response.headers['retry-after']
    return {
      status: response.statusCode,
      failure: undefined,
      durationMs: took(),
      response: start,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    }
  } catch (error) {
    const failure = failureOf(error) ?? (timeout.signal.aborted ? 'too-slow' : 'unreachable')
    return { status: undefined, failure, durationMs: took(), response: Buffer.alloc(0), retryAfter: undefined }
  } finally {
    timer.stop()
  }
}

// What was decided before anybody was asked.
function failureOf(error: unknown): 'address-refused' | 'address-busy' | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === addressRefused) return 'address-refused'
  return code === addressBusy ? 'address-busy' : undefined
}

// The status stands, whatever becomes of the rest: an response that is too long or breaks off was an response.
async function beginning(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= responseBytesMax) break
    }
  } catch {
    // It broke off.
  }
  return Buffer.concat(chunks).subarray(0, responseBytesMax)
}
