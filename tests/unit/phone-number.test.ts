import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  mask,
  type PhoneNumber,
  slotOfNumber,
  subscriberHash,
  subscriberHashes,
  tenantHash,
} from '../../server/src/domain/phone-number.ts'
import type { KeyRing } from '../../server/src/domain/sealing.ts'
import type { AccountId } from '../../server/src/domain/slot.ts'

const phone = (digits: string) => digits as PhoneNumber
const key = (byte: number) => createSecretKey(Buffer.alloc(32, byte))
const ring: KeyRing = new Map([[1, key(1)]])
const rotated: KeyRing = new Map([
  [1, key(1)],
  [2, key(2)],
])
const number = phone('79000000001')
const accounts = [64, 65].map((id) => id as AccountId) as [AccountId, AccountId]

test('masks', () => {
  const cases: readonly [digits: string, masked: string][] = [
    ['79000000001', '7900***0001'],
    ['123456789012345', '1234***2345'],
    ['12345678901', '1234***8901'],
    ['1234567890', '123***890'],
    ['123456789', '123***789'],
    ['12345678', '12***78'],
    ['1234567', '12***67'],
    // No number is that short; should one come, none of it may be shown by a slip of slice.
    ['1234', '***'],
    ['123', '***'],
  ]
  for (const [digits, masked] of cases) assert.equal(mask(phone(digits)), masked)
})

test('a mask hides three digits at least, and the rest of a long number', () => {
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

test('hashes of tenants do not link them; the one for limits does', () => {
  const [one, other] = accounts
  assert.notDeepEqual(tenantHash(ring, one, number), tenantHash(ring, other, number))
  assert.deepEqual(tenantHash(ring, one, number), tenantHash(ring, one, number))
  assert.notDeepEqual(tenantHash(ring, one, number), subscriberHash(ring, number))
  assert.notDeepEqual(subscriberHash(ring, number), subscriberHash(ring, phone('79000000002')))
  assert.equal(subscriberHash(ring, number).length, 32)
})

test('a new key changes hashes, but never the slot of a number', () => {
  const [one] = accounts
  assert.notDeepEqual(tenantHash(ring, one, number), tenantHash(rotated, one, number))
  assert.notDeepEqual(subscriberHash(ring, number), subscriberHash(rotated, number))
  for (let at = 0; at < 100; at += 1) {
    const some = phone(String(79_000_000_000 + at))
    assert.equal(slotOfNumber(ring, some), slotOfNumber(rotated, some))
  }
  assert.deepEqual(subscriberHashes(rotated, number), [subscriberHash(rotated, number), subscriberHash(ring, number)])
  assert.throws(() => subscriberHash(new Map(), number), /a key ring is empty/)
})

test('numbers spread over all slots', () => {
  const slots = new Set(
    Array.from({ length: 2_000 }, (_, at) => slotOfNumber(ring, phone(String(79_000_000_000 + at)))),
  )
  assert.equal(slots.size, 64)
})
