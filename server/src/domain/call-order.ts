// What is handed to a telephony node: everything that the call needs, the number sealed. A node that gets it twice, or
// late, finds out from the record; the order itself is no right to dial.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { VerificationId } from './slot.ts'

export type CallRoute = {
  readonly trunk: string
  readonly callerNumber: number | undefined
  readonly ringSeconds: number | undefined
  readonly countsEarlyMedia: boolean
}

export type CallOrder = {
  readonly version: 1
  readonly id: VerificationId
  // Which attempt this is, from 1; its route is the one at that place.
  readonly attempt: number
  readonly routes: readonly CallRoute[]
  readonly mode: CallMode
  readonly code: string
  readonly language: 'ru' | 'en' | 'kk'
  readonly isTest: boolean
  // In base64, for purpose 'number' and this id.
  readonly sealedNumber: string
  // By which the limits of the number know this call.
  readonly numberToken: number
}

export const testTrunk = 'test'

export function routeOf({ routes, attempt }: CallOrder): CallRoute | undefined {
  return routes[attempt - 1]
}

// The same call over the next trunk; undefined when there is none.
export function nextOrder(order: CallOrder): CallOrder | undefined {
  const next = { ...order, attempt: order.attempt + 1 }
  return routeOf(next) && next
}
