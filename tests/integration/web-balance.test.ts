// Money in the dashboard: the statement adds up to the balance, and every charge names its verification.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountId, slotOfAccount } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { credit } from '../support/database/credit.ts'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { joinAs, signUp } from '../support/web/people.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.05)
const settings = {
  RINGPROOF_MAIL_DIR: mailDir,
  RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
}
const { base } = await serve(installation, settings)
const site = { base, mailDir }
const { visitor } = await signUp(site)

test('charges and payments add up to the balance, and each charge opens its verification', async () => {
  const { account } = await visitor.call('me')
  const accountId = account?.id as AccountId
  const database = installation.slots.databaseOf(slotOfAccount(accountId))
  await credit(database, accountId, 10_000_000 as MicroAmount)
  await database.query('UPDATE accounts SET must_verify_phone = false WHERE id = $1', [accountId])
  const { serviceId, key } = await visitor.call('create-service', {
    name: 'Shop',
    isTest: false,
    isMovingFromUcaller: false,
  })
  const bearer = { authorization: `Bearer ${key}.${serviceId}` }
  const ids: unknown[] = []
  for (const scenario of ['180', '404', '586']) {
    const body = { phone: freshNumber(scenario) }
    const started = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: bearer, body })
    assert.equal(started.status, 200, started.text)
    await settled(base, { bearer }, started.json['vendor_id'])
    ids.push(started.json['vendor_id'])
  }
  const shown = await visitor.call('balance')
  assert.equal(shown.balance, 9.2)
  assert.equal(shown.closing, 9.2)
  assert.equal(shown.lines.reduce((sum, { change }) => sum + change, shown.opening).toFixed(6), '9.200000')
  assert(shown.prices.some(({ kind, country, price }) => kind === 'flash' && country === 'RU' && price === 0.4))
  const day = shown.lines.at(-1)?.day ?? ''
  const { lines } = await visitor.call('ledger-lines', { day })
  const charges = lines.filter(({ move }) => move === 'capture')
  assert.deepEqual(
    charges.map(({ id, change }) => [id, change]),
    [
      [ids[2], -0.4],
      [ids[0], -0.4],
    ],
  )
  for (const { id, change } of charges) {
    const verification = await visitor.call('verification', { id: String(id) })
    assert.equal(verification.charged, -change)
    assert.deepEqual(
      verification.ledger.map(({ kind }) => kind),
      ['held', 'captured'],
    )
  }
  const failed = await visitor.call('verification', { id: String(ids[1]) })
  assert.deepEqual(
    [failed.charged, failed.ledger.map(({ kind }) => kind), failed.atFault],
    [0, ['held', 'released'], 'subscriber'],
  )
  assert.equal(lines.reduce((sum, { change }) => sum + change, 0).toFixed(6), '9.200000')
})

test('an accountant sees the money, a stranger nothing of it', async () => {
  const accountant = await joinAs(site, visitor, 'accountant')
  assert.equal((await accountant.visitor.call('balance')).balance, 9.2)
  const stranger = await signUp(site)
  const { balance, lines } = await stranger.visitor.call('balance')
  assert.deepEqual([balance, lines], [0, []])
})

test('a month or day that is none is refused', async () => {
  assert.equal((await visitor.refused('balance', { month: '2026-13' })).body.error, 'invalid')
  assert.equal((await visitor.refused('ledger-lines', { day: '2026-02-31x' })).body.error, 'invalid')
})
