// A new installation is for a company's own users: calls cost nothing, and nothing says a word about money. A price makes it sell
// calls from then on.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOwner } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { operatorAs, password, signUp } from '../support/web/people.ts'

const money = /price|balance|tariff|invoice|\bRUB\b|charged|currency/i

const mailDir = `${fileDirectory()}/mail`
// Its prices stay, and count again when it is a provider.
const installation = await installPhones(0.05, 2)
const cli = createCli(installation.environment)
await cli.json('installation', 'set', '--purpose', 'own')
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings)
const owner = await signUp({ base, mailDir })
const operator = await operatorAs(base, createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base }), 'admin')

test('a new installation is for the users of one company', async () => {
  const { rows } = await asOwner(
    (client) =>
      client.query<{ value: string }>(
        `SELECT column_default AS value FROM information_schema.columns
         WHERE table_name = 'installation' AND column_name = 'purpose'`,
      ),
    installation.database.ownerUrl,
  )
  assert.match(rows[0]?.value ?? '', /^'own'/)
})

test('without a price and without money a call is placed, and costs and balances are zero', async () => {
  const service = await makeService(installation, 0)
  const phone = freshNumber('180')
  const started = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body: { phone } })
  assert.equal(started.status, 200, started.text)
  const ended = await settled(base, service, started.json['vendor_id'])
  assert.deepEqual([ended['call_status'], ended['cost'], ended['balance']], [1, 0, 0])
  const balance = await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })
  assert.equal(balance.json['rub_balance'], 0, balance.text)
})

test('routes about money and customers are not there, and commands and files have no amounts', async () => {
  for (const name of ['balance', 'ledger-lines', 'invoices', 'tariffs', 'customers', 'payment-settings'] as const)
    assert.equal((await operator.refused(name)).body.error, 'not-found', name)
  const { serviceId, accountId, bearer } = await makeService(installation, 0)
  const body = { phone: freshNumber('180') }
  const called = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: bearer, body })
  for (const command of [
    ['accounts', 'list'],
    ['verifications', 'list'],
    ['verifications', 'list', '--csv'],
    ['routes', 'explain', freshNumber('180')],
    ['accounts', 'show', String(accountId)],
    ['services', 'list'],
    ['services', 'show', String(serviceId)],
    ['verifications', 'show', String(called.json['vendor_id'])],
    ['stats'],
  ])
    assert.doesNotMatch((await cli.run(...command)).out, money, command.join(' '))
})

test('help says nothing about money; without a database it has everything', async () => {
  for (const topic of [['help'], ['accounts'], ['accounts', 'create', '--help']]) {
    const { out, err } = await cli.run(...topic)
    assert.match(out + err, /^Usage: ringproof/)
    assert.doesNotMatch(out + err, money, topic.join(' '))
  }
  const away = createCli({ ...installation.environment, RINGPROOF_DATABASE_URL: '', RINGPROOF_SHARD_URLS: '' })
  assert.match((await away.run('help')).out, /^ {2}tariffs /m)
})

test('there is one account: a second sign-up is refused', async () => {
  const { installation: shown } = await owner.visitor.call('me')
  assert.deepEqual([shown.purpose, shown.isSignUpOpen], ['own', false])
  const another = {
    email: 'second@example.org',
    password,
    accountName: 'Second',
    language: 'en',
    timeZone: 'UTC',
    acceptsTerms: true,
  } as const
  assert.equal((await owner.visitor.refused('sign-up', another)).body.error, 'forbidden')
})

test('a price makes it a provider, within a second; the way back is closed while somebody has a balance', async () => {
  const service = await makeService(installation, 0)
  await cli.json('tariffs', 'set', '--tariff', 'uni', '--method', 'initCall', '--mode', 'flash', '--price', '0.4')
  const start = () =>
    ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body: { phone: freshNumber('180') } })
  await poll('calls to cost', start, ({ json }) => json['code'] === 1002)
  assert.equal((await owner.visitor.call('me')).installation.purpose, 'provider')
  await makeService(installation, 100)
  assert.match((await cli.run('installation', 'set', '--purpose', 'own')).err, /has a balance/)
})
