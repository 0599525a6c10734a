// The operator's first day, typed as a person types it, on real databases. After every step the ledger is audited.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOwner, emptyDatabase } from '../support/database/test-database.ts'
import { type Environment, ringproof, ringproofJson, type Said } from '../support/process/cli.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const { url, ownerUrl } = await emptyDatabase()
const secretsDir = `${fileDirectory()}/secrets`

async function ledgerAgrees(environment: Environment, accounts: number): Promise<void> {
  assert.deepEqual(await ringproofJson(environment, 'ledger', 'audit'), { accounts, sum: 0, faults: [] })
}

test('setup, migrate, account, service, credit, rotate-key, block', async () => {
  const environment = {
    RINGPROOF_DATABASE_URL: url,
    RINGPROOF_DATABASE_OWNER_URL: ownerUrl,
    RINGPROOF_SECRETS_DIR: secretsDir,
  }
  const run = (...args: string[]) => ringproof(environment, ...args)

  assert.match((await run('accounts', 'list')).err, /there is no key phone-tenant-1\.key/)
  assert.match((await run('setup')).out, /seal-records-1\.key/)
  assert.match((await run('accounts', 'list')).err, /Run `ringproof migrate` first/)
  assert.match((await run('migrate')).out, /is up to date now/)
  assert.match((await run('installation', 'set', '--purpose', 'provider')).out, /provider/)
  await ledgerAgrees(environment, 0)

  const create = ['accounts', 'create', '--email', 'owner@example.org', '--balance', '100']
  const { account_id: account } = await ringproofJson<{ account_id: number }>(environment, ...create)
  await ledgerAgrees(environment, 1)

  const service = await ringproofJson<{ service_id: number; key: string; webhook_secret: string }>(
    environment,
    'services',
    'create',
    '--account',
    String(account),
    '--name',
    'Shop',
  )
  assert.match(service.key, /^[A-Za-z0-9]{32}$/)
  assert.match(service.webhook_secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(service.service_id % 64, account % 64)
  await ledgerAgrees(environment, 1)

  await creditTwice(environment, account)
  await ledgerAgrees(environment, 1)
  const debit = (amount: string, reference: string) =>
    run('accounts', 'debit', String(account), amount, '--reference', reference, '--reason', 'test')
  assert.match((await debit('0.5', 'refund 1')).out, /now has RUB 150\.00 available/)
  await ledgerAgrees(environment, 1)
  assert.match((await debit('151', 'refund 2')).err, /has only 150 available/)
  await ledgerAgrees(environment, 1)

  const rotated = await run('services', 'rotate-key', String(service.service_id))
  assert.match(rotated.out, /stays valid for 24 hours/)
  assert(!rotated.out.includes(service.key))
  await ledgerAgrees(environment, 1)

  await blockAndUnblock(environment, account)
  const actions = await actionsLogged()
  assert.deepEqual(
    actions.map(([action]) => action),
    [
      'installation settings changed',
      'account created',
      'account credited',
      'service created',
      'account credited',
      'account debited',
      'service key rotated',
      'account blocked',
      'account unblocked',
    ],
  )
})

async function creditTwice(environment: Environment, account: number): Promise<void> {
  const credit = [String(account), '50.5', '--reference', 'bank 4711', '--reason', 'bank transfer']
  const credited = await ringproofJson<{ entry_id: number }>(environment, 'accounts', 'credit', ...credit)
  const { entry_id: entry } = credited
  assert.deepEqual(credited, { account_id: account, balance: 150.5, entry_id: entry, repeated: false })
  const again = await ringproof(environment, 'accounts', 'credit', ...credit)
  assert.match(again.out, new RegExp(`bank 4711 was booked before as entry ${entry}: nothing changed`))
  assert.match(again.out, /now has RUB 150\.50 available/)
}

async function blockAndUnblock(environment: Environment, account: number): Promise<void> {
  const setState = (state: string, ...reason: string[]) =>
    ringproof(environment, 'accounts', 'set', String(account), '--state', state, ...reason)
  assert.match((await setState('closed')).err, /--state takes one of: blocked, active/)
  assert.match((await setState('blocked', '--reason', 'owes money')).out, /is now blocked/)
  assert.match((await setState('blocked')).out, /is already blocked/)
  await ledgerAgrees(environment, 1)
  const listed = await ringproofJson<{ blocked: boolean; balance: number }[]>(environment, 'accounts', 'list')
  assert.deepEqual([listed.length, listed[0]?.blocked, listed[0]?.balance], [1, true, 150])
  assert.match((await setState('active')).out, /is now active/)
}

// In order, with their details; each of them must come from the CLI.
async function actionsLogged(): Promise<readonly (readonly [string, Record<string, unknown>])[]> {
  return asOwner(async (client) => {
    const { rows } = await client.query<{ action: string; details: Record<string, unknown>; address: string }>(
      'SELECT * FROM action_log ORDER BY id',
    )
    assert(rows.every(({ address }) => address === '127.0.0.1'))
    return rows.map(({ action, details }) => [action, details] as const)
  }, ownerUrl)
}

test('service settings are shown and changed; invalid ones are refused all at once', async () => {
  const environment = {
    RINGPROOF_DATABASE_URL: url,
    RINGPROOF_DATABASE_OWNER_URL: ownerUrl,
    RINGPROOF_SECRETS_DIR: secretsDir,
  }
  const { run, json } = createCli(environment, { actor: { address: '127.0.0.1', userAgent: 'test' } })
  const { account_id: account } = await json<{ account_id: number }>(
    'accounts',
    'create',
    '--email',
    'settings@example.org',
  )
  const { service_id: id } = await json<{ service_id: number }>(
    'services',
    'create',
    '--account',
    String(account),
    '--name',
    'Shop',
  )
  const set = (...args: string[]) => run('services', 'set', String(id), ...args)
  const before = (await actionsLogged()).length

  assert.match((await set('--state', 'off', '--geography', 'RU,BY')).out, /geography: RU,KZ → RU,BY/)
  assert.match((await set('--state', 'off')).out, /already has these settings/)
  const refused = await set('--state', 'asleep', '--inbound-seconds', '5')
  assert.equal(refused.status, 1)
  assert.match(refused.err, /state takes on\|off\|archived[^]*inbound-seconds takes 30\.\.300/)
  assert.match((await set()).err, /No setting was given/)
  assert.match((await set('--calls-per-number-10-minutes', '2', '--spend-day-max', '99.5')).out, /5000 → 99\.5/)

  const service = await json<Record<string, unknown>>('services', 'show', String(id))
  assert.equal(service['state'], 'off')
  assert.deepEqual(service['geography'], ['RU', 'BY'])
  assert.equal(service['calls_per_number_10_minutes'], 2)
  assert.match((await run('services', 'show', String(id))).out, /--inbound-seconds +120 /)
  assert.deepEqual((await actionsLogged()).slice(before), [
    ['service changed', { service: id, changes: { state: ['on', 'off'], geography: ['RU,KZ', 'RU,BY'] } }],
    [
      'service changed',
      { service: id, changes: { 'calls-per-number-10-minutes': ['4', '2'], 'spend-day-max': ['5000', '99.5'] } },
    ],
  ])
  assert.match((await run('services', 'set', '99999', '--state', 'on')).err, /Service 99999 does not exist/)
  assert.match((await run('services', 'set', '12', '--state', 'on')).err, /Invalid service ID: 12/)
})

test('prices follow one another, and only one is in force at a time', async () => {
  const environment = {
    RINGPROOF_DATABASE_URL: url,
    RINGPROOF_SECRETS_DIR: secretsDir,
  }
  const { run } = createCli(environment, { actor: { address: '127.0.0.1', userAgent: 'test' } })
  const price = (...args: string[]) => run('tariffs', 'set', '--method', 'initCall', ...args)

  const before = (await actionsLogged()).length

  assert.match(
    (await price('--mode', 'flash', '--country', 'RU', '--price', '0.4')).out,
    /flash RU costs RUB 0\.40 from/,
  )
  assert.match(
    (await price('--mode', 'flash', '--price', '9', '--from', '2099-01-01')).out,
    /all other countries costs RUB 9\.00/,
  )
  assert.match((await price('--mode', 'flash', '--price', '8', '--from', '2099-01-01')).err, /from exactly that time/)
  assert.match((await price('--mode', 'mix', '--tariff', 'vip', '--name', ' Friends ', '--price', '1')).out, /vip/)
  assert.match((await price('--mode', 'mix', '--tariff', 'vip', '--name', 'For friends', '--price', '2')).out, /vip/)
  assert.match((await price('--mode', 'mix', '--tariff', 'vip', '--name', 'For friends', '--price', '3')).out, /vip/)
  await pricesRefused(price)

  const tariffs = await ringproofJson<{ tariff: string; name: string; prices: unknown[] }[]>(
    environment,
    'tariffs',
    'list',
  )
  assert.deepEqual(
    tariffs.map(({ tariff, name, prices }) => [tariff, name, prices.length]),
    [
      ['uni', 'Universal', 2],
      ['vip', 'For friends', 3],
    ],
  )
  assert.deepEqual(
    (await actionsLogged())
      .slice(before)
      .map(([action, { tariff, name, price: set }]) => [action, tariff, name ?? set]),
    [
      ['tariff price set', 'uni', '0.4'],
      ['tariff price set', 'uni', '9'],
      ['tariff created', 'vip', 'Friends'],
      ['tariff price set', 'vip', '1'],
      ['tariff renamed', 'vip', ['Friends', 'For friends']],
      ['tariff price set', 'vip', '2'],
      ['tariff price set', 'vip', '3'],
    ],
  )
})

async function pricesRefused(price: (...args: string[]) => Promise<Said>): Promise<void> {
  const refusals = [
    [['--price', '1'], /--mode takes flash, voice or mix/],
    [['--mode', 'mix', '--price', '0.00001'], /Invalid amount/],
    [['--mode', 'mix', '--price', '1', '--country', 'XX'], /--country takes/],
    [['--mode', 'mix', '--price', '1', '--from', '2099-02-31'], /--from takes/],
    [['--mode', 'mix', '--price', '1', '--name', '   '], /--name takes/],
    [['--mode', 'mix', '--price', '1', '--name', 'a\u0007b'], /--name takes/],
    [['--mode', 'mix', '--price', '1', '--name', 'x'.repeat(101)], /--name takes/],
    // A price in the past would change earlier charges. Its tariff is not created either.
    [
      ['--mode', 'mix', '--price', '1', '--from', '2026-01-01', '--tariff', 'late'],
      /2026-01-01T00:00:00.000Z has passed/,
    ],
  ] as const
  const answers = await Promise.all(refusals.map(([args]) => price(...args)))
  for (const [index, { status, err }] of answers.entries()) {
    assert.equal(status, 1)
    assert.match(err, refusals[index]?.[1] ?? /nothing/)
  }
}

test('an account is moved to another tariff, and the action log has one entry', async () => {
  const environment = { RINGPROOF_DATABASE_URL: url, RINGPROOF_SECRETS_DIR: secretsDir }
  const run = (...args: string[]) => ringproof(environment, ...args)
  const { account_id: account } = await ringproofJson<{ account_id: number }>(
    environment,
    'accounts',
    'create',
    '--email',
    'tariff@example.org',
  )
  const before = (await actionsLogged()).length
  const set = (tariff: string) => run('accounts', 'set', String(account), '--tariff', tariff)
  assert.match((await set('uni')).out, /already uses tariff uni/)
  assert.match((await set('vip')).out, /now uses tariff vip/)
  assert.match((await set('vip')).out, /already uses tariff vip/)
  assert.match((await set('none')).err, /Tariff none does not exist/)
  assert.deepEqual((await actionsLogged()).slice(before), [['account changed', { tariff: ['uni', 'vip'] }]])
})

test('config print hides passwords', async () => {
  const { out } = await ringproof({ RINGPROOF_DATABASE_URL: url }, 'config', 'print')
  assert.match(out, /RINGPROOF_DATABASE_URL=postgres:\/\/ringproof_app:\*\*\*@127/)
  assert(!out.includes(new URL(url).password))
})
