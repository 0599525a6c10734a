import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createAccount } from '../../server/src/actions/accounts/accounts.ts'
import { createService, listServices, showService } from '../../server/src/actions/accounts/services.ts'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { listAccounts, nextAccountId, reserveEmail } from '../../server/src/db/accounts/account.ts'
import { createSlotMap } from '../../server/src/db/core/slot-map.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import {
  type AccountId,
  globalSlot,
  numberedId,
  type Slot,
  slotOfAccount,
  slotOfService,
  slotsAll,
} from '../../server/src/domain/core/slot.ts'
import { unseal } from '../../server/src/domain/crypto/sealing.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { atEnd } from '../support/at-end.ts'
import { testDatabase } from '../support/database/test-database.ts'
import { freshKey, keyRing } from '../support/key-ring.ts'

// Two databases of 32 slots each: nothing here may assume that there is only one.
const databases = [await testDatabase(), await testDatabase()] as const
const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, databases[slot < 32 ? 0 : 1].url])))
atEnd(() => slots.close())
const recordKeys = keyRing([1, freshKey()])
const deps = { slots, recordKeys, randomBytes, newServiceCaps: noCaps }
const actor = { address: '127.0.0.1', userAgent: 'test', operator: 'test' }
const create = (email: string, draw: (bytes: number) => Uint8Array = randomBytes) =>
  createAccount({ slots, randomBytes: draw }, actor, { email, balance: 1_000_000 as MicroAmount, tariff: 'uni' })

test('an account and its services are in the database of their slot', async () => {
  for (const slot of [0, 31, 32, 63] as Slot[]) {
    const id = await create(`slot-${slot}@example.org`, () => Buffer.from([slot]))
    assert.equal(slotOfAccount(id), slot)
    const { serviceId } = await createService(deps, actor, { accountId: id, name: 'Shop' })
    assert.equal(slotOfService(serviceId), slot)
    const [own, other] = slot < 32 ? slots.databases : slots.databases.toReversed()
    for (const [database, count] of [
      [own, 1],
      [other, 0],
    ] as const) {
      const found = await database?.query('SELECT FROM services WHERE id = $1', [serviceId])
      assert.equal(found?.rowCount, count)
    }
  }
  assert.deepEqual((await auditLedger(deps)).faults, [])
})

test('reading one account or service works while the other database is down', async () => {
  const accountId = await create('own@example.org', () => Buffer.from([7]))
  const { serviceId } = await createService(deps, actor, { accountId, name: ' Shop ' })
  // The other database is unreachable.
  const nowhere = new Map(
    slotsAll.map((slot) => [slot, slot < 32 ? databases[0].url : 'postgres://nobody@127.0.0.1:1/x']),
  )
  const half = createSlotMap(nowhere)
  try {
    const shown = await showService({ slots: half }, serviceId)
    for (const { id, settings } of [...(await listServices({ slots: half }, accountId)), shown.service]) {
      assert.deepEqual([id, settings.name], [serviceId, 'Shop'])
    }
    const another = numberedId(999, slotOfAccount(accountId)) as AccountId
    assert.deepEqual(await listServices({ slots: half }, another), [])
    await assert.rejects(listServices({ slots: half }, undefined), /ECONNREFUSED/)
  } finally {
    await half.close()
  }
})

test('an email address gets one account over both databases, under concurrent requests', async () => {
  const before = (await listAccounts(deps.slots.databases)).length
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => create(' Same@Example.org ')))
  const made = asked.filter(({ status }) => status === 'fulfilled')
  assert.equal(made.length, 1)
  for (const result of asked) {
    if (result.status === 'rejected') assert.match(String(result.reason), /same@example\.org already has an account/)
  }
  const accounts = await listAccounts(deps.slots.databases)
  assert.equal(accounts.length, before + 1)
  assert.equal(accounts.find(({ email }) => email === 'same@example.org')?.balance, 1_000_000)
})

test('an email address reserved before a crash is reused by the next attempt', async () => {
  const reserved = await nextAccountId(slots.databaseOf(globalSlot), globalSlot)
  await reserveEmail(slots.globalDatabase, 'crash@example.org', reserved)
  assert.equal(await create('crash@example.org', () => Buffer.from([40])), reserved)
  await assert.rejects(create('crash@example.org'), new RegExp(`already has an account: ${reserved}`))
})

test('API keys and webhook secrets are not stored in clear text', async () => {
  const accountId = await create('clear@example.org')
  const { serviceId, key, webhookSecret } = await createService(deps, actor, { accountId, name: 'Shop' })
  const database = slots.databaseOf(slotOfService(serviceId))
  const { rows } = await database.query<{ sealed: Buffer }>(
    'SELECT webhook_secret_sealed AS sealed FROM services WHERE id = $1',
    [serviceId],
  )
  assert.equal(unseal(recordKeys, 'webhook-secret', serviceId, rows[0]?.sealed ?? Buffer.alloc(0)), webhookSecret)
  for (const table of ['services', 'api_keys', 'action_log']) {
    const found = await database.query<{ text: string }>(`SELECT row_to_json(t)::text AS text FROM ${table} AS t`)
    const all = found.rows.map(({ text }) => text).join('\n')
    assert(all.includes(String(serviceId)), 'the search does not find stored text')
    for (const secret of [key, webhookSecret, webhookSecret.slice(6)]) assert(!all.includes(secret), table)
    assert(!all.includes(Buffer.from(key).toString('hex')) && !all.includes(Buffer.from(webhookSecret).toString('hex')))
  }
})
