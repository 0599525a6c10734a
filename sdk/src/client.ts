// The client of Ringproof: its eight methods, and waiting for what becomes of a call. For servers only: whoever has the
// key can spend the account's money.

import { ResultTimeoutError } from './errors.ts'
import type { ApiResponses, Requests } from './methods.ts'
import { createTransport, type RingproofOptions, type Send, sleep } from './transport.ts'

export * from './errors.ts'
export type { ApiResponses, Method, Requests } from './methods.ts'
export type { RingproofOptions } from './transport.ts'
export { type InboundCall, webhooks } from './webhooks.ts'

/** What a verification has become: 1, the call was made; 0, it could not be completed. */
export type Result = ApiResponses['getInfo'] & { call_status: 0 | 1 }

export class Ringproof {
  readonly #send: Send

  constructor(options: RingproofOptions) {
    this.#send = createTransport(options)
  }

  /** Calls the number. Without a `unique` one is made, so that an attempt which got lost is repeated and never rings twice. */
  async initCall(request: Requests['initCall']): Promise<ApiResponses['initCall']> {
    return this.#send('initCall', { ...request, unique: request.unique ?? crypto.randomUUID() })
  }

  async getInfo(request: Requests['getInfo']): Promise<ApiResponses['getInfo']> {
    return this.#send('getInfo', request)
  }

  /** @deprecated Most installations refuse it with NotSupportedError; call initCall again. */
  async initRepeat(request: Requests['initRepeat']): Promise<ApiResponses['initRepeat']> {
    return this.#send('initRepeat', request)
  }

  async inboundCallWaiting(request: Requests['inboundCallWaiting']): Promise<ApiResponses['inboundCallWaiting']> {
    return this.#send('inboundCallWaiting', request)
  }

  async checkPhone(request: Requests['checkPhone']): Promise<ApiResponses['checkPhone']> {
    return this.#send('checkPhone', request)
  }

  async getAccount(): Promise<ApiResponses['getAccount']> {
    return this.#send('getAccount', {})
  }

  async getService(): Promise<ApiResponses['getService']> {
    return this.#send('getService', {})
  }

  async getBalance(): Promise<ApiResponses['getBalance']> {
    return this.#send('getBalance', {})
  }

  /** Asks until the call has ended, which takes a minute at most; a wait for an inbound call may take longer. */
  async waitForResult(vendorId: number, { timeoutMs = 65_000 }: { timeoutMs?: number } = {}): Promise<Result> {
    const deadlineMs = performance.now() + timeoutMs
    for (let pauseMs = 250; performance.now() < deadlineMs; pauseMs = Math.min(pauseMs * 1.5, 2_000)) {
      const info = await this.#send('getInfo', { uid: vendorId }, deadlineMs).catch((error: unknown) => {
        // An response that was cut off by the deadline is one that did not come in time.
        if (performance.now() < deadlineMs) throw error
      })
      if (info !== undefined && hasEnded(info)) return info
      await sleep(Math.min(pauseMs, Math.max(deadlineMs - performance.now(), 0)))
    }
    throw new ResultTimeoutError(`Verification ${vendorId} has not ended within ${timeoutMs} ms.`)
  }
}

function hasEnded(info: ApiResponses['getInfo']): info is Result {
  return info.call_status !== -1
}
