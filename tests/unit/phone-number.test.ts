import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AccountId } from '../../server/src/domain/core/slot.ts'
import type { KeyRing } from '../../server/src/domain/crypto/sealing.ts'
import {
  mask,
  type PhoneNumber,
  slotOfNumber,
  subscriberHashes,
  tenantHashes,
} from '../../server/src/domain/numbers/phone-number.ts'
import { keyRing } from '../support/key-ring.ts'

const phone = (digits: string) => digits as PhoneNumber
const key = (byte: number) => createSecretKey(Buffer.alloc(32, byte))
const ring = keyRing([1, key(1)])
const distributed = keyRing([1, key(1)], [2, key(2)])
const rotated = keyRing([2, key(2)], [1, key(1)])
const number = phone('79000000001')
const accounts = [64, 65].map((id) => id as AccountId) as [AccountId, AccountId]

test('masks show the first and last digits', () => {
  const cases: readonly [digits: string, masked: string][] = [
    ['79000000001', '7900***0001'],
    ['123456789012345', '1234***2345'],
    ['12345678901', '1234***8901'],
    ['1234567890', '123***890'],
    ['123456789', '123***789'],
    ['12345678', '12***78'],
    ['1234567', '12***67'],
    // No number is this short. If one comes, none of it may be shown.
    ['1234', '***'],
    ['123', '***'],
  ]
  for (const [digits, masked] of cases) assert.equal(mask(phone(digits)), masked)
})

test('a mask hides at least three digits, and more of a long number', () => {
  const numbers = fc.stringMatching(/^[1-9]\d{6,14}$/).map(phone)
  fc.assert(
    fc.property(numbers, (digits) => {
      const [front = '', back = ''] = mask(digits).split('***')
      assert(digits.startsWith(front) && digits.endsWith(back))
      assert.equal(front.length, Math.min(4, Math.floor((digits.length - 3) / 2)))
      assert.equal(back.length, front.length)
    }),
  )
})

test('hashes of one number differ between tenants; the hash for limits does not', () => {
  const [one, other] = accounts
  assert.notDeepEqual(tenantHashes(ring, one, number), tenantHashes(ring, other, number))
  assert.deepEqual(tenantHashes(ring, one, number), tenantHashes(ring, one, number))
  assert.notDeepEqual(tenantHashes(ring, one, number), subscriberHashes(ring, number))
  assert.notDeepEqual(subscriberHashes(ring, number), subscriberHashes(ring, phone('79000000002')))
  assert.deepEqual(
    subscriberHashes(ring, number).map(({ length }) => length),
    [32],
  )
})

test('a number is hashed under every key, the active one first', () => {
  const [one] = accounts
  for (const hashes of [
    (keys: KeyRing) => subscriberHashes(keys, number),
    (keys: KeyRing) => tenantHashes(keys, one, number),
  ]) {
    const [under1] = hashes(ring)
    const [under2] = hashes(keyRing([2, key(2)]))
    assert.notDeepEqual(under1, under2)
    assert.deepEqual(hashes(distributed), [under1, under2])
    assert.deepEqual(hashes(rotated), [under2, under1])
  }
  assert.throws(() => subscriberHashes(keyRing(), number), /ring key 0 is not there/)
})

test('numbers spread over all slots', () => {
  const slots = new Set(
    Array.from({ length: 2_000 }, (_, at) => slotOfNumber(ring, phone(String(79_000_000_000 + at)))),
  )
  assert.equal(slots.size, 64)
})
