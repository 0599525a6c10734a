// Payments that the operator's payment page reports: each is credited once, and only what the page has signed.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { assertSoundLedger, balanceOf } from '../support/database/ledger.ts'
import { makeServiceIn } from '../support/database/moving-slot.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { createPaymentPage, type Payment } from '../support/http/payment-page.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { install, makeService, serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { addTotp, joinAs, newEmail, password, signUp } from '../support/web/people.ts'
import { createVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await install(2)
const { slots } = installation
const settings = {
  RINGPROOF_MAIL_DIR: mailDir,
  RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
}
const { base, alternative, output } = await serveProcess(installation, settings, '--roles', 'api,web')
const site = { base, mailDir }
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })
const { secret } = await cli.json<{ secret: string }>('payments', 'new-secret')
const page = createPaymentPage(base, secret)

// How long a failed authentication of an address counts.
const failuresWindowMs = 1_000

let payments = 0
const newPayment = () => `pay-${payments++}`

// From another address each time, so that no rate limit answers instead.
let addresses = 0
const fromElsewhere = () => ({ 'x-forwarded-for': `127.4.${Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}` })

test('a report credits the account, with its reference in the statement and the log', async () => {
  const { accountId } = await makeService(installation, 0)
  const payment = newPayment()
  const { status, json } = await page.report({ account: accountId, amount: '512.35', payment })
  assert.deepEqual([status, json], [200, { status: true, repeated: false }])
  assert.equal(await balanceOf(slots, accountId), 512.35)
  const { lines } = await cli.json<{ lines: { reference: string; change: number }[] }>(
    'accounts',
    'statement',
    String(accountId),
    '--json',
  )
  assert.deepEqual(
    lines.map(({ reference, change }) => [reference, change]),
    [[payment, 512.35]],
  )
  await assertSoundLedger(slots)
})

test('twenty repetitions at once credit once, in each database', async () => {
  const accounts = await Promise.all([0, 20, 31, 32, 50, 63].map((slot) => makeServiceIn(installation, slot)))
  for (const { accountId } of accounts) {
    const before = await balanceOf(slots, accountId)
    const payment = { account: accountId, amount: '100.00', payment: newPayment() }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => page.report(payment, { headers: fromElsewhere() })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
      answers[0]?.text,
    )
    assert.equal(answers.filter(({ json }) => json['repeated'] === false).length, 1)
    assert.equal(await balanceOf(slots, accountId), before + 100)
  }
  await assertSoundLedger(slots)
})

test('the same payment with another amount, or for another account, is refused and changes nothing', async () => {
  const [one, other] = await Promise.all([makeService(installation, 0), makeService(installation, 0)])
  const payment = newPayment()
  assert.equal((await page.report({ account: one.accountId, amount: '50', payment })).status, 200)
  assertRefused(await page.report({ account: one.accountId, amount: '51', payment }), 2, 400)
  assertRefused(await page.report({ account: other.accountId, amount: '50', payment }), 2, 400)
  // Of two accounts at the same moment one gets it.
  const disputed = newPayment()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const account = index % 2 === 0 ? one.accountId : other.accountId
      return page.report({ account, amount: '70', payment: disputed }, { headers: fromElsewhere() })
    }),
  )
  assert.equal(answers.filter(({ json }) => json['repeated'] === false).length, 1)
  assert.equal((await balanceOf(slots, one.accountId)) + (await balanceOf(slots, other.accountId)), 120)
  await assertSoundLedger(slots)
})

test('a payment that an operator has entered by its ID is not credited again, and the other way round', async () => {
  const { accountId } = await makeService(installation, 0)
  const [first, second] = [newPayment(), newPayment()]
  await cli.json('accounts', 'credit', String(accountId), '30', '--reference', first, '--reason', 'late')
  assert.deepEqual((await page.report({ account: accountId, amount: '30.00', payment: first })).json, {
    status: true,
    repeated: true,
  })
  assertRefused(await page.report({ account: accountId, amount: '31.00', payment: first }), 2, 400)
  assert.equal((await page.report({ account: accountId, amount: '40', payment: second })).status, 200)
  const again = await cli.json<{ repeated: boolean }>(
    'accounts',
    'credit',
    String(accountId),
    '40',
    '--reference',
    second,
    '--reason',
    'late',
  )
  assert.equal(again.repeated, true)
  assert.equal(await balanceOf(slots, accountId), 70)
})

test('what the page has not signed just now is refused in the same words, whatever is wrong', async () => {
  const { accountId } = await makeService(installation, 0)
  const payment: Payment = { account: accountId, amount: '100', payment: newPayment() }
  const foreign = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const sixMinutes = 360_000
  const forged = {
    'another secret': { secret: foreign },
    'an old signature': { at: new Date(Date.now() - sixMinutes) },
    'a signature of the future': { at: new Date(Date.now() + sixMinutes) },
    'another amount than was signed': { body: JSON.stringify({ ...payment, amount: '900' }) },
    'a body that is no JSON': { body: 'amount=100' },
    'no body': { body: '' },
    'no signature': { headers: { 'webhook-signature': '' } },
    'a signature of another version': { headers: { 'webhook-signature': 'v2,AAAA' } },
    'no timestamp': { headers: { 'webhook-timestamp': '' } },
    'another timestamp than was signed': {
      headers: { 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 9) },
    },
    'no message ID': { headers: { 'webhook-id': '' } },
  }
  const bodies = new Set<string>()
  for (const [name, change] of Object.entries(forged)) {
    const headers = { ...fromElsewhere(), ...('headers' in change ? change.headers : {}) }
    const refused = await page.report(payment, { ...change, headers })
    assert.equal(refused.status, 401, name)
    bodies.add(refused.text)
  }
  const unknown = await page.report({ ...payment, account: 2_000_000_000 }, { headers: fromElsewhere() })
  assert.equal(unknown.status, 401)
  bodies.add(unknown.text)
  assert.equal(bodies.size, 1, [...bodies].join('\n'))
  assert.equal(await balanceOf(slots, accountId), 0)
  // The claim of a refused report does not stand in the way of the genuine one.
  assert.equal((await page.report(payment)).status, 200)
  assert.equal(await balanceOf(slots, accountId), 100)
})

test('fields and limits: what is signed and wrong is named', async () => {
  const { accountId } = await makeService(installation, 0)
  const good = { account: accountId, amount: '100', payment: newPayment() }
  for (const [field, value] of [
    ['amount', '9.99'],
    ['amount', '100000000.01'],
    ['amount', '100.001'],
    ['amount', '1e3'],
    ['amount', '-100'],
    ['amount', ' 100'],
    ['amount', 100],
    ['amount', null],
    ['account', String(accountId)],
    ['account', 3],
    ['account', 2 ** 40],
    ['currency', 'EUR'],
    ['currency', null],
    ['payment', ''],
    ['payment', 'x'.repeat(101)],
    ['payment', 'two\nlines'],
    ['payment', 7],
  ] as const) {
    const refused = await page.report({ ...good, [field]: value }, { headers: fromElsewhere() })
    assertRefused(refused, 2, 400)
    assert.match(refused.text, new RegExp(`parameter ${field} `), refused.text)
  }
  assert.equal(await balanceOf(slots, accountId), 0)
  assert.equal((await page.report({ ...good, amount: '10' })).status, 200)
})

test('an address that guesses signatures is refused for a while', async () => {
  const { accountId } = await makeService(installation, 0)
  const headers = fromElsewhere()
  const foreign = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  // A slow machine may take longer for its guesses than a guess counts.
  for (let served = 0; ; served++) {
    const startedMs = performance.now()
    const payment: Payment = { account: accountId, amount: '100', payment: newPayment() }
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => page.report(payment, { secret: foreign, headers })),
    )
    assert.ok(answers.every(({ status }) => status === 401 || status === 403))
    const genuine = await page.report(payment, { headers })
    const tookMs = performance.now() - startedMs
    if (genuine.status === 200) assert.ok(tookMs > failuresWindowMs, `served ${tookMs} ms after the first guess`)
    else assertRefused(genuine, 0, 403)
    assert.equal(await balanceOf(slots, accountId), (genuine.status === 200 ? served + 1 : served) * 100)
    if (genuine.status !== 200) break
  }
})

test('the plain listener takes no report, and there is nothing to GET', async () => {
  const { accountId } = await makeService(installation, 0)
  const plain = createPaymentPage(alternative, secret)
  assertRefused(await plain.report({ account: accountId, amount: '100', payment: newPayment() }), 404, 404)
  assert.equal((await ask(`${base}/payments/v1/callback`)).status, 401)
  assert.equal(await balanceOf(slots, accountId), 0)
})

test('a new secret replaces the old one at once, and it is sealed in the database', async () => {
  const { accountId } = await makeService(installation, 0)
  const own = await cli.json<{ secret: string }>('payments', 'new-secret')
  const report = { account: accountId, amount: '100', payment: newPayment() }
  assert.equal((await page.report(report)).status, 401)
  assert.equal((await createPaymentPage(base, own.secret).report(report)).status, 200)
  const { rows } = await slots.globalDatabase.query<{ sealed: Buffer }>(
    'SELECT secret_sealed AS sealed FROM payment_settings',
  )
  const bare = Buffer.from(own.secret.replace('whsec_', ''), 'base64')
  const sealed = rows[0]?.sealed ?? Buffer.alloc(0)
  assert.ok(sealed.length > bare.length && !sealed.includes(bare) && !sealed.includes(own.secret))
  assert.ok(!output().includes(own.secret) && !output().includes(secret))
  await slots.globalDatabase.query('UPDATE payment_settings SET secret_sealed = NULL')
  assert.equal((await createPaymentPage(base, own.secret).report({ ...report, payment: newPayment() })).status, 401)
})

test('the shell commands of the page credit an account', async () => {
  const { accountId } = await makeService(installation, 0)
  const own = await cli.json<{ secret: string }>('payments', 'new-secret')
  const { readFileSync } = await import('node:fs')
  const text = readFileSync(new URL('../../docs/operations/payments.md', import.meta.url), 'utf8')
  const [, script = ''] = /```sh\n(body=[^]*?)```/.exec(text) ?? []
  const typed = `set -eu\n${script.replaceAll('512', String(accountId)).replace('curl ', 'curl -sS ')}`
  const said = execFileSync('bash', ['-c', typed], { env: { ...process.env, SECRET: own.secret, RINGPROOF: base } })
  assert.deepEqual(JSON.parse(said.toString()), { status: true, repeated: false })
  assert.equal(await balanceOf(slots, accountId), 5_000)
})

test('the operator sets the page; the dashboard leads there with account and amount, and credits nothing', async () => {
  const { link } = await cli.json<{ link: string }>('operators', 'create', '--email', newEmail(), '--role', 'admin')
  const operator = createVisitor(base)
  await operator.call('accept-invitation', {
    token: link.split('#token=')[1] ?? '',
    password,
    name: '',
    language: 'en',
  })
  await addTotp(operator)
  const pageLink = 'https://pay.example.org/start?account={account}&amount={amount}'
  for (const wrong of [
    'https://pay.example.org/start',
    'javascript:alert({account}{amount})',
    'https://{account}.example.org/?amount={amount}',
    'https://me:you@pay.example.org/?a={account}&b={amount}',
    'https://pay.example.org/{account}/{amount}/{other}',
  ]) {
    assert.equal((await operator.refused('set-payment-page', { pageLink: wrong })).body.error, 'invalid', wrong)
    assert.equal((await cli.run('payments', 'set', '--page', wrong)).status, 1, wrong)
  }
  await operator.call('set-payment-page', { pageLink })
  const shown = await operator.call('payment-settings')
  assert.equal(shown.pageLink, pageLink)
  assert.match(shown.callbackUrl, /\/payments\/v1\/callback$/)
  const renewed = await operator.call('renew-payment-secret')
  const owner = await signUp(site)
  const accountId = (await owner.visitor.call('me')).account?.id ?? 0
  const viewer = await joinAs(site, owner.visitor, 'viewer')
  for (const { visitor } of [owner, viewer]) {
    const { pageLink: own, balance } = await visitor.call('balance')
    assert.equal(own, `https://pay.example.org/start?account=${accountId}&amount={amount}`)
    assert.equal(balance, 0)
  }
  const taken = await createPaymentPage(base, renewed.secret).report({
    account: accountId,
    amount: '250.00',
    payment: newPayment(),
  })
  assert.equal(taken.status, 200)
  const { balance, lines } = await owner.visitor.call('balance')
  assert.deepEqual([balance, lines.map(({ kind, change }) => [kind, change])], [250, [['credit', 250]]])
  const { log } = await owner.visitor.call('security')
  assert.ok(log.some(({ action }) => action === 'account credited'))
  await assertSoundLedger(slots)
})
