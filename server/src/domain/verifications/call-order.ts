// A call order: everything a telephony node needs to place the call. In the call queue it is sealed for this verification and
// attempt: a reader of the stream learns that a call is tried over a trunk, but not the number, the caller ID or the code.
// An order does not authorise a call: the claim in the database does, so an order delivered twice or late is harmless.
//
//   version (1 byte) · id (8) · attempt (1) · sealed JSON

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { PromptLanguage } from '../accounts/modes.ts'
import type { AccountId, VerificationId } from '../core/slot.ts'
import { type KeyRing, type SealPurpose, seal, unseal } from '../crypto/sealing.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'
import type { Destination } from '../trunks/switch-over.ts'

export type CallRoute = {
  readonly trunk: string
  readonly callerNumber: number | undefined
  readonly ringSeconds: number | undefined
  readonly countsEarlyMedia: boolean
}

export type CallOrder = {
  readonly id: VerificationId
  readonly accountId: AccountId
  // From 1; attempt n uses the nth route.
  readonly attempt: number
  readonly routes: readonly CallRoute[]
  readonly mode: CallMode
  readonly code: string
  readonly language: PromptLanguage
  readonly isTest: boolean
  readonly number: PhoneNumber
  // Its claim asks whether the ladder is pending.
  readonly ladder?: true | undefined
  // For the figures of its trunk. Orders of an earlier release and repeated dispatches have none.
  readonly destination?: Destination | undefined
  // The lease on the destination number.
  readonly numberLeaseId: number
}

const version = 1
const headerBytes = 10

export function routeOf({ routes, attempt }: CallOrder): CallRoute | undefined {
  return routes[attempt - 1]
}

// The same call over the next trunk; undefined if there is none.
export function nextOrder(order: CallOrder): CallOrder | undefined {
  const next = { ...order, attempt: order.attempt + 1 }
  return routeOf(next) && next
}

export function sealOrder(ring: KeyRing, order: CallOrder, nonce: Uint8Array): Buffer {
  const { id, attempt } = order
  const header = Buffer.alloc(headerBytes)
  header.writeUInt8(version)
  header.writeBigUInt64BE(BigInt(id), 1)
  header.writeUInt8(attempt, 9)
  return Buffer.concat([header, seal(ring, purposeOf(attempt), id, JSON.stringify(order), nonce)])
}

// Reads ID and attempt without decrypting.
export function orderName(sealed: Uint8Array): Pick<CallOrder, 'id' | 'attempt'> {
  const header = asBuffer(sealed)
  if (header.length < headerBytes || header.readUInt8() !== version) throw new Error('not a call order')
  return { id: Number(header.readBigUInt64BE(1)) as VerificationId, attempt: header.readUInt8(9) }
}

// Throws a MissingKeyError if its ring key is missing, and another error if it was altered or sealed for another attempt.
export function decryptOrder(ring: KeyRing, sealed: Uint8Array): CallOrder {
  const { id, attempt } = orderName(sealed)
  const rest = unseal(ring, purposeOf(attempt), id, asBuffer(sealed).subarray(headerBytes))
  return { ...(JSON.parse(rest) as CallOrder), id, attempt }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

function purposeOf(attempt: number): SealPurpose {
  return `order:${attempt}`
}
