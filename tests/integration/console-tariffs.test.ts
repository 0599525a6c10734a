// Tariffs in the console: a start is charged by the version that is in force when it is accepted, and the margin of the last thirty days
// is exact over two databases. The past stays as it is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createOperator } from '../support/web/operator.ts'

const installation = await installPhones(0.05, 2)
const { slots } = installation
const settings = { RINGPROOF_MAIL_DIR: `${fileDirectory()}/mail`, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings)
const admin = await createOperator(installation, base, 'admin')
const support = await createOperator(installation, base, 'support')
const flash = { tariff: 'uni', method: 'initCall', mode: 'flash', country: 'RU' } as const
const shop = await makeService(installation, 1_000)

// The price that a start holds now.
async function heldPrice(isTariffNew = false): Promise<number | undefined> {
  const start = { method: 'POST', headers: shop.bearer, body: { phone: freshNumber('180') } }
  const { json, text } = await ask(`${base}/v1.0/initCall`, start)
  // The API reads tariffs twice a second. Until then a customer of a new one has no price.
  if (isTariffNew && json['code'] === 5) return undefined
  assert(json['vendor_id'], text)
  const { rows } = await slots
    .databaseOf(slotOfAccount(shop.accountId))
    .query<{ price: number }>('SELECT price FROM verifications WHERE id = $1', [json['vendor_id']])
  return (rows[0]?.price ?? 0) / 1_000_000
}

test('a start is charged by the version in force: one dated tomorrow does not count today', async () => {
  await admin.visitor.call('set-price', { ...flash, price: '0.55', validFrom: null })
  await poll(
    'the API to know the price',
    () => heldPrice(),
    (price) => price === 0.55,
  )
  const tomorrow = Date.now() + 86_400_000
  await admin.visitor.call('set-price', { ...flash, price: '7', validFrom: tomorrow })
  // What the API knows of this one, it knows of the one before, too.
  const soon = await admin.visitor.call('set-price', { ...flash, price: '0.66', validFrom: Date.now() + 2_000 })
  const prices = new Set<number | undefined>()
  await poll(
    'the version to come into force',
    async () => {
      const price = await heldPrice()
      prices.add(price)
      return price
    },
    (price) => price === 0.66,
  )
  assert.ok(Date.now() >= soon.validFrom)
  assert.equal(await heldPrice(), 0.66)
  assert.ok(!prices.has(7))
  const { tariffs } = await support.visitor.call('tariffs')
  const versions = tariffs
    .find(({ code }) => code === 'uni')
    ?.prices.filter(({ mode, country }) => mode === 'flash' && country === 'RU')
  assert.deepEqual(
    versions?.slice(-3).map(({ price }) => price),
    [0.55, 0.66, 7],
  )
})

test('the past is refused, support sets no price, and each change is in the audit log', async () => {
  const past = { ...flash, price: '1', validFrom: Date.now() - 60_000 }
  assert.equal((await admin.visitor.refused('set-price', past)).body.error, 'invalid')
  assert.equal(
    (await admin.visitor.refused('set-price', { ...flash, mode: '', price: '1', validFrom: null })).body.error,
    'invalid',
  )
  assert.equal(
    (await support.visitor.refused('set-price', { ...flash, price: '1', validFrom: null })).body.error,
    'forbidden',
  )
  const unknown = { ...flash, tariff: 'none', price: '1', validFrom: null }
  assert.equal((await admin.visitor.refused('set-price', unknown)).body.error, 'not-found')
  const cost = { trunk: 'first', mode: 'flash', country: '*', cost: '0.1', validFrom: null } as const
  assert.equal((await support.visitor.refused('set-trunk-cost', cost)).body.error, 'forbidden')
  assert.equal((await admin.visitor.refused('set-trunk-cost', { ...cost, trunk: 'none' })).body.error, 'invalid')
  assert.equal(
    (await admin.visitor.refused('set-trunk-cost', { ...cost, validFrom: past.validFrom })).body.error,
    'invalid',
  )
  await admin.visitor.call('set-trunk-cost', cost)
  const { entries } = await admin.visitor.call('audit-log', { action: 'trunk cost set' })
  assert.equal(entries.length, 1)
  assert.equal(entries[0]?.who, admin.email)
  assert.match(entries[0]?.details ?? '', /"cost":"0.1"/)
})

test('an admin makes a tariff with its first price, its code only once, and customers pay by it', async () => {
  const first = {
    ...flash,
    tariff: 'partners',
    name: 'Partners',
    country: '*',
    price: '0.405',
    validFrom: null,
  } as const
  assert.equal((await support.visitor.refused('create-tariff', first)).body.error, 'forbidden')
  for (const wrong of [{ name: '\u0007' }, { tariff: 'Partners' }, { mode: '' as const }, { price: '0.40505' }]) {
    const { body } = await admin.visitor.refused('create-tariff', { ...first, ...wrong })
    assert.equal(body.error, 'invalid', JSON.stringify(wrong))
  }
  const past = { ...first, validFrom: Date.now() - 60_000 }
  assert.equal((await admin.visitor.refused('create-tariff', past)).body.error, 'invalid')
  await admin.visitor.call('create-tariff', first)
  const again = { ...first, name: 'Others' }
  assert.deepEqual((await admin.visitor.refused('create-tariff', again)).body, { error: 'taken', fields: ['tariff'] })

  const { tariffs } = await support.visitor.call('tariffs')
  const made = tariffs.find(({ code }) => code === 'partners')
  assert.deepEqual([made?.name, made?.prices.map(({ price }) => price)], ['Partners', [0.405]])
  // A tariff that was refused is not there.
  assert.equal(tariffs.length, 2)
  const { entries } = await admin.visitor.call('audit-log', { action: 'tariff created' })
  assert.deepEqual(
    entries.map(({ who, details }) => [who, JSON.parse(details)]),
    [[admin.email, { tariff: 'partners', name: 'Partners' }]],
  )
  await admin.visitor.call('set-customer-tariff', { accountId: shop.accountId, tariff: 'partners' })
  await poll(
    'the API to know the tariff',
    () => heldPrice(true),
    (price) => price === 0.405,
  )
  await admin.visitor.call('set-customer-tariff', { accountId: shop.accountId, tariff: 'uni' })
})

test('margin and preview are exact over all databases, and the command line says the same', async () => {
  const yesterday = new Date(Math.floor(Date.now() / 86_400_000 - 1) * 86_400_000)
  await slots.globalDatabase.query(
    `INSERT INTO trunk_costs (trunk, mode, country, cost, valid_from) VALUES ('first', 'flash', 'RU', 150000, $1)`,
    [yesterday],
  )
  let accounts = [shop.accountId]
  while (new Set(accounts.map((id) => slots.databaseOf(slotOfAccount(id)))).size < 2) {
    accounts = [shop.accountId, (await makeService(installation)).accountId]
  }
  for (const accountId of accounts) {
    const rows = [
      ['succeeded', 'rang', 100, 100, 10, 36_000_000],
      ['failed', 'busy', 40, 30, 0, 0],
    ] as const
    for (const [state, reason, calls, dialled, repeats, charged] of rows) {
      await slots.databaseOf(slotOfAccount(accountId)).query(
        `INSERT INTO call_hours (hour, account_id, service_id, mode, is_test, country, provider, trunk, state, reason, calls, dialled, rang,
           repeats, charged) VALUES ($1, $2, 64, 'flash', false, 'RU', '', 'first', $3, $4, $5, $6, 0, $7, $8)`,
        [new Date(yesterday.getTime() + 3_600_000), accountId, state, reason, calls, dialled, repeats, charged],
      )
    }
  }
  const { total, destinations } = await support.visitor.call('tariffs')
  const expected = { calls: 280, revenue: 72, cost: 260 * 0.15, margin: 72 - 260 * 0.15, withoutCost: 0 }
  assert.deepEqual(total, expected)
  assert.deepEqual(destinations, [{ country: 'RU', mode: 'flash', ...expected }])

  // Free repeats stay free: 90 paid calls in each database.
  const preview = await support.visitor.call('price-preview', { ...flash, price: '0.5' })
  assert.deepEqual(preview, {
    paid: 180,
    revenueBefore: 72,
    revenueAfter: 90,
    marginBefore: 33,
    marginAfter: 51,
    withoutCost: 0,
  })
  // Russia has its own price, so one for every other country does not touch it.
  for (const change of [{ tariff: 'none' }, { country: '*' }]) {
    const other = await support.visitor.call('price-preview', { ...flash, ...change, price: '0.5' })
    assert.deepEqual([other.paid, other.revenueAfter], [0, 72], JSON.stringify(change))
  }
})
