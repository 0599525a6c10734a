import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import addressparser from 'nodemailer/lib/addressparser'
import { mailboxOf, parseEmail, plainName } from '../../server/src/domain/people/email.ts'
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

test('an e-mail is trimmed, in lower case and with the host name in ASCII', () => {
  for (const [text, email] of [
    [' You@Example.ORG ', 'you@example.org'],
    ["anna.o'neill+shop@mail.example.org", "anna.o'neill+shop@mail.example.org"],
    ['root@localhost', 'root@localhost'],
    ['anna@ПОЧТА.example', 'anna@xn--80a1acny.example'],
    ['anna@xn--80a1acny.example', 'anna@xn--80a1acny.example'],
    ['anna@ｅｘａｍｐｌｅ.org', 'anna@example.org'],
  ] as const)
    assert.equal(parseEmail(text), email, text)
})

test('what a mail library reads as a list, a group, a comment or another host is no e-mail', () => {
  const victim = 'victim@example.org'
  const starts = ['0,', '0;', '(0)', 'g0:', '"0"', 'a@b,', '0\0', 'www.example.org/', '.', 'a..b', 'я', 'a\r\n']
  const hosts = [
    '192.0.2.1',
    '0x7f.1',
    '[192.0.2.1]',
    'a..b',
    '-a.org',
    'a_b.org',
    `${'a'.repeat(64)}.org`,
    'почта。рф',
  ]
  for (const text of [
    ...starts.map((start) => start + victim),
    ...hosts.map((host) => `me@${host}`),
    ...['>', ',', '(0)', '.', '\nx', '%2e'].map((end) => `0<${victim}${end}`),
    ...[',', '(0)', '.', '\nx', '%2e'].map((end) => victim + end),
    '',
    'you',
    '@example.org',
    'you@',
    'a b@example.org',
    'me@exam\u00adple.org',
    `${'x'.repeat(65)}@example.org`,
    `me@${'a.'.repeat(130)}org`,
  ])
    assert.equal(parseEmail(text), undefined, JSON.stringify(text))
})

test('an e-mail that is accepted is one address, and the same one, for the mail library', () => {
  const signs = fc.constantFrom(...'aZ09.+-_@,;:<>()[]"\\ /\t\r\n%=?#яé。\u00ad\u202e')
  const typed = fc.string({ unit: signs, maxLength: 40 }).map((text) => `${text.replaceAll('@', '')}@example.org`)
  fc.assert(
    fc.property(fc.oneof(typed, fc.emailAddress(), fc.string({ unit: signs, maxLength: 40 })), (text) => {
      const email = parseEmail(text)
      if (email === undefined) return
      assert.deepEqual(addressparser(email), [{ address: email, name: '' }])
      assert.equal(parseEmail(email), email)
    }),
    { numRuns: 2_000 },
  )
})

test('a name that leads nowhere is read by strangers, another one is not', () => {
  for (const name of ['My shop', 'ООО «Ромашка»', 'Smith & Sons, Ltd.', 'Studio 54', 'A. B. Example', '3 кита'])
    assert.equal(plainName(` ${name} `), name)
  for (const name of [
    'unlock it at https://evil.example/login',
    'www.evil.example',
    'evil.example',
    'зло.рф',
    'evil。example',
    'evil．example',
    'write to me@evil',
    'call +7 000 123-45-67',
    'two\nlines',
    'two\u2028lines',
    '\u202egnp.elpmaxe',
    'evil\u200b.example',
    'x'.repeat(61),
    '',
  ])
    assert.equal(plainName(name), undefined, JSON.stringify(name))
})

test('limits count one mailbox for all its tags', () => {
  assert.equal(mailboxOf('you+shop+two@example.org'), 'you@example.org')
  assert.equal(mailboxOf('you@example.org'), 'you@example.org')
  assert.equal(mailboxOf('+you@example.org'), '+you@example.org')
})
