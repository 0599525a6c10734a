// Number check in the dashboard: it costs what the API's checkPhone costs, each number once in a submission, and no number comes
// back.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { insertPrice } from '../../server/src/db/money/tariff.ts'
import { type AccountId, slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { type MicroAmount, toDecimal } from '../../server/src/domain/money/money.ts'
import { credit } from '../support/database/credit.ts'
import { ask } from '../support/http/ask.ts'
import { importFictitiousRegistry } from '../support/numbering/fictitious-registry.ts'
import { freshNumber, installPhones, lookupPrice } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { joinAs, signUp } from '../support/web/people.ts'
import { type BrowserVisitor, createVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(1)
const settings = {
  RINGPROOF_MAIL_DIR: mailDir,
  RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
  RINGPROOF_NUMBERING_DIR: `${fileDirectory()}/numbering`,
}
await importFictitiousRegistry({ ...installation.environment, ...settings })
// With all its decimals.
const kazakhPrice = 12_300 as MicroAmount
const kazakh = { method: 'checkPhone', mode: '', country: 'KZ', price: kazakhPrice, validFrom: undefined } as const
await insertPrice(installation.slots.globalDatabase, 'uni', kazakh)
const { base, output } = await serve(installation, settings, '--roles', 'api,web')
// A process that routes no calls, with the API's usual limit.
const alone = await serve(installation, { ...settings, RINGPROOF_REQUESTS_PER_SECOND: '30' }, '--roles', 'web')
const site = { base, mailDir }

type Payer = {
  readonly visitor: BrowserVisitor
  readonly accountId: AccountId
  readonly serviceId: number
  readonly bearer: { readonly authorization: string }
}

async function payer(balance: number): Promise<Payer> {
  const { visitor } = await signUp(site)
  const { account } = await visitor.call('me')
  const accountId = account?.id as AccountId
  await query(accountId, 'UPDATE accounts SET must_verify_phone = false WHERE id = $1')
  if (balance > 0) await credit(databaseOf(accountId), accountId, balance as MicroAmount)
  const service = { name: 'Shop', isTest: false, isMovingFromUcaller: false }
  const { serviceId, key } = await visitor.call('create-service', service)
  return { visitor, accountId, serviceId, bearer: { authorization: `Bearer ${key}.${serviceId}` } }
}

const databaseOf = (accountId: AccountId) => installation.slots.databaseOf(slotOfAccount(accountId))

async function query<Row extends object>(accountId: AccountId, text: string): Promise<readonly Row[]> {
  return (await databaseOf(accountId).query<Row>(text, [accountId])).rows
}

// What the ledger says was charged, in micro-units.
async function chargesOf(accountId: AccountId): Promise<readonly number[]> {
  const rows = await query<{ amount: number }>(
    accountId,
    `SELECT amount FROM ledger WHERE account_id = $1 AND to_account = 'revenue' ORDER BY amount`,
  )
  return rows.map(({ amount }) => amount)
}

const run = ({ visitor, serviceId }: Payer, numbers: string[], submission: string = randomUUID()) =>
  visitor.call('check-numbers', { serviceId, submission, language: 'en', numbers })

test('the price shown before is what the ledger has charged, to the last unit, and what the API charges', async () => {
  const shop = await payer(10_000_000)
  const russian = freshNumber('180')
  const numbers = [
    `+${russian}`,
    '+7 701 000 00 01',
    'hello',
    '79000000001',
    `8${russian.slice(1)}`,
    '+7 100 000 00 01',
  ]
  const preview = await shop.visitor.call('preview-number-check', { serviceId: shop.serviceId, numbers })
  assert.deepEqual(
    [preview.valid, preview.invalid, preview.unsold, preview.duplicates, preview.obstacle, preview.balance],
    [3, 2, 0, [4], null, 10],
  )
  assert.deepEqual(await chargesOf(shop.accountId), [])
  const checked = await run(shop, numbers)
  const expected = [kazakhPrice, lookupPrice]
  assert.deepEqual(await chargesOf(shop.accountId), expected)
  const sum = (kazakhPrice + lookupPrice) as MicroAmount
  assert.deepEqual([preview.cost, checked.charged], [toDecimal(sum), toDecimal(sum)])
  assert.equal(checked.balance, toDecimal((10_000_000 - sum) as MicroAmount))
  for (const phone of [russian, '77010000001']) {
    await ask(`${base}/v1.0/checkPhone`, { method: 'POST', headers: shop.bearer, body: { phone } })
  }
  assert.deepEqual(await chargesOf(shop.accountId), [kazakhPrice, kazakhPrice, lookupPrice, lookupPrice])
  const { faults } = await auditLedger({ slots: installation.slots })
  assert.deepEqual(faults, [])
})

test('a row has the fields of checkPhone, the registry has its date', async () => {
  const shop = await payer(10_000_000)
  const phone = freshNumber('180')
  const { rows, registryAt } = await run(shop, [phone, 'hello', '+7 907 000'])
  const { json } = await ask(`${base}/v1.0/checkPhone`, { method: 'POST', headers: shop.bearer, body: { phone } })
  const [row] = rows
  assert(row && String(json['provider']) !== '')
  assert.deepEqual(
    [row.country, row.provider, row.organisation, row.region, row.city, row.networkCode, row.isMobile],
    [...['country', 'provider', 'company', 'region', 'city', 'mnc'].map((name) => json[name]), json['mobile'] === 1],
  )
  assert.equal(row.mask, `${phone.slice(0, 4)}***${phone.slice(-4)}`)
  assert.deepEqual(
    rows.map(({ place, state, error }) => [place, state, error === '']),
    [
      [0, 'checked', true],
      [1, 'invalid', false],
      [2, 'invalid', false],
    ],
  )
  assert(registryAt !== null && Math.abs(registryAt - Date.now()) < 600_000)
})

test('a request that is repeated, at once or later, charges each number once; another submission charges again', async () => {
  const shop = await payer(10_000_000)
  const numbers = Array.from({ length: 5 }, () => freshNumber('180'))
  const submission = randomUUID()
  // From several addresses, so that it is not their rate that refuses.
  const visitors = Array.from({ length: 8 }, () => Object.assign(createVisitor(base), { cookie: shop.visitor.cookie }))
  const all = await Promise.all(visitors.map((visitor) => run({ ...shop, visitor }, numbers, submission)))
  assert.deepEqual(await chargesOf(shop.accountId), Array(5).fill(lookupPrice))
  assert.equal(all.filter(({ charged }) => charged > 0).length, 1)
  for (const { rows } of all) assert.deepEqual(rows, all[0]?.rows)
  // In another spelling, with a new number beside them.
  const again = await run(shop, [...numbers.map((number) => `+7 ${number.slice(1)}`), freshNumber('180')], submission)
  assert.equal(again.charged, toDecimal(lookupPrice))
  assert.equal((await chargesOf(shop.accountId)).length, 6)
  await run(shop, numbers)
  assert.equal((await chargesOf(shop.accountId)).length, 11)
})

test('the balance runs out: what it covers is checked, the rest says so, and a repeat after payment charges the rest', async () => {
  const shop = await payer(lookupPrice * 3)
  const numbers = Array.from({ length: 5 }, () => freshNumber('180'))
  const submission = randomUUID()
  const first = await run(shop, numbers, submission)
  assert.deepEqual(
    first.rows.map(({ state }) => state),
    ['checked', 'checked', 'checked', 'unpaid', 'unpaid'],
  )
  assert.deepEqual([first.charged, first.balance], [toDecimal((lookupPrice * 3) as MicroAmount), 0])
  for (const { provider, mask } of first.rows.slice(3)) assert.deepEqual([provider, mask.includes('***')], ['', true])
  await credit(databaseOf(shop.accountId), shop.accountId, 1_000_000 as MicroAmount)
  const rest = await run(shop, numbers, submission)
  assert.deepEqual([...new Set(rest.rows.map(({ state }) => state))], ['checked'])
  assert.deepEqual(await chargesOf(shop.accountId), Array(5).fill(lookupPrice))
})

test('viewers and accountants, other accounts, and services that may not spend are refused, and nothing is charged', async () => {
  const shop = await payer(10_000_000)
  const input = {
    serviceId: shop.serviceId,
    submission: randomUUID(),
    language: 'en',
    numbers: [freshNumber('180')],
  } as const
  const { serviceId, numbers } = input
  for (const role of ['viewer', 'accountant'] as const) {
    const { visitor } = await joinAs(site, shop.visitor, role)
    assert.equal((await visitor.send('check-numbers', input)).status, 403, role)
    assert.equal((await visitor.send('preview-number-check', { serviceId, numbers })).status, 403, role)
  }
  const stranger = await payer(0)
  assert.equal((await stranger.visitor.send('check-numbers', input)).status, 404)
  assert.equal((await stranger.visitor.send('preview-number-check', { serviceId, numbers })).status, 404)
  for (const [change, obstacle] of [
    [`UPDATE services SET state = 'off' WHERE account_id = $1`, 'serviceOff'],
    [`UPDATE services SET state = 'archived' WHERE account_id = $1`, 'serviceArchived'],
    ['UPDATE accounts SET must_verify_phone = true WHERE id = $1', 'serviceArchived'],
    [`UPDATE services SET state = 'on' WHERE account_id = $1`, 'phoneNotVerified'],
    ['UPDATE accounts SET blocked_at = clock_timestamp() WHERE id = $1', 'accountBlocked'],
  ] as const) {
    await query(shop.accountId, change)
    const preview = await shop.visitor.call('preview-number-check', { serviceId, numbers: [...numbers] })
    assert.equal(preview.obstacle, obstacle)
    assert.equal((await shop.visitor.send('check-numbers', input)).status, 503)
  }
  assert.deepEqual(await chargesOf(shop.accountId), [])
})

test('no number is in a response, in the log or in the database', async () => {
  const shop = await payer(lookupPrice)
  const canaries = [freshNumber('180'), freshNumber('180')]
  const numbers = canaries.flatMap((number) => [`+${number}`, `8 (${number.slice(1, 4)}) ${number.slice(4)}`])
  const preview = await shop.visitor.call('preview-number-check', { serviceId: shop.serviceId, numbers })
  const checked = await run(shop, numbers)
  assert.deepEqual(
    checked.rows.map(({ state }) => state),
    ['checked', 'unpaid'],
  )
  const { rows: kept } = await databaseOf(shop.accountId).query<{ text: string }>(
    `SELECT k::text AS text FROM idempotency_keys AS k UNION ALL SELECT l::text FROM ledger AS l
     UNION ALL SELECT a::text FROM action_log AS a`,
  )
  assert(kept.length > 3)
  const texts = [JSON.stringify(preview), JSON.stringify(checked), output(), ...kept.map(({ text }) => text)].join('\n')
  for (const canary of canaries) {
    // Without the country code, too.
    assert(!texts.includes(canary.slice(1)), 'a number came back')
    assert(`${texts}${canary}`.includes(canary.slice(1)))
  }
})

test('the preview costs nothing, so an account has so many numbers a day; a small list counts as twenty', async () => {
  const [shop, other] = [await payer(lookupPrice), await payer(lookupPrice)]
  const list = (length: number) => Array.from({ length }, () => freshNumber('180'))
  const preview = ({ visitor, serviceId }: typeof shop, length: number) =>
    visitor.send('preview-number-check', { serviceId, numbers: list(length) })
  for (let n = 0; n < 9; n++) assert.equal((await preview(shop, 1_000)).status, 200)
  assert.equal((await preview(shop, 980)).status, 200)
  assert.equal((await preview(shop, 1)).status, 200)
  const beyond = await preview(shop, 1)
  assert.deepEqual([beyond.status, (beyond.body as { retryAfter: number }).retryAfter], [429, 86_400])
  assert.equal((await preview(other, 1)).status, 200)
  // What is paid for goes on.
  assert.equal((await run(shop, list(1))).rows[0]?.state, 'checked')
})

test('a web process that routes no calls checks numbers, at most thirty a second for each address', async () => {
  const shop = await payer(50_000_000)
  const elsewhere = createVisitor(alone.base)
  elsewhere.cookie = shop.visitor.cookie
  const list = (length: number) => Array.from({ length }, () => freshNumber('180'))
  const { serviceId } = shop
  const oneAddress = { 'x-forwarded-for': '127.0.0.9' }
  const send = (numbers: string[]) =>
    elsewhere.send('check-numbers', { serviceId, submission: randomUUID(), language: 'ru', numbers }, oneAddress)
  const preview = await elsewhere.call('preview-number-check', { serviceId, numbers: list(1_000) })
  assert.equal(preview.valid, 1_000)
  const statuses = await Promise.all(Array.from({ length: 8 }, () => send(list(30))))
  const refused = statuses.filter(({ status }) => status === 429)
  assert(refused.length > 0)
  for (const { body } of refused) assert((body as { retryAfter: number }).retryAfter >= 1)
  const passed = statuses.length - refused.length
  assert.equal((await chargesOf(shop.accountId)).length, passed * 30)
  assert.equal((await send(list(31))).status, 400)
  assert.equal((await elsewhere.send('preview-number-check', { serviceId, numbers: list(1_001) })).status, 400)
})
