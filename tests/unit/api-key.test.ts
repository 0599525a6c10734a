import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { apiKeyChanceBytes, digestApiKey, makeApiKey } from '../../server/src/domain/api-key.ts'
import { makeWebhookSecret } from '../../server/src/domain/webhook-secret.ts'

test('a key has 32 letters and digits, each as likely as the next', () => {
  const counts = new Map<string, number>()
  const keys = 4_000
  for (let n = 0; n < keys; n++) {
    const key = makeApiKey(randomBytes(apiKeyChanceBytes))
    assert.match(key, /^[A-Za-z0-9]{32}$/)
    for (const letter of key) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  const expected = (keys * 32) / 62
  assert.equal(counts.size, 62)
  // Six standard deviations: a fair generator fails this once in a hundred million runs.
  for (const [letter, count] of counts) assert(Math.abs(count - expected) < 6 * Math.sqrt(expected), letter)
})

test('too little chance is refused, not padded', () => {
  assert.throws(() => makeApiKey(Buffer.alloc(64, 255)), /too little chance/)
})

test('the digest is SHA-256', () => {
  assert.equal(digestApiKey('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('a web-hook secret is 32 bytes behind whsec_', () => {
  const secret = makeWebhookSecret(Buffer.alloc(32, 7))
  assert.match(secret, /^whsec_/)
  assert.equal(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 32)
})
