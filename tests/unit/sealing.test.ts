import assert from 'node:assert/strict'
import { createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  deriveKey,
  MissingKeyError,
  nonceBytes,
  seal,
  sealedWith,
  unseal,
} from '../../server/src/domain/crypto/sealing.ts'
import { freshKey, keyRing } from '../support/key-ring.ts'

const oldKey = createSecretKey(randomBytes(32))
const ring = keyRing([300, freshKey()], [1, oldKey])
const sealed = seal(ring, 'webhook-secret', 64, 'whsec_example', randomBytes(nonceBytes))

test('sealed text decrypts to the same text, and does not contain it', () => {
  assert.equal(unseal(ring, 'webhook-secret', 64, sealed), 'whsec_example')
  assert(!sealed.includes('whsec'))
  assert.equal(unseal(ring, 'webhook-secret', 64, seal(ring, 'webhook-secret', 64, '', randomBytes(12))), '')
})

test('the active key seals; other keys still decrypt', () => {
  assert.equal(sealedWith(sealed), 300)
  const before = seal(keyRing([1, oldKey]), 'webhook-secret', 64, 'old', randomBytes(nonceBytes))
  assert.equal(unseal(ring, 'webhook-secret', 64, before), 'old')
})

test('another purpose, another ID, a changed byte or a missing key does not decrypt', () => {
  assert.throws(() => unseal(ring, 'callback', 64, sealed))
  assert.throws(() => unseal(ring, 'webhook-secret', 65, sealed))
  assert.throws(() => unseal(keyRing([1, oldKey]), 'webhook-secret', 64, sealed), /ring key 300 is not there/)
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    assert.throws(() => unseal(ring, 'webhook-secret', 64, changed), `byte ${index}`)
  }
})

test('derived keys equal HKDF, on first use and from the cache', () => {
  for (const purpose of ['number:1', 'phone:64', 'phone:65', '', 'number:1', 'phone:64']) {
    assert.deepEqual(deriveKey(oldKey, purpose).export(), Buffer.from(hkdfSync('sha256', oldKey, '', purpose, 32)))
  }
})

test('a missing key is looked for once more, where the ring supports it', () => {
  const newKey = freshKey()
  const next = seal(keyRing([2, newKey]), 'person', 64, 'text', randomBytes(nonceBytes))
  const asked: number[] = []
  const loadMissing = (found: typeof newKey | undefined) => (keyNumber: number) => {
    asked.push(keyNumber)
    return found
  }
  assert.equal(unseal({ ...keyRing([1, oldKey]), loadMissing: loadMissing(newKey) }, 'person', 64, next), 'text')
  assert.throws(
    () => unseal({ ...keyRing([1, oldKey]), loadMissing: loadMissing(undefined) }, 'person', 64, next),
    (error) => error instanceof MissingKeyError && error.keyNumber === 2,
  )
  assert.deepEqual(asked, [2, 2])
})
