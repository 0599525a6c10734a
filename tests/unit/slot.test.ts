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
} from '../../server/src/domain/slot.ts'

const slots = fc.constantFrom(...slotsAll)

test('an account id tells its slot and fits 32 bits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 25 - 2 }), slots, (counter, slot) => {
      const id = numberedId(counter, slot)
      assert(isAccountId(id))
      assert.equal(slotOfAccount(id), slot)
      assert.equal(Math.floor(id / 64), counter)
    }),
  )
})

test('a verification id tells its slot, whatever its second and sequence', () => {
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

test('nothing below the first counter is an id', () => {
  for (const value of [0, 63, -64, 64.5, 2 ** 31, Number.NaN]) assert(!isAccountId(value), String(value))
  assert(isAccountId(numberedId(1, 0 as Slot)))
})
