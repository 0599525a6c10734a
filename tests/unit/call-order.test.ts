import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { AccountId, VerificationId } from '../../server/src/domain/core/slot.ts'
import { MissingKeyError, nonceBytes } from '../../server/src/domain/crypto/sealing.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import { type CallOrder, decryptOrder, orderName, sealOrder } from '../../server/src/domain/verifications/call-order.ts'
import { freshKey, keyRing } from '../support/key-ring.ts'

const ring = keyRing([1, freshKey()])
const order: CallOrder = {
  id: 230_000_000_000_123 as VerificationId,
  accountId: 64 as AccountId,
  attempt: 2,
  routes: [
    { trunk: 'first', callerNumber: 70000000380, ringSeconds: undefined, countsEarlyMedia: false },
    { trunk: 'second', callerNumber: 70000010380, ringSeconds: 7, countsEarlyMedia: true },
  ],
  mode: 'flash',
  code: '0380',
  language: 'ru',
  isTest: false,
  number: '79070000180' as PhoneNumber,
  numberLeaseId: 230_000_000_000_123,
}
const sealed = sealOrder(ring, order, randomBytes(nonceBytes))

test('a sealed order decrypts unchanged, and shows only verification and attempt while sealed', () => {
  assert.deepEqual(decryptOrder(ring, new Uint8Array(sealed)), JSON.parse(JSON.stringify(order)))
  assert.deepEqual(orderName(sealed), { id: order.id, attempt: 2 })
  for (const word of ['0380', '7000', '7907', 'first', 'flash', 'code', 'number']) assert(!sealed.includes(word), word)
})

test('an order does not decrypt for another verification, attempt or installation, or with a changed byte', () => {
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.throws(() => decryptOrder(ring, changed), `byte ${at}`)
  }
  assert.throws(() => decryptOrder(keyRing([1, freshKey()]), sealed))
  assert.throws(() => decryptOrder(keyRing([2, freshKey()]), sealed), MissingKeyError)
  for (const short of ['', '{"id":1}', sealed.subarray(0, 9), sealed.subarray(0, 12)]) {
    assert.throws(() => decryptOrder(ring, Buffer.from(short)))
  }
})
