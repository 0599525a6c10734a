import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { KeyRing } from '../../server/src/domain/crypto/sealing.ts'

export function freshKey(): KeyObject {
  return createSecretKey(randomBytes(32))
}

// The first is active.
export function keyRing(...keys: readonly (readonly [number: number, key: KeyObject])[]): KeyRing {
  return { active: keys[0]?.[0] ?? 0, keys: new Map(keys) }
}
