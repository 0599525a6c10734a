import assert from 'node:assert/strict'
import { test } from 'node:test'
import { install, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { addTotp, password, signUp } from '../support/web/people.ts'
import { createVisitor, letters, letterTo, tokenIn } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await install()
const { base, output } = await serve(
  installation,
  { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' },
  '--roles',
  'api,web',
)
const site = { base, mailDir }

test('sign-up, confirmation by e-mail, account with name and time zone', async () => {
  const { visitor, email } = await signUp(site)
  const me = await visitor.call('me')
  assert.equal(me.stage, 'signed-in')
  assert.equal(me.user?.email, email)
  assert.equal(me.account?.name, 'My shop')
  assert.equal(me.account?.timeZone, 'Asia/Almaty')
  assert.equal(me.account?.role, 'owner')
})

test('a letter in Russian has its link in text and HTML, and no foreign image', async () => {
  const { email } = await signUp(site, 'ru')
  const letter = await letterTo(mailDir, email, /Подтвердите почту/)
  assert.ok(letter.html.includes(`#token=${tokenIn(letter)}`))
  assert.doesNotMatch(letter.html, /<img|url\(|src=/)
})

test('a link works once', async () => {
  const { visitor, email } = await signUp(site)
  const token = tokenIn(await letterTo(mailDir, email, /Confirm/))
  const { body } = await visitor.refused('confirm-email', { token })
  assert.equal(body.error, 'link-used')
})

test('signing out kills the session, also for a copy of the cookie', async () => {
  const { visitor } = await signUp(site)
  const stolen = createVisitor(base)
  stolen.cookie = visitor.cookie
  await visitor.call('sign-out')
  assert.equal((await stolen.refused('security')).status, 401)
  assert.equal((await stolen.call('me')).stage, 'signed-out')
})

test('a session ID foreign before signing in is not used', async () => {
  const { email } = await signUp(site)
  const visitor = createVisitor(base)
  visitor.cookie = '__Host-ringproof=foreign'
  await visitor.call('sign-in', { email, password })
  assert.notEqual(visitor.cookie, '__Host-ringproof=foreign')
  const foreign = createVisitor(base)
  foreign.cookie = '__Host-ringproof=foreign'
  assert.equal((await foreign.refused('security')).status, 401)
})

test('the cookie is __Host-, Secure, HttpOnly and SameSite=Lax', async () => {
  const { email } = await signUp(site)
  const { setCookie } = await createVisitor(base).send('sign-in', { email, password })
  assert.match(setCookie ?? '', /^__Host-ringproof=[\w-]{43}; Max-Age=\d+; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
})

test('known and unknown e-mails get the same response from sign-up, sign-in and reset', async () => {
  const { email } = await signUp(site)
  const visitor = createVisitor(base)
  const form = { password, accountName: 'Other', language: 'en', acceptsTerms: true, timeZone: 'UTC' } as const
  for (const [name, input] of [
    ['sign-up', form],
    ['sign-in', { password: 'not the password 1' }],
    ['forgot-password', { language: 'en' }],
  ] as const) {
    const known = await visitor.send(name, { ...input, email })
    const unknown = await visitor.send(name, { ...input, email: 'nobody@example.org' })
    assert.deepEqual([known.status, known.body], [unknown.status, unknown.body], name)
  }
  assert.match((await letterTo(mailDir, email, /already/)).text, /Sign in/)
})

test('a new password by e-mail ends every session and is announced', async () => {
  const { visitor, email } = await signUp(site)
  await visitor.call('forgot-password', { email, language: 'en' })
  const token = tokenIn(await letterTo(mailDir, email, /new password/))
  const other = createVisitor(base)
  assert.equal((await other.refused('reset-password', { token, password: 'short' })).body.error, 'weak-password')
  await other.call('reset-password', { token, password: 'another long sentence' })
  assert.equal((await visitor.refused('security')).status, 401)
  assert.equal((await other.refused('sign-in', { email, password })).body.error, 'wrong-credentials')
  assert.equal((await other.call('sign-in', { email, password: 'another long sentence' })).stage, 'signed-in')
  await letterTo(mailDir, email, /has changed/)
})

test('with an authenticator app: second step, no replay, recovery code once', async () => {
  const { visitor, email } = await signUp(site)
  const codeAt = await addTotp(visitor)
  const { recoveryCodes } = await visitor.call('renew-recovery-codes')
  assert.equal(recoveryCodes.length, 10)

  const other = createVisitor(base)
  assert.equal((await other.call('sign-in', { email, password })).stage, 'second-step')
  assert.equal((await other.refused('security')).status, 401)
  assert.equal((await other.refused('second-step', { kind: 'totp', code: codeAt(-1) })).body.error, 'wrong-code')
  const before = other.cookie
  await other.call('second-step', { kind: 'totp', code: codeAt(0) })
  assert.notEqual(other.cookie, before)
  assert.equal((await other.call('me')).stage, 'signed-in')

  const again = createVisitor(base)
  await again.call('sign-in', { email, password })
  assert.equal((await again.refused('second-step', { kind: 'totp', code: codeAt(0) })).body.error, 'wrong-code')

  const [code = ''] = recoveryCodes
  for (const isFirst of [true, false]) {
    const third = createVisitor(base)
    await third.call('sign-in', { email, password })
    const { status } = await third.send('second-step', { kind: 'recovery', code: code.toUpperCase() })
    assert.equal(status === 200, isFirst)
  }
})

test('fifty second steps at once: at most five are evaluated', async () => {
  const { visitor, email } = await signUp(site)
  await addTotp(visitor)
  const other = createVisitor(base)
  await other.call('sign-in', { email, password })
  const { cookie } = other
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => {
      const one = createVisitor(base)
      one.cookie = cookie
      return one.send('second-step', { kind: 'totp', code: '000000' })
    }),
  )
  const wrong = answers.filter(({ body }) => (body as { error?: string }).error === 'wrong-code')
  assert.ok(wrong.length <= 5, `${wrong.length} were evaluated`)
})

for (const [column, interval] of [
  ['seen_at', '12 hours'],
  ['created_at', '30 days'],
] as const) {
  test(`a session ends after ${interval} by ${column}, and not a minute before`, async () => {
    const { visitor } = await signUp(site)
    const age = (minutes: number) =>
      installation.slots.globalDatabase.query(
        `UPDATE web_sessions SET ${column} = clock_timestamp() - interval '${interval}' + make_interval(mins => $1)
         WHERE user_id = (SELECT max(id) FROM users)`,
        [minutes],
      )
    await age(1)
    assert.equal((await visitor.call('me')).stage, 'signed-in')
    await age(-1)
    assert.equal((await visitor.call('me')).stage, 'signed-out')
  })
}

test('a change from another site or without JSON is refused', async () => {
  const { visitor } = await signUp(site)
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
  ]) {
    const { status, body } = await visitor.send('sign-out', {}, headers)
    assert.deepEqual([status, body], [403, { error: 'foreign-origin' }])
  }
  assert.equal((await visitor.call('me')).stage, 'signed-in')
})

test('no token, password, key or e-mail is in the log', async () => {
  const { visitor, email } = await signUp(site)
  const { key } = await visitor.call('create-service', { name: 'Shop', isTest: false, isMovingFromUcaller: false })
  const tokens = letters(mailDir).flatMap(({ text }) => /#token=([\w-]+)/.exec(text)?.[1] ?? [])
  assert.ok(tokens.length > 5)
  for (const secret of [...tokens, password, key, email, visitor.cookie.split('=')[1] ?? '']) {
    assert.ok(!output().includes(secret), `the log contains ${secret}`)
  }
})
