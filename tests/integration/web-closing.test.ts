// The account's data as a file, and closing the account: keys and services end together, and everything can still be read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EndpointName, webApi } from '@ringproof/contract/web/api.ts'
import { type AccountId, slotOfAccount } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { credit } from '../support/database/credit.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { joinAs, type Person, password, signIn, signUp } from '../support/web/people.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.05)
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings)
const site = { base, mailDir }
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })

type Exported = {
  readonly account: { readonly balance: number; readonly closed: string | null }
  readonly members: { readonly email: string; readonly role: string }[]
  readonly services: { readonly keys: { readonly name: string }[]; readonly settings: { readonly state: string } }[]
  readonly statement: { readonly closing: number; readonly lines: { readonly change: number }[] }
  readonly log: { readonly action: string }[]
}

async function download({ visitor }: Pick<Person, 'visitor'>) {
  const headers = { cookie: visitor.cookie, 'x-forwarded-for': '127.6.0.1' }
  const response = await fetch(`${base}/web/account.json`, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function customer() {
  const owner = await signUp(site)
  const accountId = (await owner.visitor.call('me')).account?.id as AccountId
  const database = installation.slots.databaseOf(slotOfAccount(accountId))
  await credit(database, accountId, 10_000_000 as MicroAmount)
  await database.query('UPDATE accounts SET must_verify_phone = false WHERE id = $1', [accountId])
  const { serviceId, key } = await owner.visitor.call('create-service', {
    name: 'Shop',
    isTest: false,
    isMovingFromUcaller: false,
  })
  return { ...owner, accountId, database, key, bearer: { authorization: `Bearer ${key}.${serviceId}` } }
}

test('the owner downloads everything but keys, secrets and numbers; the others do not', async () => {
  const owner = await customer()
  const phone = freshNumber('180')
  const started = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: owner.bearer, body: { phone } })
  assert.equal(started.status, 200, started.text)
  await settled(base, owner, started.json['vendor_id'])
  for (const role of ['developer', 'accountant', 'viewer'] as const) {
    const other = await joinAs(site, owner.visitor, role)
    assert.equal((await download(other)).status, 403, role)
    assert.equal((await other.visitor.refused('close-account', { name: 'My shop' })).body.error, 'forbidden')
  }
  assert.equal((await fetch(`${base}/web/account.json`)).status, 401)
  const { status, headers, text } = await download(owner)
  assert.equal(status, 200, text)
  assert.equal(headers.get('content-disposition'), 'attachment; filename="account.json"')
  const { account, members, services, statement, log } = JSON.parse(text) as Exported
  const { balance } = await owner.visitor.call('balance')
  assert.deepEqual([account.balance, statement.closing], [balance, balance])
  assert.equal(statement.lines.reduce((sum, { change }) => sum + change, 0).toFixed(4), balance.toFixed(4))
  assert.deepEqual(members.map(({ role }) => role).toSorted(), ['accountant', 'developer', 'owner', 'viewer'])
  assert.equal(services[0]?.keys.length, 1)
  assert.ok(log.some(({ action }) => action === 'service created'))
  for (const secret of [
    phone,
    phone.slice(1),
    owner.key,
    owner.key.slice(0, 12),
    'whsec_',
    'digest',
    'sealed',
    password,
  ]) {
    assert.ok(!text.includes(secret), secret)
  }
})

test('closing needs the name; then keys end, services are archived, nothing changes any more and all can be read', async () => {
  const owner = await customer()
  assert.deepEqual((await owner.visitor.refused('close-account', { name: 'My shop 2' })).body, {
    error: 'invalid',
    fields: ['name'],
  })
  assert.equal((await ask(`${base}/v1.0/getBalance`, { headers: owner.bearer })).status, 200)
  await owner.visitor.call('close-account', { name: ' My shop ' })
  await poll('the key is refused', async () => {
    const { status } = await ask(`${base}/v1.0/getBalance`, { headers: owner.bearer })
    return status === 401 ? true : undefined
  })
  const again = await signIn(site, owner.email)
  assert.ok((await again.call('me')).account?.closedAt)
  const { services } = await again.call('services')
  assert.deepEqual(
    services.map(({ state, keys }) => [state, keys.length]),
    [['archived', 0]],
  )
  assert.equal((await again.call('balance')).balance, 10)
  const changes = Object.entries(webApi).filter(([, { verb, access }]) => verb === 'POST' && access.kind === 'member')
  assert.ok(changes.length > 20)
  for (const [name] of changes) {
    const { body } = await again.send(name as EndpointName, {})
    assert.deepEqual(body, { error: 'account-closed' }, name)
  }
  const { account } = JSON.parse((await download({ visitor: again })).text) as Exported
  assert.ok(account.closed)
  const id = String(owner.accountId)
  assert.match((await cli.run('services', 'create', '--account', id, '--name', 'New')).err, /is closed/)
  assert.equal(
    (await cli.run('accounts', 'debit', id, '10', '--reference', 'paid back', '--reason', 'closed')).status,
    0,
  )
  const reopen = () => cli.json<{ state_changed: boolean }>('accounts', 'set', id, '--state', 'active')
  assert.deepEqual([(await reopen()).state_changed, (await reopen()).state_changed], [true, false])
  await again.call('create-service', { name: 'New', isTest: true, isMovingFromUcaller: false })
})

test('services that are created while the account closes end with it', async () => {
  const owner = await customer()
  const create = (name: string) =>
    owner.visitor.send('create-service', { name, isTest: false, isMovingFromUcaller: false })
  const closing = owner.visitor.send('close-account', { name: 'My shop' })
  await Promise.all([create('One'), create('Two'), closing, create('Three')])
  assert.equal((await closing).status, 200)
  const { rows } = await owner.database.query(
    `SELECT s.id FROM services AS s WHERE s.account_id = $1
       AND (s.state <> 'archived' OR EXISTS (SELECT FROM api_keys AS k WHERE k.service_id = s.id))`,
    [owner.accountId],
  )
  assert.deepEqual(rows, [])
})
