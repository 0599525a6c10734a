// Sends one webhook request to an untrusted receiver: no redirects, a limited part of the response is read, nothing is
// decompressed, and every request uses a new connection, so that its address is checked again. It reports the result and
// decides nothing.

import { Agent, request } from 'undici'
import { type DeliveryFailure, responseBytesMax, responseTimeoutSeconds } from '../domain/webhooks/webhook.ts'
import type { Clock } from '../process/clock.ts'
import { addressBusy, addressRefused, connectSafely, type Resolve } from './connect-safely.ts'

export type Delivery = {
  // Undefined if there was no response.
  readonly status: number | undefined
  readonly failure: DeliveryFailure | undefined
  readonly durationMs: number
  readonly response: Buffer
  readonly retryAfter: string | undefined
}

export type Deliver = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Delivery>

export type DeliverDeps = {
  // Private networks that webhooks may reach.
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
  // Real time, not scaled: it bounds someone else's server.
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

// Failures before a request was sent.
function failureOf(error: unknown): 'address-refused' | 'address-busy' | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === addressRefused) return 'address-refused'
  return code === addressBusy ? 'address-busy' : undefined
}

// A response that is too long or breaks off still counts by its status.
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
