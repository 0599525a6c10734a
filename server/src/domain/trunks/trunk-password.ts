// The SIP password of a trunk, sealed for this trunk.

import { type KeyRing, type SealPurpose, seal, unseal } from '../crypto/sealing.ts'
import type { Trunk } from './trunk.ts'

export function sealTrunkPassword(keys: KeyRing, trunk: string, password: string, nonce: Uint8Array): Buffer {
  return seal(keys, purposeOf(trunk), 0, password, nonce)
}

export function decryptTrunkPassword(keys: KeyRing, { name, passwordSealed }: Trunk): string | undefined {
  return passwordSealed === null ? undefined : unsealTrunkPassword(keys, name, passwordSealed)
}

export function unsealTrunkPassword(keys: KeyRing, trunk: string, sealed: Buffer): string {
  return unseal(keys, purposeOf(trunk), 0, sealed)
}

function purposeOf(trunk: string): SealPurpose {
  return `trunk-password:${trunk}`
}
