// "Run here": sends one request to the public API for a person in the browser, with a separate key that expires in an hour. The
// person's own key never leaves the page that showed it. Only test and scenario numbers can be called.

import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import type { Actor } from '../db/core/action-log.ts'
import type { ServiceId } from '../domain/core/slot.ts'
import type { PhoneNumber } from '../domain/numbers/phone-number.ts'
import type { Clock } from '../process/clock.ts'
import { Denial } from '../process/errors.ts'

type Deps = {
  readonly apiUrl: string
  readonly publicUrl: string
  readonly addKey: (actor: Actor, serviceId: ServiceId) => Promise<string>
  readonly clock: Clock
}

type Kept = { readonly key: Promise<string>; readonly untilMs: number }

// See http/test-api.ts.
const sinkPath = '/test/v1/webhooks'
const timeoutMs = 15_000
// Less than the key's hour.
const keepMs = 50 * 60_000
const keptMax = 1_000

export function createRunHere({ apiUrl, publicUrl, addKey, clock }: Deps) {
  const keys = new Map<ServiceId, Kept>()
  // Two runs at once share one key: a second would revoke the first.
  const keyOf = (actor: Actor, serviceId: ServiceId): Promise<string> => {
    const kept = keys.get(serviceId)
    if (kept && kept.untilMs > clock.monotonicMs()) return kept.key
    const key = addKey(actor, serviceId)
    if (keys.size >= keptMax) keys.clear()
    keys.set(serviceId, { key, untilMs: clock.monotonicMs() + keepMs })
    key.catch(() => keys.delete(serviceId))
    return key
  }
  return async (actor: Actor, input: WebInput<'run-here'>): Promise<WebOutput<'run-here'>> => {
    const { method, phone, mode } = input
    const serviceId = input.serviceId as ServiceId
    const voice = mode === 'flash' ? '' : `&${mode === 'mix' ? 'mix' : 'voice'}=true`
    // An inbound verification needs a receiver; the installation has one that takes everything.
    const callback = method === 'initCall' ? '' : `&callback_url=${encodeURIComponent(`${publicUrl}${sinkPath}`)}`
    const path = `/v1.0/${method}?phone=${phone}${method === 'initCall' ? voice : callback}`
    const startedMs = clock.monotonicMs()
    const ending = new AbortController()
    const timer = clock.after(timeoutMs, () => ending.abort())
    const send = async () =>
      fetch(`${apiUrl}${path}`, {
        headers: {
          authorization: `Bearer ${await keyOf(actor, serviceId)}.${serviceId}`,
          'user-agent': 'ringproof dashboard',
        },
        redirect: 'error',
        signal: ending.signal,
      })
    try {
      let response = await send()
      // Another process has replaced the key.
      if (response.status === 401) {
        keys.delete(serviceId)
        response = await send()
      }
      const body = await response.text()
      const ms = Math.round(clock.monotonicMs() - startedMs)
      return { status: response.status, body, request: `GET ${path}`, ms, verificationId: verificationIn(body) }
    } catch {
      throw new Denial('unavailable')
    } finally {
      timer.stop()
    }
  }
}

// Calls a customer's own phone with the installation's own service. Returns the code; undefined if the call was refused.
export function createRingOwnPhone({
  apiUrl,
  ownService,
  clock,
}: {
  readonly apiUrl: string
  readonly ownService: string
  readonly clock: Clock
}) {
  return async (phone: PhoneNumber): Promise<string | undefined> => {
    const ending = new AbortController()
    const timer = clock.after(timeoutMs, () => ending.abort())
    const response = await fetch(`${apiUrl}/v1.0/initCall`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ownService}`, 'content-type': 'application/json' },
      body: JSON.stringify({ phone }),
      redirect: 'error',
      signal: ending.signal,
    }).catch(() => undefined)
    timer.stop()
    if (!response || response.status >= 500) throw new Denial('unavailable')
    const { code } = (await response.json()) as { status?: boolean; code?: unknown }
    return typeof code === 'string' ? code : undefined
  }
}

function verificationIn(body: string): number | null {
  try {
    const { vendor_id: id } = JSON.parse(body) as { vendor_id?: unknown }
    return typeof id === 'number' ? id : null
  } catch {
    return null
  }
}
