// Verifications in the dashboard: what is found, what is hidden from whom, and that no response contains a number.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type MemberRole, memberRoles } from '@ringproof/contract/web/access.ts'
import { insertSeed, prepareSeed, seedClient, seedPhone } from '../../scripts/seed/traffic.ts'
import type { AccountId, ServiceId } from '../../server/src/domain/core/slot.ts'
import { readSecrets } from '../../server/src/process/secrets.ts'
import { asOwner } from '../support/database/test-database.ts'
import { install, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { joinAs, type Person, signUp } from '../support/web/people.ts'
import type { BrowserVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await install()
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings, '--roles', 'web')
const site = { base, mailDir }
const keys = readSecrets(installation.environment['RINGPROOF_SECRETS_DIR'] ?? '')

const [owner, stranger] = [await signUp(site), await signUp(site)]
const nowSecond = Math.floor(Date.now() / 1_000)
const own = await seed(owner, 1)
const other = await seed(stranger, 100_001)
const live = { traffic: 'live' } as const
const dayAgo = { ...live, from: String((nowSecond - 86_400) * 1_000) } as const

test('the list pages through everything of the account, newest first, and nothing of another', async () => {
  const ids = await allIds(owner.visitor)
  const expected = await column(
    `SELECT id::float8 AS value FROM verifications WHERE account_id = ${own.accountId} AND NOT is_test ORDER BY id DESC`,
  )
  assert.deepEqual(ids, expected)
  assert(ids.length > 100)
})

test('each filter finds what a plain query finds, and the chart counts the same', async () => {
  for (const [filter, condition] of [
    [{ status: 'failed' }, `state = 'failed'`],
    [{ mode: 'voice' }, `mode = 'voice'`],
    [{ provider: 'Polar' }, `phone_info ->> 'mnp' = 'Polar'`],
    [{ country: 'KZ' }, `country = 'KZ'`],
    [{ trunk: 'north', reason: 'rang' }, `trunk = 'north' AND reason = 'rang'`],
    [{ service: String(own.serviceId) }, 'true'],
    [{ service: String(other.serviceId) }, 'false'],
  ] as const) {
    const expected = await column(
      `SELECT id::float8 AS value FROM verifications
       WHERE account_id = ${own.accountId} AND NOT is_test AND ${condition} ORDER BY id DESC`,
    )
    assert.deepEqual(await allIds(owner.visitor, filter), expected, JSON.stringify(filter))
    const { counts } = await owner.visitor.call('verification-counts', { ...dayAgo, ...filter })
    const counted = counts.reduce((sum, { calls }) => sum + calls, 0)
    assert.equal(counted, expected.length, JSON.stringify(filter))
  }
})

test('statistics and overview equal plain queries', async () => {
  const shown = await owner.visitor.call('statistics', live)
  const [calls = 0] = await column(own1('count(*)'))
  const [charged = 0] = await column(
    own1(`sum(price) FILTER (WHERE state = 'succeeded' OR charges_failed AND reason IN ('refused', 'no-ringing'))`),
  )
  assert.equal(shown.total.calls, calls)
  assert.equal(Math.round(shown.total.charged * 1e6), charged)
  for (const list of [shown.bins, shown.modes, shown.services, shown.hours]) {
    assert.equal(
      list.reduce((sum: number, item: { readonly calls: number }) => sum + item.calls, 0),
      calls,
    )
  }
  assert.equal(
    shown.reasons.reduce((sum, item) => sum + item.calls, 0),
    shown.total.failed,
  )
  const polar = shown.providers.find(({ provider }) => provider === 'Polar')
  const [rang = 0] = await column(
    own1(`count(*) FILTER (WHERE phone_info ->> 'mnp' = 'Polar' AND post_dial_ms IS NOT NULL)`),
  )
  assert.equal(polar?.rang, rang)
  assert(polar.low < rang / polar.dialled && rang / polar.dialled < polar.high)
  const overview = await owner.visitor.call('overview')
  assert.deepEqual([overview.balance, overview.daysLeft, overview.failedWebhooks], [0, 0, 0])
})

test('two chosen periods of any length are compared, and both equal plain queries', async () => {
  const hour = Math.floor(nowSecond / 3_600)
  const [from, until, compareFrom, compareUntil] = [hour - 1, hour + 1, hour - 3, hour].map((at) => at * 3_600)
  const callsBetween = async (first = 0, end = 0) => {
    const second = '(id >> 23) + id_epoch()'
    return (await column(`${own1('count(*)')} AND ${second} >= ${first} AND ${second} < ${end}`))[0]
  }
  const range = { from: `${from}000`, until: `${until}000` }
  const earlier = { compareFrom: `${compareFrom}000`, compareUntil: `${compareUntil}000` }
  const shown = await owner.visitor.call('statistics', { ...live, ...range, ...earlier })
  assert.deepEqual(shown.compared, { from: Number(earlier.compareFrom), until: Number(earlier.compareUntil) })
  assert.equal(shown.total.calls, await callsBetween(from, until))
  assert.equal(shown.before.calls, await callsBetween(compareFrom, compareUntil))
  assert(shown.total.calls > 0 && shown.before.calls > 0)
  const usual = await owner.visitor.call('statistics', { ...live, ...range })
  assert.deepEqual(usual.compared, { from: (hour - 3) * 3_600_000, until: (hour - 1) * 3_600_000 })
})

test('a number, a client and an ID are found by what a search returns, and the other account finds nothing by it', async () => {
  const [known = 0] = await column(
    `SELECT id::float8 AS value FROM verifications WHERE account_id = ${own.accountId} AND client_digest IS NOT NULL
       AND id IN (SELECT id FROM verifications WHERE account_id = ${own.accountId} AND first_id % 1000 = 0)`,
  )
  assert(known > 0)
  const person = await personOf(known)
  for (const text of [seedPhone(person), ` +${seedPhone(person)} `, seedClient(person), String(known)]) {
    const found = await owner.visitor.call('find-verifications', { text })
    assert(!JSON.stringify(found).includes(seedPhone(person)), 'the number does not come back')
    const condition = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null))
    const { verifications } = await owner.visitor.call('verifications', { ...live, ...condition })
    assert(
      verifications.some(({ id }) => id === known),
      text,
    )
    const foreign = await stranger.visitor.call('verifications', { ...live, ...condition })
    assert.deepEqual(foreign.verifications, [], text)
  }
})

const seesCodes: Readonly<Record<MemberRole, boolean>> = {
  owner: true,
  developer: true,
  accountant: true,
  viewer: false,
}

test('a code is hidden until ten minutes after the end, and always from roles that may not see codes', async () => {
  const [old, fresh] = await Promise.all([idEndedAgo('1 hour'), idEndedAgo('9 minutes')])
  const visitors = await Promise.all(
    memberRoles.map(async (role) => {
      const visitor = role === 'owner' ? owner.visitor : (await joinAs(site, owner.visitor, role)).visitor
      return [role, visitor] as const
    }),
  )
  for (const [role, visitor] of visitors) {
    for (const [id, isOver] of [
      [old, true],
      [fresh, false],
    ] as const) {
      const shown = await visitor.call('verification', { id: String(id) })
      const isSeen = isOver && seesCodes[role]
      assert.equal(shown.code !== null, isSeen, `${role}, ${isOver}`)
      assert.equal(shown.isCodeHidden, !isSeen)
      assert.equal(shown.callerEnd !== null, isSeen)
      const { verifications } = await visitor.call('verifications', { ...live, ids: String(id) })
      assert.deepEqual(
        verifications.map(({ code }) => code !== null),
        [isSeen],
      )
      const csv = await download(visitor, `ids=${id}`)
      assert.equal(/,\d{4},RU,/.test(csv), isSeen, csv)
    }
  }
})

test('a verification of another account does not exist, whatever its ID', async () => {
  const [foreign = 0] = await column(
    `SELECT min(id)::float8 AS value FROM verifications WHERE account_id = ${other.accountId}`,
  )
  // Also one of an account in the same slot.
  const [moved = 0] = await column(
    `UPDATE verifications SET account_id = account_id + 64
     WHERE id = (SELECT min(id) FROM verifications WHERE account_id = ${own.accountId}) RETURNING id::float8 AS value`,
  )
  for (const id of [foreign, foreign + 1, moved, 1]) {
    const { status, body } = await owner.visitor.refused('verification', { id: String(id) })
    assert.deepEqual([status, body.error], [404, 'not-found'])
  }
})

test('the file contains every row of the list, and needs a session', async () => {
  const csv = await download(owner.visitor, '')
  const lines = csv.trimEnd().split('\n')
  assert.equal(lines.length - 1, (await allIds(owner.visitor)).length)
  assert.match(lines[0] ?? '', /^vendor_id,accepted,service_id,mode,status,test,phone,client,/)
  const { status } = await fetch(`${base}/web/verifications.csv?traffic=live`)
  assert.equal(status, 401)
})

test('no response contains a phone number', async () => {
  const [known = 0] = await column(
    `SELECT max(id)::float8 AS value FROM verifications WHERE account_id = ${own.accountId}`,
  )
  const texts = [
    JSON.stringify(await owner.visitor.call('verifications', live)),
    JSON.stringify(await owner.visitor.call('verification', { id: String(known) })),
    JSON.stringify(await owner.visitor.call('verification-counts', live)),
    await download(owner.visitor, ''),
  ]
  for (const text of texts) {
    for (let person = 0; person < 50; person++) assert(!text.includes(seedPhone(person)))
    assert.match(text, /7000\*\*\*|"counts"/)
  }
})

function own1(expression: string): string {
  return `SELECT (${expression})::float8 AS value FROM verifications WHERE account_id = ${own.accountId} AND NOT is_test`
}

async function seed({ visitor }: Person, firstRow: number): Promise<{ accountId: AccountId; serviceId: ServiceId }> {
  const { account } = await visitor.call('me')
  const { serviceId } = await visitor.call('create-service', { name: 'Shop', isTest: true, isMovingFromUcaller: false })
  const service = { accountId: account?.id as AccountId, serviceId: serviceId as ServiceId }
  await asOwner(async (client) => {
    const random = { recordKeys: keys['seal-records'], tenantKeys: keys['phone-tenant'], randomBytes }
    await prepareSeed(client, [service], random)
    const stretch = { fromSecond: nowSecond - 7_200, seconds: 7_190, first: firstRow, count: 1_200 }
    await insertSeed(client, 'verifications', stretch, 1)
  }, installation.database.ownerUrl)
  return service
}

async function allIds(visitor: BrowserVisitor, filter: object = {}): Promise<number[]> {
  const ids: number[] = []
  for (let before: number | null | undefined; before !== null; ) {
    const input = { ...live, ...filter, ...(before === undefined ? {} : { before: String(before) }) }
    const page = await visitor.call('verifications', input)
    ids.push(...page.verifications.map(({ id }) => id))
    before = page.nextBefore
  }
  return ids
}

// The place in the series is in the lowest bits of the ID.
async function personOf(id: number): Promise<number> {
  return Math.floor((id % 2 ** 17) / 1_000) % 50
}

async function idEndedAgo(interval: string): Promise<number> {
  const [id = 0] = await column(
    `SELECT max(id)::float8 AS value FROM verifications WHERE account_id = ${own.accountId} AND code IS NOT NULL
       AND NOT is_test AND country = 'RU' AND ended_at < now() - interval '${interval}'`,
  )
  return id
}

async function download(visitor: BrowserVisitor, query: string): Promise<string> {
  const response = await fetch(`${base}/web/verifications.csv?traffic=live&${query}`, {
    headers: { cookie: visitor.cookie },
  })
  assert.equal(response.status, 200)
  return response.text()
}

async function column(sql: string): Promise<number[]> {
  const { rows } = await installation.slots.globalDatabase.query<{ value: number }>(sql)
  return rows.map(({ value }) => value)
}
