import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isAccountId,
  numberedId,
  type Slot,
  slotOfAccount,
  slotOfVerification,
  slotsAll,
  type VerificationId,
} from '../../server/src/domain/core/slot.ts'

const slots = fc.constantFrom(...slotsAll)

test('an account ID contains its slot and fits 32 bits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 25 - 2 }), slots, (counter, slot) => {
      const id = numberedId(counter, slot)
      assert(isAccountId(id))
      assert.equal(slotOfAccount(id), slot)
      assert.equal(Math.floor(id / 64), counter)
    }),
  )
})

test('a verification ID contains its slot, for any second and sequence', () => {
  const seconds = fc.integer({ min: 0, max: 2 ** 30 - 1 })
  const sequences = fc.integer({ min: 0, max: 2 ** 17 - 1 })
  fc.assert(
    fc.property(seconds, slots, sequences, (second, slot, sequence) => {
      const id = (second * 2 ** 23 + slot * 2 ** 17 + sequence) as VerificationId
      assert(Number.isSafeInteger(id))
      assert.equal(slotOfVerification(id), slot)
    }),
  )
})

test('a number below the first counter is not an ID', () => {
  for (const value of [0, 63, -64, 64.5, 2 ** 31, Number.NaN]) assert(!isAccountId(value), String(value))
  assert(isAccountId(numberedId(1, 0 as Slot)))
})
