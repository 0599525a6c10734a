import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseEmail } from '../../server/src/domain/people/email.ts'
import {
  digestRecoveryCode,
  makeRecoveryCodes,
  recoveryCodesBytes,
} from '../../server/src/domain/people/one-time-token.ts'
import { hashPassword, isPassword, passwordFaults } from '../../server/src/domain/people/password.ts'
import { failuresInAllMax, secondsToWait } from '../../server/src/domain/people/sign-in-throttle.ts'
import { base32, codeOfStep, stepOfCode, totpUri } from '../../server/src/domain/people/totp.ts'

test('a password is refused if it is short, contains the mailbox, or is a common one', () => {
  assert.deepEqual(passwordFaults('tidal lamp on wheels', 'you@example.org'), [])
  assert.deepEqual(passwordFaults('passwordless doors open', 'you@example.org'), [])
  assert.deepEqual(passwordFaults('tidal-lamp', 'you@example.org'), ['short'])
  assert.deepEqual(passwordFaults('Somebody-at-work', 'somebody@example.org'), ['contains-email'])
  for (const common of [
    'password1234',
    'Qwerty123456',
    'qwertyqwerty',
    '123456789012',
    'ПарольПароль',
    'letmein20262026',
  ])
    assert.deepEqual(passwordFaults(common, 'you@example.org'), ['common'], common)
})

test('a stored password matches itself and nothing else, and two hashes of it differ', async () => {
  const [one, other] = await Promise.all([1, 2].map((salt) => hashPassword('tidal lamp', Buffer.alloc(16, salt))))
  assert(one && other)
  assert.notEqual(one, other)
  assert.equal(await isPassword('tidal lamp', one), true)
  assert.equal(await isPassword('tidal lamP', one), false)
  assert.equal(await isPassword('tidal lamp', 'not a hash'), false)
})

// RFC 6238, appendix B, cut to six digits.
test('the authenticator codes are those of the RFC', () => {
  const secret = Buffer.from('12345678901234567890')
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const) {
    assert.equal(codeOfStep(secret, Math.floor(seconds / 30)), code)
  }
  assert.equal(base32(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  assert.match(totpUri('My ring', 'a@b', secret), /^otpauth:\/\/totp\/My%20ring:a%40b\?secret=GEZD.*&issuer=My%20ring$/)
})

test('a code counts in its step and the two beside it, and never after a later one', () => {
  const secret = Buffer.alloc(20, 7)
  const now = 1_800_000_000
  const step = Math.floor(now / 30)
  for (const [offset, expected] of [
    [-2, undefined],
    [-1, step - 1],
    [0, step],
    [1, step + 1],
    [2, undefined],
  ] as const) {
    assert.equal(stepOfCode(secret, codeOfStep(secret, step + offset), now, 0), expected)
  }
  assert.equal(stepOfCode(secret, codeOfStep(secret, step), now, step), undefined)
  assert.equal(stepOfCode(secret, codeOfStep(secret, step - 1), now, step), undefined)
})

test('ten recovery codes differ; spaces, dashes and capitals do not matter', () => {
  const codes = makeRecoveryCodes(Uint8Array.from({ length: recoveryCodesBytes }, (_, n) => (n * 7 + (n >> 3)) % 256))
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
  const [code = ''] = codes
  assert.deepEqual(digestRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `), digestRecoveryCode(code))
})

test('five failures are free, then the wait doubles up to fifteen minutes, and a hundred in all end it', () => {
  const wait = (recent: number, total = recent) => secondsToWait({ recent, total, secondsAgo: 0 })
  assert.deepEqual(
    [0, 4, 5, 6, 10, 14, 15, 50].map((recent) => wait(recent)),
    [0, 0, 1, 2, 32, 512, 900, 900],
  )
  assert.equal(wait(0, failuresInAllMax), undefined)
  assert.equal(secondsToWait({ recent: 6, total: 6, secondsAgo: 2.5 }), 0)
})

test('however attempts are spread, at most a hundred are evaluated', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 400 }), (pauses) => {
      let evaluated = 0
      let secondsAgo = 0
      for (const pause of pauses) {
        secondsAgo += pause
        // Every one fails, so both counts are the attempts so far.
        if (secondsToWait({ total: evaluated, recent: evaluated, secondsAgo }) !== 0) continue
        evaluated += 1
        secondsAgo = 0
      }
      return evaluated <= failuresInAllMax
    }),
  )
})

test('an e-mail is trimmed and in lower case, or refused', () => {
  assert.equal(parseEmail(' You@Example.ORG '), 'you@example.org')
  for (const text of ['', 'you', '@example.org', 'you@', 'a b@example.org', `${'x'.repeat(65)}@example.org`])
    assert.equal(parseEmail(text), undefined, text)
})
