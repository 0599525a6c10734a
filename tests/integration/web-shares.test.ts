// Read-only links to statistics: what anyone who has one sees, what nobody sees, and how long.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebInput } from '@ringproof/contract/web/api.ts'
import type { MicroRoubles } from '../../server/src/domain/money/money.ts'
import { type AccountId, slotOfAccount } from '../../server/src/domain/slot.ts'
import { credit } from '../support/database/credit.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { joinAs, password, signUp } from '../support/web/people.ts'
import { createVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.25)
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base, output } = await serve(installation, settings)
const site = { base, mailDir }
const { globalDatabase } = installation.slots
const { visitor: owner, email } = await signUp(site)
const { account } = await owner.call('me')
const accountId = account?.id as AccountId
const database = installation.slots.databaseOf(slotOfAccount(accountId))
await credit(database, accountId, 100_000_000 as MicroRoubles)
await database.query('UPDATE accounts SET must_verify_phone = false WHERE id = $1', [accountId])
const shop = { name: 'Canary service', isTest: false, isMovingFromUcaller: false }
const { serviceId, key } = await owner.call('create-service', shop)
const bearer = { authorization: `Bearer ${key}.${serviceId}` }
const numbers = [freshNumber('180'), freshNumber('180'), freshNumber('404')]
const ids: string[] = []
for (const [index, phone] of numbers.entries()) {
  const body = { phone, client: 'canary client', unique: `canary ${index}`, code: '7391', voice: index === 1 }
  const { json, text, status } = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: bearer, body })
  assert.equal(status, 200, text)
  await settled(base, { bearer }, json['vendor_id'])
  ids.push(String(json['vendor_id']))
}

const live = { traffic: 'live' } as const
const plain = {
  name: 'For the carrier',
  days: 7,
  hasMoney: false,
  filter: live,
} as const satisfies WebInput<'share-statistics'>
const tokenOf = (link: string) => link.split('#token=')[1] ?? ''

async function share(more: Partial<WebInput<'share-statistics'>> = {}): Promise<string> {
  return tokenOf((await owner.call('share-statistics', { ...plain, ...more })).link)
}

test('a link shows the sums of the page to somebody without a session, and amounts only if it says so', async () => {
  const own = await owner.call('statistics', live)
  const stranger = createVisitor(base)
  const shown = await stranger.call('shared-statistics', { token: await share() })
  assert.equal(stranger.cookie, '')
  assert.equal(own.total.calls, 3)
  assert.deepEqual(shown.total, { ...own.total, charged: null })
  assert.deepEqual(shown.hours, own.hours)
  assert.deepEqual([shown.name, shown.from, shown.until], ['For the carrier', own.from, own.until])
  assert(!JSON.stringify(shown).includes('0.4'))
  const withMoney = await stranger.call('shared-statistics', { token: await share({ hasMoney: true }) })
  assert.equal(withMoney.total.charged, own.total.charged)
  assert(own.total.charged > 0)
})

test('the filters and the period are those of the moment in which it was made', async () => {
  const stranger = createVisitor(base)
  const token = await share({ filter: { ...live, mode: 'voice' } })
  const before = await stranger.call('shared-statistics', { token })
  assert.deepEqual([before.mode, before.total.calls], ['voice', 1])
  // A day later: the same hours, not the last 24.
  await asOwner(
    (client) =>
      client.query(
        `UPDATE statistics_shares SET filter = filter || jsonb_build_object('from', (filter ->> 'from')::bigint - 86400000,
           'until', (filter ->> 'until')::bigint - 86400000) WHERE digest = sha256(convert_to($1, 'UTF8'))`,
        [token],
      ),
    installation.database.ownerUrl,
  )
  const later = await stranger.call('shared-statistics', { token })
  assert.deepEqual([later.until, later.total.calls], [before.until - 86_400_000, 0])
  const other = await stranger.refused('shared-statistics', { token, mode: 'flash' } as never)
  assert.equal(other.body.error, 'invalid')
  const ofService = await share({ filter: { ...live, service: String(serviceId) } })
  assert.equal((await stranger.call('shared-statistics', { token: ofService })).total.calls, 3)
})

test('nothing in it names a number, a person, a client, a service, an account or a verification', async () => {
  const { body } = await createVisitor(base).send('shared-statistics', { token: await share({ hasMoney: true }) })
  assert.deepEqual(leaksIn(JSON.stringify(body)), [])
  // The search finds each of them where it is.
  for (const canary of canaries) assert.deepEqual(leaksIn(`{"a":"${canary}"}`), [canary])
})

const canaries = [
  ...numbers.map((number) => number.slice(1)),
  key,
  'canary',
  'Canary',
  'My shop',
  email,
  ...ids,
  '7391',
]

function leaksIn(text: string): readonly string[] {
  return canaries.filter((canary) => text.includes(canary))
}

test('a revoked, an expired and a guessed link show nothing, nor does one of a closed account', async () => {
  const stranger = createVisitor(base)
  const gone = async (token: string) => (await stranger.refused('shared-statistics', { token })).status
  const [revoked, expired] = [await share(), await share()]
  const { shares } = await owner.call('statistics-shares')
  // Newest first: the second, then the first.
  await owner.call('revoke-statistics-share', { id: shares[1]?.id ?? 0 })
  assert.equal(await gone(revoked), 404)
  await stranger.call('shared-statistics', { token: expired })
  await globalDatabase.query(
    `UPDATE statistics_shares SET valid_until = clock_timestamp() - interval '1 second' WHERE id = $1`,
    [shares[0]?.id],
  )
  assert.equal(await gone(expired), 404)
  assert.equal(await gone('A'.repeat(43)), 404)

  const closing = await signUp(site)
  const { link } = await closing.visitor.call('share-statistics', plain)
  await createVisitor(base).call('shared-statistics', { token: tokenOf(link) })
  await closing.visitor.call('confirm-person', { kind: 'password', code: password })
  await closing.visitor.call('close-account', { name: 'My shop' })
  assert.equal((await createVisitor(base).refused('shared-statistics', { token: tokenOf(link) })).status, 404)
})

test('members see who made a link; owners and developers revoke it, and another account cannot', async () => {
  const { visitor: developer, email: developerEmail } = await joinAs(site, owner, 'developer')
  const { visitor: viewer } = await joinAs(site, owner, 'viewer')
  await developer.call('share-statistics', { ...plain, name: 'By a developer', days: 90 })
  const { shares } = await viewer.call('statistics-shares')
  const [made] = shares
  assert.deepEqual([made?.name, made?.createdBy, made?.hasMoney], ['By a developer', developerEmail, false])
  const id = made?.id ?? 0
  assert.equal((await viewer.refused('revoke-statistics-share', { id })).status, 403)
  assert.equal((await viewer.refused('share-statistics', plain)).status, 403)
  const { visitor: stranger } = await signUp(site)
  assert.equal((await stranger.refused('revoke-statistics-share', { id })).status, 404)
  assert.deepEqual((await stranger.call('statistics-shares')).shares, [])
  await owner.call('revoke-statistics-share', { id })
  assert.equal((await owner.refused('revoke-statistics-share', { id })).status, 404)
  assert(!(await owner.call('statistics-shares')).shares.some((one) => one.id === id))
})

test('the token is in no table and no log; the account log says who shared and who revoked', async () => {
  const token = await share()
  await createVisitor(base).call('shared-statistics', { token })
  const [newest] = (await owner.call('statistics-shares')).shares
  const { rows: stored } = await globalDatabase.query<{ row: string }>(
    'SELECT statistics_shares::text AS row FROM statistics_shares WHERE id = $1',
    [newest?.id],
  )
  assert(stored.length === 1 && !stored[0]?.row.includes(token))
  assert(!stored[0]?.row.includes(Buffer.from(token).toString('hex')))
  await owner.call('revoke-statistics-share', { id: newest?.id ?? 0 })
  const { rows } = await database.query<{ action: string; details: Record<string, unknown> }>(
    `SELECT action, details FROM action_log WHERE account_id = $1 AND action LIKE 'statistics%' ORDER BY id DESC LIMIT 2`,
    [accountId],
  )
  assert.deepEqual(rows, [
    { action: 'statistics share revoked', details: { share: newest?.id, user: email } },
    { action: 'statistics shared', details: { share: newest?.id, days: 7, amounts: false, user: email } },
  ])
  assert(!output().includes(token))
})

test('an address that asks too often is refused, an account has twenty links at most, and no page is indexed', async () => {
  const { visitor: busy } = await signUp(site)
  const { link } = await busy.call('share-statistics', plain)
  const oneAddress = { 'x-forwarded-for': '127.0.0.9' }
  const asked = await Promise.all(
    Array.from({ length: 30 }, () => busy.send('shared-statistics', { token: tokenOf(link) }, oneAddress)),
  )
  const throttled = asked.filter(({ status }) => status === 429).length
  assert(throttled > 0 && throttled < 30, `${throttled} of 30`)
  const page = await fetch(`${base}/dashboard/shared`)
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
  const statuses: number[] = []
  for (let made = 1; made <= 20; made++) {
    statuses.push((await busy.send('share-statistics', plain)).status)
  }
  assert.deepEqual(new Set(statuses.slice(0, 19)), new Set([200]))
  assert.notEqual(statuses.at(-1), 200)
})
