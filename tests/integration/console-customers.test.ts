// Customers in the console: one list over two databases, money that moves once per reference, and a dashboard that an operator can look
// at but not touch. Which changes are refused is read from the contract, so a new one is in the table by being there.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperatorRole } from '@ringproof/contract/web/access.ts'
import { type EndpointName, webApi } from '@ringproof/contract/web/api.ts'
import { findUser, setOperatorRole } from '../../server/src/db/people/user.ts'
import { countCalls } from '../../server/src/db/verifications/call-counts.ts'
import { slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createOperator } from '../support/web/operator.ts'
import { signUp } from '../support/web/people.ts'
import type { BrowserVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.05, 2)
const { slots } = installation
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings)
const site = { base, mailDir }
const [admin, support, viewer] = [
  await createOperator(installation, base, 'admin'),
  await createOperator(installation, base, 'support'),
  await createOperator(installation, base, 'viewer'),
]
const shop = await makeService(installation, 100)
const { accountId } = shop
const database = slots.databaseOf(slotOfAccount(accountId))

// A customer with a code that its owner may see.
const owner = await signUp(site)
const customerId = (await owner.visitor.call('me')).account?.id ?? assert.fail()
const { serviceId, key } = await owner.visitor.call('create-service', {
  name: 'Shop',
  isTest: true,
  isMovingFromUcaller: false,
})
const started = await ask(`${base}/v1.0/initCall?phone=79000000001`, {
  headers: { authorization: `Bearer ${key}.${serviceId}` },
})
const verificationId = String(started.json['vendor_id'])
const view = { accountId: customerId, reason: 'ticket 12: no webhooks' }

async function auditOf(action: string) {
  const { entries } = await admin.visitor.call('audit-log', { action })
  return entries.map(({ who, accountId: of, details }) => ({ who, accountId: of, details: JSON.parse(details) }))
}

test('accounts of every database are one list, found by ID, name and e-mail, by bounded pages', async () => {
  const others = await Promise.all(Array.from({ length: 31 }, () => makeService(installation)))
  const ids = [...others.map((one) => one.accountId), accountId, customerId].toSorted((a, b) => b - a)
  assert.equal(new Set(ids.map((id) => (id % 64 < 32 ? 'first' : 'second'))).size, 2)
  const first = await viewer.visitor.call('customers')
  assert.equal(first.customers.length, 30)
  const second = await viewer.visitor.call('customers', { before: String(first.nextBefore) })
  assert.deepEqual(
    [...first.customers, ...second.customers].map(({ id }) => id),
    ids,
  )
  assert.equal(second.nextBefore, null)

  const found = async (text: string) => (await viewer.visitor.call('customers', { text })).customers.map(({ id }) => id)
  assert.deepEqual(await found(String(accountId)), [accountId])
  assert.deepEqual(await found('mY SHop'), [customerId])
  assert.deepEqual(await found(owner.email.slice(0, -4).toUpperCase()), [customerId])
  assert.deepEqual(await found('%'), [])
})

test('a customer is shown with money, caps, calls and people, and without a secret', async () => {
  const start = { method: 'POST', headers: shop.bearer, body: { phone: freshNumber('180') } }
  const { json } = await ask(`${base}/v1.0/initCall`, start)
  await settled(base, shop, json['vendor_id'])
  const shown = await viewer.visitor.call('customer', { id: String(accountId) })
  assert.deepEqual([shown.week.calls, shown.week.succeeded, shown.week.rang], [1, 1, 1])
  assert.equal(shown.days.length, 30)
  const spent = shown.days.at(-1)?.spent ?? 0
  assert.ok(spent > 0)
  assert.deepEqual([shown.balance, shown.week.spent], [100 - spent, spent])
  assert.deepEqual(
    shown.lines.map(({ kind, change }) => [kind, change]),
    [
      ['charges', -spent],
      ['credit', 100],
    ],
  )
  const [service] = shown.services
  assert.deepEqual([service?.id, service?.startedToday, service?.spentToday], [shop.serviceId, 1, spent])
  assert.ok((shown.lastRequestAt ?? 0) > Date.now() - 60_000)
  const text = JSON.stringify(shown)
  for (const secret of [shop.key, shop.webhookSecret, String(json['code']), 'password']) {
    assert.ok(!text.includes(`"${secret}`), secret)
  }
  assert.equal((await viewer.visitor.refused('customer', { id: '63' })).body.error, 'not-found')
})

test('what was refused against fraud raises the risk, and counted calls stand in the list', async () => {
  await database.query(
    `INSERT INTO fraud_hits (minute, rule, service_id, prefix, hits)
     VALUES (date_trunc('minute', clock_timestamp()), 'prefix', $1, 0, 150)`,
    [shop.serviceId],
  )
  await poll(
    'the call to be counted',
    async () => {
      await countCalls(database, 10_000)
      return (await viewer.visitor.call('customers', { text: String(accountId) })).customers[0]
    },
    (one) => one?.risk.level === 'look',
  )
  const { risk } = await viewer.visitor.call('customer', { id: String(accountId) })
  assert.deepEqual(risk.signs[0], { kind: 'refused', value: 150, points: 40 })
})

test('a credit and a debit move money once per reference, with who and why in the audit log', async () => {
  const before = (await admin.visitor.call('customer', { id: String(accountId) })).balance
  const credit = { accountId, move: 'credit', amount: '250.5', reason: 'bank transfer', reference: 'pay 1' } as const
  const [one, other] = await Promise.all([
    admin.visitor.call('move-money', credit),
    admin.visitor.call('move-money', credit),
  ])
  assert.notEqual(one.isRepeated, other.isRepeated)
  assert.deepEqual([one.balance, other.balance], [before + 250.5, before + 250.5])
  const debit = { ...credit, move: 'debit', amount: '50.5', reference: 'ticket 7' } as const
  assert.equal((await admin.visitor.call('move-money', debit)).balance, before + 200)

  for (const wrong of [
    { ...credit, amount: '1' },
    { ...debit, amount: '100000', reference: 'too much' },
    { ...credit, amount: '0', reference: 'nothing' },
    { ...credit, reason: '  ', reference: 'no reason' },
  ]) {
    assert.equal((await admin.visitor.refused('move-money', wrong)).body.error, 'invalid', JSON.stringify(wrong))
  }
  for (const { visitor } of [support, viewer]) {
    assert.equal((await visitor.refused('move-money', { ...credit, reference: 'pay 2' })).body.error, 'forbidden')
  }
  const { balance, lines } = await admin.visitor.call('customer', { id: String(accountId) })
  assert.equal(balance, before + 200)
  const references = lines.flatMap(({ reference }) => (reference === null ? [] : [reference]))
  assert.deepEqual(new Set(references), new Set(['opening balance', 'pay 1', 'ticket 7']))
  const [entry, ...more] = await auditOf('account credited')
  assert.equal(more.filter(({ details }) => details.reference === 'pay 1').length, 0)
  assert.equal(entry?.who, admin.email)
  assert.deepEqual([entry?.details.reason, entry?.details.amount], ['bank transfer', '250.5'])
})

test('support blocks and unblocks with a reason; the API follows', async () => {
  const status = async () => (await ask(`${base}/v1.0/getBalance`, { headers: shop.bearer })).status
  assert.equal(await status(), 200)
  const block = { accountId, isBlocked: true, reason: 'stolen key' }
  assert.equal((await viewer.visitor.refused('block-customer', block)).body.error, 'forbidden')
  await support.visitor.call('block-customer', block)
  await poll('the API to know', status, (now) => now === 403)
  assert.equal((await admin.visitor.call('customers', { state: 'blocked' })).customers[0]?.id, accountId)
  await support.visitor.call('block-customer', { ...block, isBlocked: false, reason: 'new key' })
  await poll('the API to know', status, (now) => now === 200)
  const [entry] = await auditOf('account blocked')
  assert.deepEqual(entry, { who: support.email, accountId, details: { reason: 'stolen key' } })
})

test('tariff and caps change, with the values before', async () => {
  await slots.globalDatabase.query(`INSERT INTO tariffs (code, name) VALUES ('volume', 'Volume')`)
  const tariff = { accountId, tariff: 'volume' }
  assert.equal((await support.visitor.refused('set-customer-tariff', tariff)).body.error, 'forbidden')
  await admin.visitor.call('set-customer-tariff', tariff)
  assert.equal(
    (await admin.visitor.refused('set-customer-tariff', { accountId, tariff: 'none' })).body.error,
    'invalid',
  )
  const [changed] = await auditOf('account changed')
  assert.deepEqual(changed?.details, { tariff: ['uni', 'volume'] })

  const { services } = await support.visitor.call('customer', { id: String(accountId) })
  const was = services[0]?.caps ?? assert.fail()
  const caps = { hourMax: '20', dayMax: 'none', spendDayMax: '75.5' }
  await support.visitor.call('set-customer-caps', { serviceId: shop.serviceId, caps, was })
  const again = { serviceId: shop.serviceId, caps: was, was }
  assert.equal((await support.visitor.refused('set-customer-caps', again)).body.error, 'conflict')
  const { customers } = await viewer.visitor.call('customers', { text: String(accountId) })
  assert.deepEqual([customers[0]?.dayCap, customers[0]?.tariff], [75.5, 'Volume'])
})

// A field that no input has: what passes the gate is stopped by the schema, and nothing changes.
const noInput = { 'no such field': 1 }
const changes = (Object.entries(webApi) as [EndpointName, { verb: string }][])
  .filter(([, { verb }]) => verb === 'POST')
  .map(([name]) => name)

// Those that a view does not refuse.
async function openChanges(visitor: BrowserVisitor): Promise<readonly string[]> {
  const open: string[] = []
  for (const name of changes) {
    const { cookie } = visitor
    const { body } = await visitor.send(name, noInput)
    visitor.cookie = cookie
    if ((body as { error?: string }).error !== 'view-only') open.push(name)
  }
  return open
}

test('an operator looks at a dashboard as its owner sees it, and every change of the contract is refused', async () => {
  for (const { visitor, email } of [admin, support]) {
    await visitor.call('view-customer', view)
    const me = await visitor.call('me')
    assert.equal(me.account?.id, customerId)
    assert.ok((me.viewUntil ?? 0) > Date.now() + 29 * 60_000 && (me.viewUntil ?? 0) < Date.now() + 31 * 60_000)
    const { services } = await visitor.call('services')
    assert.deepEqual(
      services.map(({ id }) => id),
      [serviceId],
    )
    // Only owners and accountants read these.
    await visitor.call('invoices')
    assert.ok(changes.length > 60)
    // Without the mark that the schema refuses them by, the two would end the view.
    assert.deepEqual(await openChanges(visitor), ['sign-out', 'end-view'])
    const [entry] = await auditOf('dashboard viewed')
    assert.deepEqual(entry, { who: email, accountId: customerId, details: { reason: view.reason, minutes: 30 } })
    await visitor.call('end-view')
    assert.equal((await visitor.call('me')).account, null)
    assert.equal((await auditOf('dashboard view ended'))[0]?.who, email)
    // The console works again.
    assert.deepEqual((await openChanges(visitor)).length, changes.length)
  }
  assert.equal((await viewer.visitor.refused('view-customer', view)).body.error, 'forbidden')
  assert.equal((await admin.visitor.refused('view-customer', { ...view, accountId: 63 })).body.error, 'not-found')
})

test('a view hides the codes that the owner sees, and takes no file of the customer along', async () => {
  const { code } = await owner.visitor.call('verification', { id: verificationId })
  assert.match(String(code), /^\d{4}$/)
  await admin.visitor.call('view-customer', view)
  const seen = await admin.visitor.call('verification', { id: verificationId })
  assert.equal(seen.id, Number(verificationId))
  assert.equal(seen.code, null)
  const { verifications } = await admin.visitor.call('verifications', { traffic: 'test' })
  assert.deepEqual(
    verifications.map(({ code: shown }) => shown),
    [null],
  )
  const headers = { cookie: admin.visitor.cookie }
  assert.equal((await fetch(`${base}/web/account.json`, { headers })).status, 403)
  const csv = await (await fetch(`${base}/web/verifications.csv?traffic=test`, { headers })).text()
  assert.ok(csv.includes(verificationId) && !csv.includes(`,${String(code)},`))
  await admin.visitor.call('end-view')
})

test('a view ends by itself, and with the role of the operator', async () => {
  const { globalDatabase } = slots
  const setRole = async (role: OperatorRole) => {
    const user = await findUser(globalDatabase, support.email)
    assert.ok(user)
    await setOperatorRole(globalDatabase, { address: 'test', userAgent: '' }, 'test', { userId: user.id, role })
  }
  await support.visitor.call('view-customer', view)
  await setRole('viewer')
  assert.equal((await support.visitor.call('me')).account, null)
  assert.equal((await support.visitor.refused('services')).body.error, 'forbidden')
  await setRole('support')
  assert.equal((await support.visitor.call('me')).account?.id, customerId)
  await globalDatabase.query(
    `UPDATE web_sessions SET viewed_until = clock_timestamp() WHERE viewed_account_id IS NOT NULL`,
  )
  const me = await support.visitor.call('me')
  assert.deepEqual([me.account, me.viewUntil], [null, null])
  assert.equal((await support.visitor.refused('services')).body.error, 'forbidden')
})

test('the customer reads that an operator looked, and neither who nor from where', async () => {
  const account = await owner.visitor.call('security')
  const text = JSON.stringify(account)
  assert.ok(text.includes('dashboard viewed'))
  assert.ok(!text.includes(admin.email) && !text.includes('127.9.'))
})
