import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isIssued, issueChallenge } from '../../server/src/actions/people/passkeys.ts'
import { challengeSeconds } from '../../server/src/domain/people/passkey.ts'
import { freshKey, keyRing } from '../support/key-ring.ts'

let now = 1_800_000_000.5
const deps = { recordKeys: keyRing([1, freshKey()]), nowSeconds: () => now, randomBytes }
const text = (challenge: Uint8Array) => Buffer.from(challenge).toString('base64url')

test('a challenge is valid for five minutes, for its purpose, unaltered and from this installation', () => {
  const session = { digest: Buffer.alloc(32, 7) }
  const [signIn, step] = [text(issueChallenge(deps, 'sign-in')), text(issueChallenge(deps, session))]
  assert.equal(isIssued(deps, 'sign-in', signIn), true)
  assert.equal(isIssued(deps, session, step), true)
  assert.equal(isIssued(deps, 'sign-in', step), false)
  assert.equal(isIssued(deps, session, signIn), false)
  assert.equal(isIssued(deps, { digest: Buffer.alloc(32, 8) }, step), false)
  for (const other of ['', 'AAAA', signIn.slice(4), `${signIn.slice(0, -4)}AAAA`])
    assert.equal(isIssued(deps, 'sign-in', other), false)
  assert.equal(isIssued({ ...deps, recordKeys: keyRing([1, freshKey()]) }, 'sign-in', signIn), false)
  now += challengeSeconds
  assert.equal(isIssued(deps, 'sign-in', signIn), false)
})
