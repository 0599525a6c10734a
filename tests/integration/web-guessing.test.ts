// Who guesses the password of another keeps that person out of nothing but new browsers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failuresInAllMax } from '../../server/src/domain/people/sign-in-throttle.ts'
import { install, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { addTotp, newEmail, password, signUp } from '../support/web/people.ts'
import { createVisitor, letterTo, tokenIn } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await install()
const { globalDatabase } = installation.slots
const { base } = await serve(
  installation,
  { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' },
  '--roles',
  'api,web',
)
const site = { base, mailDir }

test('after twenty failures of strangers a known browser signs in, and an open session confirms and revokes a key', async () => {
  const { visitor, email } = await signUp(site)
  const service = { name: 'Shop', isTest: false, isMovingFromUcaller: false }
  const { serviceId } = await visitor.call('create-service', service)
  const leaked = { serviceId, name: 'leaked' }
  await visitor.call('add-service-key', { ...leaked, scopes: ['start'], days: 30 })
  const known = createVisitor(base)
  known.browser = visitor.browser
  await guess(email)
  const right = { email, password }
  assert.equal((await createVisitor(base).refused('sign-in', right)).body.error, 'throttled')
  assert.equal((await known.call('sign-in', right)).stage, 'signed-in')
  await globalDatabase.query(`UPDATE web_sessions SET confirmed_at = clock_timestamp() - interval '11 minutes'`)
  assert.equal((await visitor.refused('revoke-service-key', leaked)).body.error, 'confirm-person')
  await visitor.call('confirm-person', { kind: 'password', code: password })
  await visitor.call('revoke-service-key', leaked)
  // The strangers' count is what it was: the person's success gives them no more guesses.
  assert.equal((await createVisitor(base).refused('sign-in', right)).body.error, 'throttled')
})

test('a known browser guesses no more than a stranger, by its own count, and only for its person', async () => {
  const [owner, other] = [await signUp(site), await signUp(site)]
  const errorsOf = async (browser: string, email: string) => {
    const tries = Array.from({ length: 40 }, (_, n) => {
      const visitor = createVisitor(base)
      visitor.browser = browser
      return visitor.refused('sign-in', { email, password: `not the password ${n}` })
    })
    return (await Promise.all(tries)).map(({ body }) => body.error)
  }
  const evaluated = (errors: readonly string[]) => errors.filter((error) => error === 'wrong-credentials').length
  const byKnown = evaluated(await errorsOf(owner.visitor.browser, owner.email))
  assert.ok(byKnown >= 5 && byKnown <= 10, `${byKnown} were evaluated`)
  const stranger = createVisitor(base)
  assert.equal((await stranger.call('sign-in', { email: owner.email, password })).stage, 'signed-in')
  await guess(owner.email)
  const byForeign = evaluated(await errorsOf(other.visitor.browser, owner.email))
  assert.equal(byForeign, 0)
})

test('a hundred failures in all end the attempts of a session that confirms, and of no other', async () => {
  const { visitor, email } = await signUp(site)
  const wrong = { kind: 'password', code: 'not the password' } as const
  assert.equal((await visitor.refused('confirm-person', wrong)).body.error, 'wrong-code')
  await setLastFailures(failuresInAllMax)
  const right = { kind: 'password', code: password } as const
  assert.equal((await visitor.refused('confirm-person', right)).body.error, 'throttled')
  const again = createVisitor(base)
  again.browser = visitor.browser
  await again.call('sign-in', { email, password })
  await again.call('confirm-person', right)
})

test('the cookie is __Host-, Secure, HttpOnly, says nothing about its person, and takes no step of signing in', async () => {
  const { visitor, email } = await signUp(site)
  const codeAt = await addTotp(visitor)
  const again = createVisitor(base)
  again.browser = visitor.browser
  const { setBrowser } = await again.send('sign-in', { email, password })
  assert.equal(setBrowser, '')
  assert.equal((await again.call('me')).stage, 'second-step')
  const answer = await again.send('second-step', { kind: 'totp', code: codeAt(0) })
  assert.equal(answer.status, 200)
  assert.match(
    answer.setBrowser,
    /^__Host-ringproof-browser=[\w.-]{100,500}; Max-Age=15552000; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
  )
  const [local = ''] = email.split('@')
  const sealed = answer.setBrowser.split(/[=;]/)[1] ?? ''
  for (const text of [sealed, Buffer.from(sealed, 'base64url').toString('latin1')]) assert.ok(!text.includes(local))
  const alone = createVisitor(base)
  alone.browser = visitor.browser
  assert.equal((await alone.call('me')).stage, 'signed-out')
})

test('signing out everywhere and a new password make other browsers strangers, and not this one', async () => {
  const { visitor, email } = await signUp(site)
  const isKnown = async (browser: string, secret: string) => {
    await globalDatabase.query('DELETE FROM sign_in_failures')
    await guess(email)
    const one = createVisitor(base)
    one.browser = browser
    return (await one.send('sign-in', { email, password: secret })).status === 200
  }
  let before = visitor.browser
  await visitor.call('sign-out')
  assert.equal(await isKnown(before, password), true)
  for (const [name, input, secret] of [
    ['end-other-sessions', {}, password],
    ['change-password', { password: 'another long sentence' }, 'another long sentence'],
  ] as const) {
    const here = createVisitor(base)
    here.browser = before
    await here.call('sign-in', { email, password })
    before = here.browser
    await here.call(name, input)
    assert.equal(await isKnown(before, secret), false, name)
    assert.equal(await isKnown(here.browser, secret), true, name)
    before = here.browser
  }
})

test('a link has separate attempts: strangers who guess keep nobody from confirming an e-mail', async () => {
  const email = newEmail()
  const form = { password, accountName: 'My shop', language: 'en', acceptsTerms: true, timeZone: 'UTC' } as const
  await createVisitor(base).call('sign-up', { ...form, email })
  const token = tokenIn(await letterTo(mailDir, email, /Confirm/))
  await guess(email)
  assert.equal((await createVisitor(base).call('confirm-email', { token, password })).stage, 'signed-in')
})

test('attempts that are turned away before their turn are not counted', async () => {
  const { email } = await signUp(site)
  await globalDatabase.query('DELETE FROM sign_in_failures')
  // More than the line holds, each for another e-mail and so with a separate count.
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, n) =>
      createVisitor(base).send('sign-in', { email: `turned-away-${n}-${email}`, password: 'x' }),
    ),
  )
  const evaluated = answers.filter(({ body }) => (body as { error: string }).error === 'wrong-credentials').length
  assert.ok(evaluated < 120, 'nothing was turned away')
  const { rows } = await globalDatabase.query<{ rows: number; total: number }>(
    'SELECT count(*)::integer AS rows, sum(total)::integer AS total FROM sign_in_failures',
  )
  assert.deepEqual(rows, [{ rows: evaluated, total: evaluated }])
})

// As after twenty wrong passwords from other browsers.
async function guess(email: string): Promise<void> {
  const { error } = (await createVisitor(base).refused('sign-in', { email, password: 'not the password' })).body
  assert.equal(error, 'wrong-credentials')
  await setLastFailures(20)
}

async function setLastFailures(count: number): Promise<void> {
  await globalDatabase.query(
    'UPDATE sign_in_failures SET total = $1, recent = $1 WHERE failed_at = (SELECT max(failed_at) FROM sign_in_failures)',
    [count],
  )
}
