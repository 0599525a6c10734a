// What the browser or the app of one user presents: it reads and checks one verification, asks for the next call, and can do nothing
// else. Any process can check it without a database. It is sent to people, so it ends with the time of its verification.
//
//   ct_ and base64url of: ladder ID (8 bytes) · expiry in Unix seconds (4) · ring key number (2) · HMAC-SHA-256, cut (16)

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { VerificationId } from '../core/slot.ts'
import { deriveKey, type KeyRing } from '../crypto/sealing.ts'

const prefix = 'ct_'
const signedBytes = 14
const signatureBytes = 16

export function clientTokenOf(ring: KeyRing, id: VerificationId, expiresAtMs: number): string {
  const signed = Buffer.alloc(signedBytes)
  signed.writeBigUInt64BE(BigInt(id))
  signed.writeUInt32BE(Math.ceil(expiresAtMs / 1_000), 8)
  signed.writeUInt16BE(ring.active, 12)
  const signature = signatureOf(ring, signed)
  if (!signature) throw new RangeError('the active key of the ring is not there')
  return prefix + Buffer.concat([signed, signature]).toString('base64url')
}

export function isClientToken(text: string): boolean {
  return text.startsWith(prefix)
}

// The verification that it is for; undefined if it is not ours or has expired.
export function readClientToken(ring: KeyRing, token: string, nowMs: number): VerificationId | undefined {
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url')
  if (!isClientToken(token) || bytes.length !== signedBytes + signatureBytes) return undefined
  const signed = bytes.subarray(0, signedBytes)
  const signature = signatureOf(ring, signed)
  if (!signature || !timingSafeEqual(signature, bytes.subarray(signedBytes))) return undefined
  if (signed.readUInt32BE(8) * 1_000 <= nowMs) return undefined
  return Number(signed.readBigUInt64BE()) as VerificationId
}

function signatureOf(ring: KeyRing, signed: Buffer): Buffer | undefined {
  const key = ring.keys.get(signed.readUInt16BE(12))
  if (!key) return undefined
  return createHmac('sha256', deriveKey(key, 'client-token')).update(signed).digest().subarray(0, signatureBytes)
}
