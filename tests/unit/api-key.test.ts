import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  apiKeyPattern,
  apiKeyRandomBytes,
  digestApiKey,
  hasWrongChecksum,
  makeApiKey,
  parseKeyScopes,
} from '../../server/src/domain/accounts/api-key.ts'
import { makeWebhookSecret } from '../../server/src/domain/webhooks/webhook.ts'

test('a key has 32 characters: rp, 24 uniformly random letters and digits, and a checksum', () => {
  const counts = new Map<string, number>()
  const keys = 4_000
  for (let n = 0; n < keys; n++) {
    const key = makeApiKey(randomBytes(apiKeyRandomBytes))
    assert.match(key, /^rp[A-Za-z0-9]{30}$/)
    assert(!hasWrongChecksum(key))
    for (const letter of key.slice(2, 26)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  const expected = (keys * 24) / 62
  assert.equal(counts.size, 62)
  // Six standard deviations: a fair generator fails this once in a hundred million runs.
  for (const [letter, count] of counts) assert(Math.abs(count - expected) < 6 * Math.sqrt(expected), letter)
})

test('too few random bytes are refused, not padded', () => {
  assert.throws(() => makeApiKey(Buffer.alloc(64, 255)), /not enough random bytes/)
})

test('the checksum is CRC-32 of the rest in base 62, checked against another implementation', () => {
  // python3: zlib.crc32(b'rp' + b'A' * 24) == 2500324778, digits in base 62 with A for 0
  assert.equal(makeApiKey(Buffer.alloc(64)), `rp${'A'.repeat(24)}CtNGrA`)
})

test('a key with one changed character fails its checksum; keys of another format have none', () => {
  const key = makeApiKey(randomBytes(apiKeyRandomBytes))
  for (let at = 2; at < key.length; at++) {
    const changed = `${key.slice(0, at)}${key[at] === 'x' ? 'y' : 'x'}${key.slice(at + 1)}`
    assert(hasWrongChecksum(changed), changed)
  }
  for (const other of ['k'.repeat(32), 'rp', `rp${'A'.repeat(40)}`, `RP${key.slice(2)}`])
    assert(!hasWrongChecksum(other))
})

test('the secret-scanner pattern in SECURITY.md finds a key in text', () => {
  const key = makeApiKey(randomBytes(apiKeyRandomBytes))
  for (const text of [`KEY=${key}`, `"Bearer ${key}.64"`, `?key=${key}&service_id=64`]) {
    assert.equal(apiKeyPattern.exec(text)?.[0], key)
  }
  assert.equal(apiKeyPattern.exec(`x${key}`), null)
  const security = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')
  assert(security.includes(apiKeyPattern.source))
})

test('key scopes are read, start or both, in a fixed order', () => {
  assert.deepEqual(parseKeyScopes('read, start'), ['start', 'read'])
  assert.deepEqual(parseKeyScopes('read'), ['read'])
  for (const text of ['', 'write', 'read,', 'read;start']) assert.equal(parseKeyScopes(text), undefined)
})

test('the digest is SHA-256', () => {
  assert.equal(digestApiKey('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('a webhook secret is whsec_ and 32 random bytes', () => {
  const secret = makeWebhookSecret(Buffer.alloc(32, 7))
  assert.match(secret, /^whsec_/)
  assert.equal(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 32)
})
