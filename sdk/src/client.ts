// The Ringproof client: the eight API methods, and waiting for the result of a call. For servers only: anyone with the key can
// spend the account's money.

import { ResultTimeoutError } from './errors.ts'
import type { ApiResponses, Requests } from './methods.ts'
import { createTransport, type RingproofOptions, type Send, sleep } from './transport.ts'

export * from './errors.ts'
export type { ApiResponses, Method, Requests } from './methods.ts'
export type { RingproofOptions } from './transport.ts'
export { type InboundCall, webhooks } from './webhooks.ts'

/** The final state of a verification: `call_status` is 1 if the call succeeded, 0 if it could not be completed. */
export type Result = ApiResponses['getInfo'] & { call_status: 0 | 1 }

/** A client for one service. Use it on a server only: anyone with the key can spend the account's money. */
export class Ringproof {
  readonly #send: Send

  constructor(options: RingproofOptions) {
    this.#send = createTransport(options)
  }

  /**
   * Calls the number. If `unique` is absent, one is generated, so that a lost request can be retried without a second call
   * or charge.
   */
  async initCall(request: Requests['initCall']): Promise<ApiResponses['initCall']> {
    assertObject('initCall', request)
    return this.#send('initCall', { ...request, unique: request.unique ?? crypto.randomUUID() })
  }

  /** Returns the state of a verification. `call_status` is -1 while the call is in progress, then 1 or 0. */
  async getInfo(request: Requests['getInfo'] | number | string): Promise<ApiResponses['getInfo']> {
    return this.#send('getInfo', asRequest('uid', request))
  }

  /** @deprecated Not supported: fails with NotSupportedError. Call initCall again. */
  async initRepeat(request: Requests['initRepeat'] | number | string): Promise<ApiResponses['initRepeat']> {
    return this.#send('initRepeat', asRequest('uid', request))
  }

  /**
   * Returns a number for the user to call from the phone to be verified. When the call comes in, a signed webhook goes to
   * `callback_url`; check it with `webhooks.verify`. This method is not retried, because a retry would take another number.
   */
  async inboundCallWaiting(request: Requests['inboundCallWaiting']): Promise<ApiResponses['inboundCallWaiting']> {
    assertObject('inboundCallWaiting', request)
    return this.#send('inboundCallWaiting', request)
  }

  /** Parses a phone number as people write it. Charged per valid number, so it is not retried after a lost response. */
  async checkPhone(request: Requests['checkPhone'] | number | string): Promise<ApiResponses['checkPhone']> {
    return this.#send('checkPhone', asRequest('phone', request))
  }

  /** Returns the account and its last 50 logged actions. */
  async getAccount(): Promise<ApiResponses['getAccount']> {
    return this.#send('getAccount', {})
  }

  /** Returns the service that the key belongs to. */
  async getService(): Promise<ApiResponses['getService']> {
    return this.#send('getService', {})
  }

  /** Returns the balance that the account can spend, and its tariff. */
  async getBalance(): Promise<ApiResponses['getBalance']> {
    return this.#send('getBalance', {})
  }

  /**
   * Polls getInfo until the verification has ended. An outgoing call ends within a minute; for an inbound one pass a longer
   * `timeoutMs`. Throws ResultTimeoutError after `timeoutMs`.
   */
  async waitForResult(vendorId: number, { timeoutMs = 65_000 }: { timeoutMs?: number } = {}): Promise<Result> {
    const deadlineMs = performance.now() + timeoutMs
    for (let pauseMs = 250; performance.now() < deadlineMs; pauseMs = Math.min(pauseMs * 1.5, 2_000)) {
      const info = await this.#send('getInfo', { uid: vendorId }, deadlineMs).catch((error: unknown) => {
        // A request aborted by the deadline counts as a timeout.
        if (performance.now() < deadlineMs) throw error
      })
      if (info !== undefined && hasEnded(info)) return info
      await sleep(Math.min(pauseMs, Math.max(deadlineMs - performance.now(), 0)))
    }
    throw new ResultTimeoutError(`Verification ${vendorId} has not ended within ${timeoutMs} ms.`)
  }
}

// Methods with one parameter also take its bare value.
function asRequest<Name extends string>(
  name: Name,
  request: Record<Name, number | string> | number | string,
): Record<Name, number | string> {
  if (typeof request === 'object' && request !== null) return request
  if (typeof request === 'number' || typeof request === 'string')
    return { [name]: request } as Record<Name, number | string>
  throw new TypeError(`Pass ${name} as a number, a string, or in an object: { ${name}: … }.`)
}

// For programs that are not type-checked.
function assertObject(method: 'initCall' | 'inboundCallWaiting', request: unknown): void {
  if (typeof request === 'object' && request !== null) return
  const fields = method === 'initCall' ? 'phone: …' : 'phone: …, callback_url: …'
  throw new TypeError(`Pass the parameters of ${method} in an object: ${method}({ ${fields} }).`)
}

function hasEnded(info: ApiResponses['getInfo']): info is Result {
  return info.call_status !== -1
}
