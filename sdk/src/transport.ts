// Sends a request, and sends it again where that is safe.
//
// Again means: two more times, after half a second and after one, a little less by randomness so that clients do not come back
// in step. What may be sent again depends on what is known:
//
//   no response, or a 5xx that is not ours     only methods that do the same thing twice as once: initCall by its `unique`,
//                                            and those that only read. checkPhone would be charged again, initRepeat would
//                                            ring again, inboundCallWaiting would take another number
//   our fault (500)                          the same
//   cannot be started now (5)                every method: nothing was begun
//   too many requests (429)                  every method, after the time the service names
//
// Limits of a number and caps of a service are refusals for people, and no retry waits for them. Nor does one wait longer
// than five seconds: whoever holds a web request open would rather hear of it.

import { apiError } from './error-of-code.ts'
import { ApiError, ConnectionError, type ResponseHead, UnexpectedResponseError } from './errors.ts'
import type { ApiResponses, Method, Requests } from './methods.ts'

export type RingproofOptions = {
  /** Where the service is, without /v1.0: https, or http on this machine. */
  readonly baseUrl: string
  readonly key: string
  readonly serviceId: number | string
  /**
   * The address over plain HTTP, for where the first one is blocked. The key and the number then travel in clear, so it is
   * used only when it stands here, and only after the first could not be reached.
   */
  readonly plainHttpUrl?: string
  /** How long one attempt may take. */
  readonly timeoutMs?: number
  readonly retriesMax?: number
}

// The deadline is one of performance.now(): neither an attempt nor a pause goes beyond it.
export type Send = <M extends Method>(method: M, request: Requests[M], deadlineMs?: number) => Promise<ApiResponses[M]>

export const version = '0.1.0'

const retryWaitMsMax = 5_000
const repeatable: ReadonlySet<Method> = new Set(['initCall', 'getInfo', 'getAccount', 'getService', 'getBalance'])

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
        // Whole milliseconds, and one more, because a timer may be a moment early.
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
    throw new ConnectionError(`No response came from ${new URL(url).host}.`, unique, { cause })
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

// Undefined when the same request must not be sent again, or not so soon.
function retryWaitMs(method: Method, error: unknown, attempt: number): number | undefined {
  if (!isPassing(method, error)) return undefined
  const backoffMs = 500 * 2 ** attempt * (0.75 + Math.random() / 4)
  const named = error instanceof ConnectionError ? undefined : error.retryAfterSeconds
  const waitMs = named === undefined ? backoffMs : Math.max(named * 1_000, backoffMs)
  return waitMs > retryWaitMsMax ? undefined : waitMs
}

function isPassing(method: Method, error: unknown): error is ConnectionError | ApiError | UnexpectedResponseError {
  if (error instanceof ConnectionError) return repeatable.has(method)
  // The code is asked as well as the status, because a service may have every response sent with 200.
  if (error instanceof ApiError) {
    const { code, retryAfterSeconds } = error
    return code === 5 || (code === 500 && repeatable.has(method)) || (code === 429 && retryAfterSeconds !== undefined)
  }
  if (!(error instanceof UnexpectedResponseError)) return false
  const { httpStatus, retryAfterSeconds } = error
  return (httpStatus >= 500 && repeatable.has(method)) || (httpStatus === 429 && retryAfterSeconds !== undefined)
}

function addressesOf({ baseUrl, plainHttpUrl = baseUrl }: RingproofOptions): { first: string; second: string } {
  const { protocol, hostname } = new URL(baseUrl)
  const isOnThisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isOnThisMachine)) {
    throw new TypeError('baseUrl must be https. Over plain HTTP the key travels in clear: see plainHttpUrl.')
  }
  return { first: withoutSlash(baseUrl), second: withoutSlash(plainHttpUrl) }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
