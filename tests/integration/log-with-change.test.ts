// What people change about themselves, their members and the installation is in the audit log, or it was not changed: every entry
// commits with what it describes. Here each entry fails, as in an outage, and nothing may be left of the change.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EndpointName } from '@ringproof/contract/web/api.ts'
import { findUser } from '../../server/src/db/people/user.ts'
import { asOwner, testDatabase } from '../support/database/test-database.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { install, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { joinAs, operatorAs, password, signIn, signUp } from '../support/web/people.ts'
import { type BrowserVisitor, createVisitor, letterTo, tokenIn } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const database = await testDatabase()
const installation = await install(1, database)
const { base } = await serve(installation, { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
const site = { base, mailDir }
const cli = createCli(installation.environment)
const { globalDatabase } = installation.slots
const { visitor: owner, email } = await signUp(site)
const accountId = (await owner.call('me')).account?.id ?? 0
const member = await joinAs(site, owner, 'viewer')
const admin = await operatorAs(base, cli, 'admin')
await operatorAs(base, cli, 'support')
const memberId = (await findUser(globalDatabase, member.email))?.id ?? 0
const supportId = (await admin.call('operators')).operators.find(({ role }) => role === 'support')?.userId ?? 0
await asOwner(async (client) => {
  await client.query('CREATE TABLE outage (is_on boolean NOT NULL)')
  await client.query('INSERT INTO outage VALUES (false)')
  await client.query(`CREATE FUNCTION fail_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF (SELECT is_on FROM public.outage) THEN RAISE EXCEPTION 'no entry can be written'; END IF;
      RETURN NEW;
    END $$`)
  await client.query('CREATE TRIGGER fail_entry BEFORE INSERT ON action_log FOR EACH ROW EXECUTE FUNCTION fail_entry()')
}, database.ownerUrl)

const changes: readonly (readonly [BrowserVisitor, EndpointName, unknown])[] = [
  [owner, 'invite-member', { email: 'new@example.org', role: 'viewer', language: 'en' }],
  [owner, 'set-member', { userId: memberId, role: 'developer' }],
  [owner, 'set-account', { name: 'Another shop' }],
  [owner, 'set-notice-webhook', { url: 'https://receiver.example.org/notices' }],
  [owner, 'set-notice-webhook', { url: '' }],
  [owner, 'end-other-sessions', {}],
  [owner, 'change-password', { password: `${password} again` }],
  [owner, 'remove-member', { userId: memberId }],
  [admin, 'invite-operator', { email: 'help@example.org', role: 'viewer', language: 'en' }],
  [admin, 'set-payment-page', { pageLink: 'https://pay.example.org/?for={account}&sum={amount}' }],
  [admin, 'renew-payment-secret', {}],
  [admin, 'set-installation', { ...(await admin.call('installation')), name: 'Calls' }],
  [admin, 'renew-recovery-codes', {}],
  [admin, 'view-customer', { accountId, reason: 'ticket 7' }],
  [admin, 'end-view', {}],
  [admin, 'set-operator', { userId: supportId, role: 'viewer' }],
  [admin, 'remove-totp', {}],
]

for (const [at, [visitor, name, input]] of changes.entries()) {
  test(`${at + 1}. ${name}: without its entry nothing is changed`, async () => {
    if (name === 'end-other-sessions') await signIn(site, email)
    await entryOrNothing(() => visitor.send(name, input))
  })
}

test('an invitation is accepted, and a password reset, with an entry or not at all', async () => {
  await owner.call('invite-member', { email: 'late@example.org', role: 'viewer', language: 'en' })
  const invited = tokenIn(await letterTo(mailDir, 'late@example.org', /^Join/))
  const accept = { token: invited, password, name: '', language: 'en' }
  await entryOrNothing(() => createVisitor(base).send('accept-invitation', accept))
  await createVisitor(base).call('forgot-password', { email: 'late@example.org', language: 'en' })
  const token = tokenIn(await letterTo(mailDir, 'late@example.org', /password/i))
  await entryOrNothing(() => createVisitor(base).send('reset-password', { token, password: `${password} anew` }))
  await entryOrNothing(() =>
    createVisitor(base).send('sign-in', { email: 'late@example.org', password: `${password} anew` }),
  )
})

test('the log of an account has what happened to its people', async () => {
  const { log } = await owner.call('security')
  const actions = new Set(log.map(({ action }) => action))
  for (const action of ['member invited', 'member removed', 'password changed', 'account changed']) {
    assert(actions.has(action), action)
  }
})

async function entryOrNothing(change: () => Promise<{ readonly status: number }>): Promise<void> {
  const before = await state()
  await setOutage(true)
  const { status } = await change()
  await setOutage(false)
  assert.deepEqual([status, await state()], [503, before])
  const done = await change()
  assert.equal(done.status, 200)
  assert.notDeepEqual(await state(), before, 'the state shows the change')
}

async function setOutage(isOn: boolean): Promise<void> {
  await asOwner((client) => client.query('UPDATE outage SET is_on = $1', [isOn]), database.ownerUrl)
}

// Everything in the global database that these change, but what a session notes of every request.
async function state(): Promise<Readonly<Record<string, unknown>>> {
  const tables = {
    users: 't::text',
    memberships: 't::text',
    one_time_links: 't::text',
    web_sessions: 'digest::text || coalesce(viewed_account_id, 0)',
    passkeys: 't::text',
    recovery_codes: 't::text',
    installation: 't::text',
    payment_settings: 't::text',
    notice_webhooks: 't::text',
    accounts: 'name',
  }
  const sums = Object.entries(tables).map(
    ([table, text]) =>
      `(SELECT md5(string_agg(row, ',' ORDER BY row)) FROM (SELECT ${text} AS row FROM ${table} AS t) AS r) AS ${table}`,
  )
  const { rows } = await asOwner(
    (client) => client.query<Record<string, unknown>>(`SELECT ${sums.join(', ')}`),
    database.ownerUrl,
  )
  assert(rows[0])
  return rows[0]
}
