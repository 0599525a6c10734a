// One currency per installation: in euros and in yen everything that states an amount names it, and another one than that of the
// database is refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountId, slotOfAccount } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { credit } from '../support/database/credit.ts'
import { testDatabase } from '../support/database/test-database.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { createPaymentPage } from '../support/http/payment-page.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { install, makeService, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { signUp } from '../support/web/people.ts'
import { letterTo } from '../support/web/visitor.ts'

// No other currency; rub_balance is a name of the contract.
const roubles = /rouble|kopeck|рубл|копе[ей]|(?<!\p{L})руб(?!\p{L})|₽|(?<![\p{L}_])RUB(?![\p{L}_])/iu

const euros = {
  currency: 'EUR',
  language: 'en',
  price: '0.4',
  credited: 1.5,
  // After one call.
  left: 1.1,
  commands: { price: 'EUR 0.40', left: 'EUR 1.10' },
  letter: /€1\.10 is left/,
  invoiced: '1500.50',
  invoice: /To be paid: €1,500\.50<\/b>\./,
} as const
const yen = {
  currency: 'JPY',
  language: 'ru',
  price: '40',
  credited: 150,
  left: 110,
  commands: { price: 'JPY 40', left: 'JPY 110' },
  letter: /Осталось 110\s¥\./,
  invoiced: '1500',
  invoice: /Всего к оплате: 1\s500\s¥<\/b>\./,
} as const

const customers = [
  [euros, await newCustomer(euros)],
  [yen, await newCustomer(yen)],
] as const
for (const [expected, customer] of customers) {
  test(`in ${expected.currency} a call, pages, commands, files, letters and papers state amounts in it`, async () => {
    const { installation, settings, texts } = customer
    const id = await callOnce(customer, expected)
    await assertCommands(customer, expected, id)
    await assertFiles(customer, expected)
    await assertInvoice(customer, expected)
    // The call is over, so a keeper with short days disturbs none.
    await serve(installation, { ...settings, RINGPROOF_TIME_SCALE: '0.005' }, '--roles', 'keeper')
    await assertLetter(customer, expected)
    for (const text of texts) assert.doesNotMatch(text, roubles)
  })
}

type Expected = typeof euros | typeof yen
type Customer = Awaited<ReturnType<typeof newCustomer>>

async function newCustomer({ currency, language, price, credited }: Expected) {
  const { installation, settings, mailDir } = await installIn(currency)
  const texts: string[] = []
  const seen = (text: string) => {
    texts.push(text)
    return text
  }
  const cli = createCli({ ...installation.environment, ...settings })
  const run = async (...args: string[]) => {
    const { status, out, err } = await cli.run(...args)
    assert.equal(status, 0, err)
    return seen(out)
  }
  await run('tariffs', 'set', '--method', 'initCall', '--mode', 'flash', '--country', 'RU', '--price', price)
  const { base } = await serve(installation, settings, '--roles', 'api,calls,web')
  const { visitor, email } = await signUp({ base, mailDir })
  await visitor.call('set-profile', { language })
  const { account, installation: about } = await visitor.call('me')
  const accountId = account?.id as AccountId
  assert.equal(about.currency, currency)
  const database = installation.slots.databaseOf(slotOfAccount(accountId))
  await credit(database, accountId, (credited * 1e6) as MicroAmount)
  await database.query('UPDATE accounts SET must_verify_phone = false WHERE id = $1', [accountId])
  // A page or a file of the dashboard.
  const open = async (path: string) => {
    const headers = { cookie: `${visitor.cookie}; lang=${language}`, 'x-forwarded-for': '127.6.0.1' }
    const response = await fetch(`${base}${path}`, { headers })
    assert.equal(response.status, 200)
    return seen(await response.text())
  }
  return { installation, settings, mailDir, base, visitor, email, accountId, database, texts, seen, run, open }
}

async function callOnce({ base, visitor, seen }: Customer, { price, credited, left }: Expected): Promise<string> {
  const service = { name: 'Shop', isTest: false, isMovingFromUcaller: false }
  const { serviceId, key } = await visitor.call('create-service', service)
  const bearer = { authorization: `Bearer ${key}.${serviceId}` }
  const body = { phone: freshNumber('180') }
  const started = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: bearer, body })
  assert.equal(started.status, 200, started.text)
  const info = await settled(base, { bearer }, started.json['vendor_id'])
  assert.deepEqual([info['cost'], info['balance']], [Number(price), credited])
  const asked = await ask(`${base}/v1.0/getBalance`, { headers: bearer })
  assert.equal(asked.json['rub_balance'], left)
  const balance = await visitor.call('balance')
  assert.deepEqual([balance.balance, balance.lines.at(-1)?.change], [left, -Number(price)])
  for (const json of [started.json, info, asked.json, balance]) seen(JSON.stringify(json))
  return String(started.json['vendor_id'])
}

async function assertCommands({ run, accountId }: Customer, { commands }: Expected, id: string): Promise<void> {
  assert.ok((await run('tariffs', 'list')).includes(`  ${commands.price}  `))
  assert.ok((await run('accounts', 'list')).includes(`  ${commands.left}  `))
  assert.ok((await run('accounts', 'show', String(accountId))).includes(`${commands.left} available`))
  assert.ok((await run('verifications', 'show', id)).includes(`charged ${commands.price}.`))
}

async function assertFiles({ run, open }: Customer, { currency, price, left }: Expected): Promise<void> {
  const [heads = '', row = ''] = (await run('accounts', 'list', '--csv')).split('\n')
  assert.match(heads, /,balance,held,currency,/)
  assert.ok(row.includes(`,${left},0,${currency},`), row)
  const [columns = [], cells = []] = (await open('/web/verifications.csv?traffic=live'))
    .split('\n')
    .map((line) => line.split(','))
  const cell = (column: string) => cells[columns.indexOf(column)]
  assert.deepEqual([cell('charged'), cell('currency')], [price, currency])
}

async function assertInvoice({ run, open, visitor }: Customer, { invoiced, invoice }: Expected): Promise<void> {
  await run('payments', 'set', '--seller', 'Example', '--tax-number', '0000000009', '--address', 'Exampleton')
  const payer = { name: 'Shop Ltd', taxNumber: '0000000001', reasonCode: '', address: 'Exampleton' }
  await visitor.call('set-legal-details', payer)
  const tooExact = await visitor.refused('request-invoice', {
    amount: `${invoiced}${invoiced.includes('.') ? '5' : '.5'}`,
  })
  assert.deepEqual(tooExact.body, { error: 'invalid', fields: ['amount'] })
  const { number } = await visitor.call('request-invoice', { amount: invoiced })
  assert.match(await open(`/web/invoices/${number}`), invoice)
}

// Less than three days are left at the rate of the last week.
async function assertLetter(customer: Customer, { credited, letter }: Expected): Promise<void> {
  const { database, accountId, mailDir, email, seen } = customer
  await database.query(
    `INSERT INTO call_hours VALUES (date_trunc('hour', clock_timestamp()) - interval '2 hours', $1, 1, 'flash', false, 'RU', '', '',
       'succeeded', '', 10, 0, 0, 0, $2, NULL)`,
    [accountId, credited * 5e6],
  )
  const { text } = await letterTo(mailDir, email, /balance is low|баланс заканчивается/)
  assert.match(seen(text), letter)
}

test('a payment that was made in another currency is refused, and one in that of the installation is credited', async () => {
  const { installation, settings } = await installIn('EUR')
  const { base } = await serve(installation, settings, '--roles', 'api')
  const { accountId } = await makeService(installation, 0)
  const cli = createCli({ ...installation.environment, ...settings })
  const { secret } = await cli.json<{ secret: string }>('payments', 'new-secret')
  const page = createPaymentPage(base, secret)
  const payment = { account: accountId, amount: '50.00', payment: 'pay-1' }
  const refused = await page.report({ ...payment, currency: 'RUB' })
  assertRefused(refused, 2, 400)
  assert.match(refused.text, /currency.*EUR, the currency of this installation/)
  assert.equal((await page.report({ ...payment, currency: 'EUR' })).json['repeated'], false)
})

test('what starts with another currency than that of existing accounts or prices is refused with one sentence', async () => {
  const installation = await install()
  const { database, environment } = installation
  const other = { RINGPROOF_CURRENCY: 'EUR', RINGPROOF_DATABASE_OWNER_URL: database.ownerUrl }
  const cli = createCli({ ...environment, ...other })
  const refusal =
    /^The amounts in the database \S+ are in RUB, and RINGPROOF_CURRENCY is EUR: RINGPROOF_CURRENCY=RUB, or, while .*, ringproof migrate\.$/
  const refuses = async () => {
    assert.match((await cli.run('accounts', 'list')).err.trim(), refusal)
    for (const role of ['api', 'calls', 'webhooks', 'keeper', 'web']) {
      await assert.rejects(serve(installation, other, '--roles', role), { message: refusal })
    }
  }
  // Even while there is nothing: only migrate takes it over.
  await refuses()
  const price = ['--method', 'checkPhone', '--price', '0.1']
  assert.equal((await createCli(environment).run('tariffs', 'set', ...price)).status, 0)
  assert.match((await cli.run('migrate')).err.trim(), refusal)
  await installation.slots.globalDatabase.query('DELETE FROM tariff_prices')
  await makeService(installation, 0)
  assert.match((await cli.run('migrate')).err.trim(), refusal)
  await refuses()
})

// Its database is in this currency from the start, as after `ringproof migrate`.
async function installIn(currency: string) {
  const database = await testDatabase()
  const mailDir = `${fileDirectory()}/mail`
  const settings = {
    RINGPROOF_CURRENCY: currency,
    RINGPROOF_MAIL_DIR: mailDir,
    RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
  }
  const urls = { RINGPROOF_DATABASE_URL: database.url, RINGPROOF_DATABASE_OWNER_URL: database.ownerUrl }
  const migrated = await createCli({ ...urls, ...settings, RINGPROOF_SECRETS_DIR: fileDirectory() }).run('migrate')
  assert.equal(migrated.status, 0, migrated.err)
  const installation = await installPhones(0.05, 1, {}, database)
  return { installation, settings, mailDir }
}
