// What a session may do as time passes and rights change, and what one person can do to another's inbox.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inviteOperator } from '../../server/src/actions/people/invitations.ts'
import { createRandomBytes } from '../../server/src/process/random-bytes.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { install, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { addTotp, joinAs, newEmail, password, signIn, signUp } from '../support/web/people.ts'
import { createVisitor, letters, letterTo, tokenIn } from '../support/web/visitor.ts'

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

test('a page that reads by itself does not keep the session alive; a person does', async () => {
  const { visitor, email } = await signUp(site)
  await age(email, 'seen_at', '5 minutes')
  const away = await fetch(`${base}/web/services`, { headers: { cookie: visitor.cookie, 'person-away': '1' } })
  assert.equal(away.status, 200)
  assert((await idleSeconds(email)) > 200)
  await visitor.call('services')
  assert((await idleSeconds(email)) < 100)
  await age(email, 'seen_at', '13 hours')
  assert.equal((await visitor.refused('services')).status, 401)
})

test('a second factor ends the sessions that were opened without it', async () => {
  const { visitor, email } = await signUp(site)
  const other = await signIn(site, email)
  await addTotp(visitor)
  assert.equal((await other.refused('services')).status, 401)
  const { log } = await visitor.call('security')
  assert(log.some(({ action, who }) => action === 'second factor added' && who === email))
})

test('a tab that shows another account than the session reads and changes nothing', async () => {
  const [first, { visitor, email }] = [await signUp(site), await signUp(site)]
  await first.visitor.call('invite-member', { email, role: 'owner', language: 'en' })
  const token = tokenIn(await letterTo(mailDir, email, /^Join/))
  await createVisitor(base).call('accept-invitation', { token, password, name: '', language: 'en' })
  const { account: shown, accounts } = await visitor.call('me')
  const other = accounts.find(({ id }) => id !== shown?.id)
  assert(shown && other)
  await visitor.call('choose-account', { accountId: other.id })
  const service = { name: 'Shop', isTest: true, isMovingFromUcaller: false }
  for (const [name, input] of [['services', {}] as const, ['create-service', service] as const]) {
    const { status, body } = await visitor.send(name, input, { 'shown-account': String(shown.id) })
    assert.deepEqual([status, body], [409, { error: 'other-account' }])
  }
  assert.deepEqual((await visitor.call('services')).services, [])
  const { status } = await visitor.send('create-service', service, { 'shown-account': String(other.id) })
  assert.equal(status, 200)
})

test('the operator removes the second factors of a person who lost them; the account sees it', async () => {
  const { visitor, email } = await signUp(site)
  const member = await joinAs(site, visitor, 'owner')
  await addTotp(member.visitor)
  const halfway = createVisitor(base)
  assert.equal((await halfway.call('sign-in', { email: member.email, password })).stage, 'second-step')
  const cli = createCli(installation.environment)
  assert.deepEqual(await cli.json('people', 'remove-factors', '--email', member.email), {
    email: member.email,
    removed: ['totp', 'recovery'],
  })
  assert.equal((await member.visitor.refused('services')).status, 401)
  const back = createVisitor(base)
  assert.equal((await back.call('sign-in', { email: member.email, password })).stage, 'signed-in')
  const { log } = await visitor.call('security')
  assert(log.some(({ action, who }) => action === 'second factors removed' && who === ''))
  assert.deepEqual(await cli.json('people', 'remove-factors', '--email', email), { email, removed: [] })
  await assert.rejects(cli.json('people', 'remove-factors', '--email', 'nobody@example.org'), /Nobody has the e-mail/)
})

test('a session whose last proof is old creates test services, and no live one', async () => {
  const { visitor, email } = await signUp(site)
  await age(email, 'confirmed_at', '11 minutes')
  const service = { name: 'Shop', isMovingFromUcaller: false }
  const { serviceId } = await visitor.call('create-service', { ...service, isTest: true })
  assert.equal((await visitor.refused('create-service', { ...service, isTest: false })).body.error, 'confirm-person')
  const archived = { serviceId, state: 'archived' } as const
  assert.equal((await visitor.refused('set-service-state', archived)).body.error, 'confirm-person')
  await visitor.call('confirm-person', { kind: 'password', code: password })
  await visitor.call('create-service', { ...service, isTest: false })
})

test('no customer key takes the name of the key of the dashboard', async () => {
  const { visitor } = await signUp(site)
  const { serviceId } = await visitor.call('create-service', {
    name: 'Shop',
    isTest: false,
    isMovingFromUcaller: false,
  })
  const key = { serviceId, name: 'dashboard', scopes: ['read' as const], days: 30 }
  assert.equal((await visitor.refused('add-service-key', key)).body.error, 'invalid')
  await visitor.call('add-service-key', { ...key, name: 'reports' })
})

test('an invitation is no way to guess the password of a known person', async () => {
  const [{ visitor }, invited] = [await signUp(site), await signUp(site)]
  await visitor.call('invite-member', { email: invited.email, role: 'viewer', language: 'en' })
  const token = tokenIn(await letterTo(mailDir, invited.email, /^Join/))
  const errors: unknown[] = []
  for (let n = 0; n < 7; n++) {
    const guess = { token, password: `not the password ${n}`, name: '', language: 'en' as const }
    errors.push((await createVisitor(base).refused('accept-invitation', guess)).body.error)
  }
  assert.deepEqual(new Set(errors), new Set(['wrong-credentials', 'throttled']))
})

test('an address gets five links for a new password an hour, from one visitor or from many, and five other messages', async () => {
  const { email } = await signUp(site)
  const count = () => letters(mailDir).filter(({ to }) => to === email).length
  assert.equal(count(), 1)
  const form = { password, accountName: 'X', language: 'en', acceptsTerms: true, timeZone: 'UTC' } as const
  for (let n = 0; n < 8; n++) await createVisitor(base).call('sign-up', { ...form, email })
  await poll('the other messages', count, (sent) => sent === 5)
  for (let n = 0; n < 8; n++) await createVisitor(base).call('forgot-password', { email, language: 'en' })
  await poll('the messages', count, (sent) => sent === 10)
  const other = await signUp(site)
  await poll('the message to another address', () => letters(mailDir).some(({ to }) => to === other.email))
  assert.equal(count(), 10)
})

test('an account sends twenty invitations a day, and its name carries no link', async () => {
  const { visitor } = await signUp(site)
  await visitor.call('set-account', { name: 'the security team: unlock it at https://evil.example/login' })
  const invite = (n: number) =>
    visitor.send('invite-member', { email: `stranger${n}@corp.example`, role: 'owner', language: 'en' })
  const statuses: number[] = []
  for (let n = 0; n < 22; n++) statuses.push((await invite(n)).status)
  assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 200), 429, 429])
  const { subject, text } = await letterTo(mailDir, 'stranger0@corp.example', /^Join/)
  assert.doesNotMatch(subject + text, /evil|security/)
  const named = await signUp(site)
  await named.visitor.call('invite-member', { email: 'stranger99@corp.example', role: 'viewer', language: 'en' })
  assert.match((await letterTo(mailDir, 'stranger99@corp.example', /^Join/)).text, /the account “My shop” at/)
})

test('tags do not make another mailbox, and other spellings of it are refused', async () => {
  const mailbox = newEmail().replace('@', '-tagged@')
  const [local = '', host = ''] = mailbox.split('@')
  const form = { password, accountName: 'X', language: 'en', acceptsTerms: true, timeZone: 'UTC' } as const
  const sent = () => letters(mailDir).filter(({ to }) => to.endsWith(`@${host}`) && to.startsWith(local)).length
  for (let n = 0; n < 8; n++)
    await createVisitor(base).call('sign-up', { ...form, email: `${local.toUpperCase()}+${n}@${host}` })
  await poll('the messages', sent, (count) => count === 5)
  for (const start of ['0,', '0<', '0;', '(0)', 'g0:']) {
    const { status, body } = await createVisitor(base).send('sign-up', { ...form, email: `${start}${mailbox}` })
    assert.deepEqual([status, body], [400, { error: 'invalid', fields: ['email'] }], start)
  }
  const other = await signUp(site)
  await poll('the message to another address', () => letters(mailDir).some(({ to }) => to === other.email))
  assert.equal(sent(), 5)
})

test('the last admin stays admin, also by accepting another invitation', async () => {
  const { email } = await signUp(site)
  const deps = { slots: installation.slots, randomBytes: createRandomBytes(), letters: { operator: () => undefined } }
  const invite = (role: 'admin' | 'viewer') =>
    inviteOperator(deps, { address: 'test', userAgent: '' }, { email: '' }, { email, role, language: 'en' })
  const accept = (token: string) => ({ token, password, name: '', language: 'en' as const })
  const first = await invite('admin')
  await createVisitor(base).call('accept-invitation', accept(await invite('admin')))
  assert.equal((await createVisitor(base).refused('accept-invitation', accept(first))).body.error, 'link-used')
  const viewer = await invite('viewer')
  assert.equal((await createVisitor(base).refused('accept-invitation', accept(viewer))).body.error, 'invalid')
})

test('an e-mail is confirmed by a click only in the browser that signed up; elsewhere the password is asked for', async () => {
  const email = newEmail()
  const form = { password, accountName: 'My shop', language: 'en', acceptsTerms: true, timeZone: 'UTC' } as const
  await createVisitor(base).call('sign-up', { ...form, email })
  const token = tokenIn(await letterTo(mailDir, email, /Confirm/))
  const other = createVisitor(base)
  assert.equal((await other.refused('confirm-email', { token })).body.error, 'password-needed')
  const wrong = { token, password: 'not the password 1' }
  assert.equal((await other.refused('confirm-email', wrong)).body.error, 'wrong-credentials')
  assert.equal((await other.call('confirm-email', { token, password })).stage, 'signed-in')
})

async function age(email: string, column: 'seen_at' | 'confirmed_at', interval: string): Promise<void> {
  await globalDatabase.query(
    `UPDATE web_sessions SET ${column} = ${column} - $2::interval WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [email, interval],
  )
}

async function idleSeconds(email: string): Promise<number> {
  const { rows } = await globalDatabase.query<{ seconds: number }>(
    `SELECT extract(epoch FROM clock_timestamp() - seen_at)::float8 AS seconds FROM web_sessions
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  )
  return rows[0]?.seconds ?? Number.NaN
}
