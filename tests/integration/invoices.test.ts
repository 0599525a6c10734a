// Paying by invoice: numbered papers to print, credited once by their number, and acts that add up to the ledger.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebInput } from '@ringproof/contract/web/api.ts'
import { payInvoice } from '../../server/src/actions/money/invoices.ts'
import { showAct } from '../../server/src/actions/money/papers-view.ts'
import { type AccountId, slotOfAccount } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { credit } from '../support/database/credit.ts'
import { assertSoundLedger, balanceOf } from '../support/database/ledger.ts'
import { createPaymentPage } from '../support/http/payment-page.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { install, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { joinAs, type Person, signUp } from '../support/web/people.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await install(2)
const { slots, recordKeys } = installation
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings, '--roles', 'api,web')
const site = { base, mailDir }
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })

const details: WebInput<'set-legal-details'> = {
  name: 'Рога & <b>копыта</b> "ООО"',
  taxNumber: '0000000001',
  reasonCode: '000000002',
  address: '1 Example Street, Exampleton',
}

async function accountOf({ visitor }: Person): Promise<AccountId> {
  return (await visitor.call('me')).account?.id as AccountId
}

async function newPayer(): Promise<Person & { readonly accountId: AccountId }> {
  const owner = await signUp(site)
  await owner.visitor.call('set-legal-details', details)
  return { ...owner, accountId: await accountOf(owner) }
}

async function open(person: Pick<Person, 'visitor'>, path: string, language = 'en') {
  const { cookie } = person.visitor
  const response = await fetch(`${base}${path}`, {
    headers: { cookie: `${cookie}; lang=${language}`, 'x-forwarded-for': '127.5.0.1' },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('without a supplier there are no invoices; the operator names one', async () => {
  const { visitor } = await newPayer()
  assert.equal((await visitor.call('balance')).hasInvoices, false)
  assert.deepEqual((await visitor.refused('request-invoice', { amount: '100' })).body, {
    error: 'invalid',
    fields: ['seller'],
  })
  const seller = ['payments', 'set', '--seller', 'Example Telecom LLC', '--address', '2 Example Street']
  assert.match((await cli.run(...seller, '--tax-number', '12345')).err, /10 or 12 digits/)
  const bank = ['--bank', 'Example Bank', '--bank-account', '00000000000000000000', '--vat-note', 'VAT is not charged.']
  assert.match((await cli.run('payments', 'set', ...bank)).err, /--seller is missing/)
  const set = await cli.run(...seller, '--tax-number', '0000000009', '--signatory', 'A. Example', ...bank)
  assert.equal(set.status, 0, set.err)
  assert.equal((await visitor.call('balance')).hasInvoices, true)
})

test('owner and accountant request invoices; developers, viewers and strangers get nothing of them', async () => {
  const owner = await signUp(site)
  assert.deepEqual((await owner.visitor.refused('request-invoice', { amount: '100' })).body, {
    error: 'invalid',
    fields: ['details'],
  })
  const accountant = await joinAs(site, owner.visitor, 'accountant')
  await accountant.visitor.call('set-legal-details', details)
  const { number } = await accountant.visitor.call('request-invoice', { amount: '1500.50' })
  const known = await owner.visitor.call('invoices')
  assert.deepEqual([known.details, known.seller], [details, 'Example Telecom LLC'])
  assert.deepEqual(
    known.invoices.map(({ number: one, amount, paidAt }) => [one, amount, paidAt]),
    [[number, 1500.5, null]],
  )
  for (const role of ['developer', 'viewer'] as const) {
    const other = await joinAs(site, owner.visitor, role)
    assert.equal((await other.visitor.refused('invoices')).body.error, 'forbidden')
    assert.equal((await other.visitor.refused('request-invoice', { amount: '100' })).body.error, 'forbidden')
    assert.equal((await other.visitor.refused('set-legal-details', details)).body.error, 'forbidden')
    assert.equal((await open(other, `/web/invoices/${number}`)).status, 403)
    assert.equal((await open(other, '/web/acts/2026-01')).status, 403)
    assert.equal((await other.visitor.call('balance')).hasInvoices, true)
  }
  assert.equal((await open(accountant, `/web/invoices/${number}`)).status, 200)
  assert.equal((await fetch(`${base}/web/invoices/${number}`)).status, 401)
  const stranger = await newPayer()
  assert.equal((await open(stranger, `/web/invoices/${number}`)).status, 404)
  assert.equal((await open(stranger, '/web/invoices/99999999')).status, 404)
  assert.equal((await open(stranger, '/web/invoices/1e3')).status, 404)
})

test('amounts outside the limits and wrong details are refused', async () => {
  const { visitor } = await newPayer()
  for (const amount of ['9.99', '100000000.01', '0', '100.001', '-5', '1e3', '']) {
    assert.equal((await visitor.refused('request-invoice', { amount })).body.error, 'invalid', amount)
  }
  const other = await signUp(site)
  for (const change of [{ taxNumber: '123' }, { reasonCode: '12' }, { name: '  ' }, { address: '' }]) {
    assert.equal((await other.visitor.refused('set-legal-details', { ...details, ...change })).body.error, 'invalid')
  }
})

test('who pays is sealed in the database, and an invoice keeps it as it was', async () => {
  const payer = await newPayer()
  const { number } = await payer.visitor.call('request-invoice', { amount: '100' })
  await payer.visitor.call('set-legal-details', { ...details, name: 'Another LLC' })
  const { text } = await open(payer, `/web/invoices/${number}`)
  assert.ok(text.includes('копыта') && !text.includes('Another LLC'))
  for (const database of slots.databases) {
    for (const table of ['legal_details', 'invoices', 'action_log']) {
      const { rows } = await database.query<{ row: string }>(`SELECT t::text AS row FROM ${table} AS t`)
      const clear = rows.map(({ row }) => row + Buffer.from(/\\x([0-9a-f]+)/.exec(row)?.[1] ?? '', 'hex').toString())
      assert.ok(!/копыта|Another LLC|0000000001|Example Street, Exampleton/.test(clear.join('\n')), table)
    }
  }
  const resealed = await cli.run('secrets', 'reseal')
  assert.equal(resealed.status, 0, resealed.err)
})

test('an invoice is a page to print in both languages: no script, everything escaped, a strict policy', async () => {
  const payer = await newPayer()
  const { number } = await payer.visitor.call('request-invoice', { amount: '21101.05' })
  const page = await open(payer, `/web/invoices/${number}`)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-an/,
  )
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.ok(!/<script|<b>копыта|javascript:| on\w+=/.test(page.text))
  assert.ok(page.text.includes('Рога &amp; &lt;b&gt;копыта&lt;/b&gt; &quot;ООО&quot;'))
  assert.match(page.text, new RegExp(`Invoice No\\. ${number} of`))
  assert.match(page.text, /₽21,101\.05/)
  assert.match(page.text, /twenty-one thousand one hundred and one roubles 05 kopecks/)
  assert.match(page.text, /Example Telecom LLC/)
  assert.match(page.text, /VAT is not charged\./)
  const russian = await open(payer, `/web/invoices/${number}`, 'ru')
  assert.match(russian.text, new RegExp(`<html lang="ru">[^]*Счёт на оплату № ${number} от`))
  assert.match(russian.text, /двадцать одна тысяча сто один рубль 05 копеек/)
})

test('every invoice has its own number, also when many are requested at once', async () => {
  const payers = await Promise.all(Array.from({ length: 5 }, newPayer))
  const numbers = await Promise.all(
    payers.flatMap(({ visitor }) =>
      Array.from({ length: 6 }, async () => (await visitor.call('request-invoice', { amount: '10' })).number),
    ),
  )
  assert.equal(new Set(numbers).size, 30)
})

test('an account with twenty unpaid invoices gets no other', async () => {
  const { visitor, accountId } = await newPayer()
  const { number } = await visitor.call('request-invoice', { amount: '10' })
  await slots.globalDatabase.query(
    `INSERT INTO invoices (account_id, amount, buyer_sealed, seller)
     SELECT account_id, amount, buyer_sealed, seller FROM invoices, generate_series(2, 20) WHERE id = $1`,
    [number],
  )
  assert.equal((await visitor.refused('request-invoice', { amount: '10' })).body.error, 'too-many')
  assert.equal((await cli.json<{ repeated: boolean }>('invoices', 'paid', String(number))).repeated, false)
  await visitor.call('request-invoice', { amount: '10' })
  const unpaid = await cli.json<unknown[]>('invoices', 'list', '--account', String(accountId), '--unpaid')
  assert.equal(unpaid.length, 20)
})

test('an invoice is credited once: by hand twice, twenty times at once, and beside the payment page', async () => {
  const { visitor, accountId } = await newPayer()
  const { number } = await visitor.call('request-invoice', { amount: '500.00' })
  const first = await cli.run('invoices', 'paid', String(number))
  assert.match(first.out, new RegExp(`Invoice ${number} is paid: RUB 500\\.00 was credited to account ${accountId}\\.`))
  const second = await cli.run('invoices', 'paid', String(number))
  assert.match(second.out, new RegExp(`Invoice ${number} was credited before as entry \\d+: nothing changed\\.`))
  assert.equal(await balanceOf(slots, accountId), 500)
  const { invoices } = await visitor.call('invoices')
  assert.ok(invoices[0]?.paidAt)

  const { number: other } = await visitor.call('request-invoice', { amount: '70' })
  const actor = { address: '127.0.0.1', userAgent: '', operator: 'test' }
  const paid = await Promise.all(Array.from({ length: 20 }, () => payInvoice({ slots }, actor, other)))
  assert.equal(paid.filter(({ isRepeated }) => !isRepeated).length, 1)
  assert.equal(await balanceOf(slots, accountId), 570)

  const { secret } = await cli.json<{ secret: string }>('payments', 'new-secret')
  const { number: third } = await visitor.call('request-invoice', { amount: '30' })
  const report = { account: accountId, amount: '30.00', payment: `invoice ${third}` }
  assert.equal((await createPaymentPage(base, secret).report(report)).json['repeated'], false)
  assert.equal((await cli.json<{ repeated: boolean }>('invoices', 'paid', String(third))).repeated, true)
  assert.equal(await balanceOf(slots, accountId), 600)
  const { lines } = await visitor.call('balance')
  assert.deepEqual(
    lines.map(({ change, reference }) => [change, reference]),
    [500, 70, 30].map((sum, index) => [sum, `invoice ${[number, other, third][index]}`]),
  )
  assert.match((await cli.run('invoices', 'paid', '99999999')).err, /does not exist/)
  assert.match((await cli.run('invoices', 'paid', 'x')).err, /Invalid invoice number/)
  await assertSoundLedger(slots)
})

// The month before this one, in UTC.
function lastMonth(): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15)).toISOString().slice(0, 7)
}

test('the act of a closed month is the sum of its charges; there is none of this month', async () => {
  const payer = await newPayer()
  const { accountId, visitor } = payer
  const month = lastMonth()
  const database = slots.databaseOf(slotOfAccount(accountId))
  // Days that were rolled up: a payment, and charges on two days.
  await database.query(
    `INSERT INTO ledger_days (account_id, day, from_account, to_account, amount, entries)
     VALUES ($1, $2, 'external', 'available', 1000000000, 1), ($1, $2, 'available', 'held', 412800000, 1032),
            ($1, $2, 'held', 'revenue', 412800000, 1032), ($1, $3, 'available', 'revenue', 50000, 1)`,
    [accountId, `${month}-03`, `${month}-28`],
  )
  await database.query('UPDATE accounts SET balance = 587150000 WHERE id = $1', [accountId])
  const page = await open(payer, `/web/acts/${month}`)
  assert.equal(page.status, 200, page.text)
  assert.match(page.text, /₽412\.85/)
  assert.match(page.text, /1,033/)
  assert.match(page.text, new RegExp(`Statement of services rendered No\\. ${accountId}-${month.replace('-', '')} of`))
  const shown = await visitor.call('balance', { month })
  const charged = shown.lines.filter(({ kind }) => kind === 'charges').reduce((sum, { change }) => sum - change, 0)
  assert.equal(charged.toFixed(2), '412.85')
  assert.match(
    (await open(payer, `/web/acts/${month}`, 'ru')).text,
    /Акт об оказании услуг №[^]*четыреста двенадцать рублей 85 копеек/,
  )
  const thisMonth = new Date().toISOString().slice(0, 7)
  assert.equal((await open(payer, `/web/acts/${thisMonth}`)).status, 400)
  assert.equal((await open(payer, '/web/acts/2026-13')).status, 400)
  assert.equal((await open(payer, '/web/acts/2025-01')).status, 404)
  await assertSoundLedger(slots)
})

test('acts of charges with hundredths of a minor unit add up to the ledger, and wait for the last call', async () => {
  const { accountId } = await newPayer()
  const database = slots.databaseOf(slotOfAccount(accountId))
  await credit(database, accountId, 100_000_000 as MicroAmount)
  const enter = async (to: 'revenue' | 'held', amount: number): Promise<void> => {
    await database.query(
      `WITH entry AS (INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
                      VALUES (next_id($2), 1, $1, 'available', $3, $4) RETURNING amount)
       UPDATE accounts SET balance = balance - $4, held = held + CASE WHEN $3 = 'held' THEN $4 ELSE 0 END WHERE id = $1`,
      [accountId, slotOfAccount(accountId), to, amount],
    )
  }
  for (let charge = 0; charge < 7; charge++) await enter('revenue', 3_700)
  const month = new Date().toISOString().slice(0, 7)
  const nextMonth = Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1) / 1_000
  const deps = { slots, recordKeys, currency: 'RUB', nowSeconds: () => nextMonth }
  // 0.0259.
  assert.equal((await showAct(deps, accountId, month)).amount, 30_000)
  await assert.rejects(showAct({ ...deps, nowSeconds: () => nextMonth - 1 }, accountId, month), { error: 'invalid' })
  // 0.0041 before: the two months together are 0.03, and the month before was rounded down.
  await database.query(
    `INSERT INTO ledger_days (account_id, day, from_account, to_account, amount, entries)
     VALUES ($1, $2, 'available', 'revenue', 4100, 1)`,
    [accountId, `${lastMonth()}-20`],
  )
  await database.query('UPDATE accounts SET balance = balance - 4100 WHERE id = $1', [accountId])
  const acts = await Promise.all([lastMonth(), month].map((one) => showAct(deps, accountId, one)))
  assert.deepEqual(
    acts.map(({ amount }) => amount),
    [0, 30_000],
  )
  await assertSoundLedger(slots)
  await enter('held', 400_000)
  await assert.rejects(showAct(deps, accountId, month), { error: 'invalid' })
  assert.equal((await showAct(deps, accountId, lastMonth())).amount, 0)
})
