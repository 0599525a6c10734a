// Sends a request and retries it where that is safe.
//
// There are two retries, after 0.5 s and 1 s, shortened by random jitter so that clients do not retry in step. What is retried
// depends on the failure:
//
//   no response, or a 5xx from a proxy       only idempotent methods: initCall (by its `unique`) and those that only read.
//                                            checkPhone would be charged again, initRepeat would ring again,
//                                            inboundCallWaiting would take another number
//   internal error (500)                     the same
//   unavailable (5)                          every method: nothing was started
//   too many requests (429)                  every method, after the time in Retry-After
//
// Number limits and service caps are refusals for people and are not retried. A retry never waits longer than five seconds: a
// web request that is kept open should get the error instead.

import { apiError } from './error-of-code.ts'
import { ApiError, ConnectionError, type ResponseHead, UnexpectedResponseError } from './errors.ts'
import type { ApiResponses, Method, Requests } from './methods.ts'

export type RingproofOptions = {
  /** The URL of the installation without /v1.0: https, or http on localhost. */
  readonly baseUrl: string
  /** The secret API key. */
  readonly key: string
  /** The service ID. */
  readonly serviceId: number | string
  /**
   * A plain HTTP URL for networks that block the first one. The key and the phone number are then sent unencrypted, so it is
   * used only if it is set, and only after the first URL could not be reached.
   */
  readonly plainHttpUrl?: string
  /** Timeout of one attempt in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number
  /** Retries after the first attempt; 2 by default. */
  readonly retriesMax?: number
}

// The deadline is a performance.now() time: neither an attempt nor a pause goes beyond it.
export type Send = <M extends Method>(method: M, request: Requests[M], deadlineMs?: number) => Promise<ApiResponses[M]>

export const version = '0.1.0-rc.1'

const retryWaitMsMax = 5_000
const idempotent: ReadonlySet<Method> = new Set(['initCall', 'getInfo', 'getAccount', 'getService', 'getBalance'])

export function createTransport(options: RingproofOptions): Send {
  const { key, serviceId, timeoutMs = 10_000, retriesMax = 2 } = options
  const addresses = addressesOf(options)
  const headers = {
    authorization: `Bearer ${key}.${serviceId}`,
    'content-type': 'application/json',
    'user-agent': `ringproof-client/${version}`,
  }
  return async (method, request, deadlineMs = Number.POSITIVE_INFINITY) => {
    const body = JSON.stringify(request)
    const unique = 'unique' in request ? String(request.unique) : undefined
    let address = addresses.first
    for (let attempt = 0; ; attempt++) {
      try {
        // Rounded up plus one millisecond, because a timer may fire a little early.
        const leftMs = Math.max(Math.ceil(deadlineMs - performance.now()) + 1, 0)
        const signal = AbortSignal.timeout(Math.min(timeoutMs, leftMs))
        const post = { method: 'POST', headers, body, signal, redirect: 'manual' } as const
        return (await attemptOnce(`${address}/v1.0/${method}`, post, unique)) as ApiResponses[typeof method]
      } catch (error) {
        const waitMs = attempt < retriesMax ? retryWaitMs(method, error, attempt) : undefined
        if (waitMs === undefined || performance.now() + waitMs > deadlineMs) throw error
        if (error instanceof ConnectionError) address = addresses.second
        await sleep(waitMs)
      }
    }
  }
}

export async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}

async function attemptOnce(url: string, post: RequestInit, unique: string | undefined): Promise<unknown> {
  const { head, text } = await exchange(url, post).catch((cause: unknown) => {
    throw new ConnectionError(`No response from ${new URL(url).host}.`, unique, { cause })
  })
  const json = parse(text)
  if (json?.['status'] === false && typeof json['code'] === 'number') {
    throw apiError({ ...head, code: json['code'], error: String(json['error']) })
  }
  if (json === undefined || head.httpStatus !== 200) throw new UnexpectedResponseError(head)
  return json
}

async function exchange(url: string, post: RequestInit): Promise<{ head: ResponseHead; text: string }> {
  const response = await fetch(url, post)
  const retryAfter = response.headers.get('retry-after') ?? ''
  return {
    head: {
      httpStatus: response.status,
      requestId: response.headers.get('x-request-id') ?? '',
      retryAfterSeconds: /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    },
    text: await response.text(),
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

// Undefined if the request must not be retried, or not within five seconds.
function retryWaitMs(method: Method, error: unknown, attempt: number): number | undefined {
  if (!isRetryable(method, error)) return undefined
  const backoffMs = 500 * 2 ** attempt * (0.75 + Math.random() / 4)
  const retryAfterSeconds = error instanceof ConnectionError ? undefined : error.retryAfterSeconds
  const waitMs = retryAfterSeconds === undefined ? backoffMs : Math.max(retryAfterSeconds * 1_000, backoffMs)
  return waitMs > retryWaitMsMax ? undefined : waitMs
}

function isRetryable(method: Method, error: unknown): error is ConnectionError | ApiError | UnexpectedResponseError {
  if (error instanceof ConnectionError) return idempotent.has(method)
  // The code decides, not the HTTP status, because a service may be set to respond with status 200 always.
  if (error instanceof ApiError) {
    const { code, retryAfterSeconds } = error
    return code === 5 || (code === 500 && idempotent.has(method)) || (code === 429 && retryAfterSeconds !== undefined)
  }
  if (!(error instanceof UnexpectedResponseError)) return false
  const { httpStatus, retryAfterSeconds } = error
  return (httpStatus >= 500 && idempotent.has(method)) || (httpStatus === 429 && retryAfterSeconds !== undefined)
}

function addressesOf({ baseUrl, plainHttpUrl = baseUrl }: RingproofOptions): { first: string; second: string } {
  const { protocol, hostname } = new URL(baseUrl)
  const isOnThisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isOnThisMachine)) {
    throw new TypeError('baseUrl must be https. Over plain HTTP the key is sent unencrypted: see plainHttpUrl.')
  }
  return { first: withoutSlash(baseUrl), second: withoutSlash(plainHttpUrl) }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
