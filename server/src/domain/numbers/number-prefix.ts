// A number without its last four digits (a range of 10,000 subscribers), as 48 bits of a keyed digest. In plain text, the
// prefix and the mask of a verification together would reveal the number. The key is the slot key: it never changes, whereas
// counts under a rotated key would be lost.

import { createHmac, type KeyObject } from 'node:crypto'
import { activeKey, deriveKey, type KeyRing } from '../crypto/sealing.ts'
import type { PhoneNumber } from './phone-number.ts'

export type NumberPrefix = number & { readonly unit: 'prefix' }

export function prefixText(number: PhoneNumber): string {
  return number.slice(0, -4)
}

// Numbers of one prefix come in a row, especially during an attack, so digests are cached.
export function numberPrefix(slotRing: KeyRing, number: PhoneNumber): NumberPrefix {
  const key = activeKey(slotRing)
  let known = digests.get(key)
  if (!known || known.size >= digestsMax) digests.set(key, (known = new Map()))
  const text = prefixText(number)
  const prefix = known.get(text) ?? digestOf(key, text)
  known.set(text, prefix)
  return prefix
}

const digests = new WeakMap<KeyObject, Map<string, NumberPrefix>>()
const digestsMax = 4_096

function digestOf(key: KeyObject, text: string): NumberPrefix {
  const digest = createHmac('sha256', deriveKey(key, 'prefix')).update(text).digest()
  return digest.readUIntBE(0, 6) as NumberPrefix
}
