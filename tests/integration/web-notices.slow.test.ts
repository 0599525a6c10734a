// Notices: two keepers write to the people of an account, once for each condition, over the channels that a person has left on.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebInput } from '@ringproof/contract/web/api.ts'
import { type AccountId, slotOfAccount } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { credit } from '../support/database/credit.ts'
import { createReceiverToTheEnd, verified } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { startBotApi } from '../support/web/bot-api.ts'
import { joinAs, type Person, password, signUp } from '../support/web/people.ts'
import { createVisitor, letters, letterTo } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const bot = await startBotApi()
// A round takes 1.5 s.
const installation = await installPhones(0.005)
const settings = {
  RINGPROOF_MAIL_DIR: mailDir,
  RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
  RINGPROOF_TELEGRAM_TOKEN: bot.token,
  RINGPROOF_TELEGRAM_API: bot.url,
}
const { base } = await serve(installation, settings, '--roles', 'api,web')
const keepers = await Promise.all([1, 2].map(() => serve(installation, settings, '--roles', 'keeper')))
const site = { base, mailDir }
const receiver = await createReceiverToTheEnd()
const { globalDatabase } = installation.slots

type Owner = Person & { readonly accountId: AccountId }

async function newOwner(): Promise<Owner> {
  const person = await signUp(site)
  const { account } = await person.visitor.call('me')
  return { ...person, accountId: account?.id as AccountId }
}

const databaseOf = (accountId: AccountId) => installation.slots.databaseOf(slotOfAccount(accountId))

// It spent seven in the last week and has one left: less than three days.
async function makeLow({ accountId }: Owner, balance = 1_000_000): Promise<void> {
  await credit(databaseOf(accountId), accountId, balance as MicroAmount)
  await count(accountId, 1, { table: 'call_hours', calls: 10, state: 'succeeded', charged: 7_000_000 })
}

type Counted = {
  readonly table: 'call_hours' | 'call_minutes'
  readonly calls: number
  readonly state: 'succeeded' | 'failed'
  readonly charged: number
}

async function count(accountId: AccountId, serviceId: number, counted: Counted): Promise<void> {
  const { table, calls, state, charged } = counted
  const at = table === 'call_hours' ? `date_trunc('hour', clock_timestamp()) - interval '2 hours'` : 'clock_timestamp()'
  await databaseOf(accountId).query(
    `INSERT INTO ${table} VALUES (${at}, $1, $2, 'flash', false, 'RU', '', '', $3, '', $4, 0, 0, 0, $5, NULL)`,
    [accountId, serviceId, state, calls, charged],
  )
}

async function newService({ visitor }: Owner): Promise<number> {
  const input = { name: 'Shop', isTest: false, isMovingFromUcaller: false }
  return (await visitor.call('create-service', input)).serviceId
}

function lettersTo(email: string, subject: RegExp): number {
  return letters(mailDir).filter((letter) => letter.to === email && subject.test(letter.subject)).length
}

// As many letters as were written until every condition that holds now has been announced: another account's, made later, is the
// mark.
async function lettersUntilNow(email: string, subject: RegExp): Promise<number> {
  for (let round = 0; round < 2; round++) {
    const mark = await newOwner()
    await makeLow(mark)
    await letterTo(mailDir, mark.email, low)
  }
  return lettersTo(email, subject)
}

const low = /balance is low/
const mute = (owner: Person, kind: WebInput<'set-notice'>['kind'], isOn = false) =>
  owner.visitor.call('set-notice', { kind, channel: 'email', isOn })

test('a low balance is written once to owners and accountants, by two keepers, and again after it had ended', async () => {
  const owner = await newOwner()
  const [accountant, developer] = [
    await joinAs(site, owner.visitor, 'accountant'),
    await joinAs(site, owner.visitor, 'developer'),
  ]
  await makeLow(owner)
  const letter = await letterTo(mailDir, owner.email, low)
  assert.match(letter.text, /₽1\.00 is left/)
  assert.match(letter.text, /\/dashboard\/balance/)
  await letterTo(mailDir, accountant.email, low)
  assert.equal(await lettersUntilNow(owner.email, low), 1)
  assert.deepEqual([lettersTo(accountant.email, low), lettersTo(developer.email, low)], [1, 0])
  // It ends with a payment, and is forgotten an hour later.
  await credit(databaseOf(owner.accountId), owner.accountId, 100_000_000 as MicroAmount)
  await globalDatabase.query(
    `UPDATE notice_conditions SET held_at = held_at - interval '2 hours' WHERE account_id = $1`,
    [owner.accountId],
  )
  await poll('the condition to be forgotten', async () => (await conditionsOf(owner)).length === 0)
  assert.equal(await lettersUntilNow(owner.email, low), 1)
  await databaseOf(owner.accountId).query('UPDATE accounts SET balance = 500000 WHERE id = $1', [owner.accountId])
  await poll('a second letter', () => lettersTo(owner.email, low) === 2)
})

async function conditionsOf({ accountId }: Owner): Promise<readonly string[]> {
  const { rows } = await globalDatabase.query<{ kind: string }>(
    'SELECT kind::text FROM notice_conditions WHERE account_id = $1',
    [accountId],
  )
  return rows.map(({ kind }) => kind)
}

test('what is switched off is not written; Telegram gets it all the same', async () => {
  const owner = await newOwner()
  const { link } = await poll('the bot', () => owner.visitor.call('start-telegram').catch(() => undefined))
  bot.open(700, link.split('?start=')[1] ?? '')
  await bot.nextMessageTo(700, 0)
  await mute(owner, 'low-balance')
  const { kinds, telegram } = await owner.visitor.call('notices')
  assert.deepEqual(
    kinds.map(({ email, telegram: byTelegram }) => [email, byTelegram]),
    [[false, true], ...Array.from({ length: 4 }, () => [true, true])],
  )
  assert.deepEqual(telegram, { isAvailable: true, isOn: true, name: '@my_shop' })
  await makeLow(owner)
  assert.match(await bot.nextMessageTo(700, 1), low)
  assert.equal(await lettersUntilNow(owner.email, low), 0)
  assert.equal(bot.messagesTo(700).length, 2)
  await mute(owner, 'low-balance', true)
  assert.equal((await owner.visitor.call('notices')).kinds[0]?.email, true)
})

test('a message that Telegram refuses is sent later, once', async () => {
  const owner = await newOwner()
  const { link } = await owner.visitor.call('start-telegram')
  bot.open(701, link.split('?start=')[1] ?? '')
  await bot.nextMessageTo(701, 0)
  bot.fail = 500
  try {
    await makeLow(owner)
    await poll('a refusal', () => keepers.some(({ output }) => output().includes('"notice not sent"')))
  } finally {
    bot.fail = 200
  }
  assert.match(await bot.nextMessageTo(701, 1), low)
  assert.equal(await lettersUntilNow(owner.email, low), 1)
  assert.equal(bot.messagesTo(701).length, 2)
  for (const { output } of keepers) assert(!output().includes('canaryToken'))
})

test('a sign-in from a new address or browser is written to the person, a known one is not', async () => {
  const owner = await newOwner()
  const developer = await joinAs(site, owner.visitor, 'developer')
  const subject = /new sign-in/
  const elsewhere = createVisitor(base)
  const oneAddress = { 'x-forwarded-for': '127.0.0.9' }
  const signIn = (headers = {}) =>
    elsewhere.send('sign-in', { email: owner.email, password }, { ...oneAddress, ...headers })
  await signIn()
  const letter = await letterTo(mailDir, owner.email, subject)
  assert.match(letter.text, /from 127\.0\.0\.9, 20\d\d-/)
  await elsewhere.call('sign-out')
  await signIn()
  await signIn({ 'user-agent': 'Firefox/150.0 (Linux)' })
  await poll('a letter for the new browser', () => lettersTo(owner.email, subject) === 2)
  assert.match((await letterTo(mailDir, owner.email, subject)).text, /Browser: Firefox, Linux\./)
  assert.equal(await lettersUntilNow(owner.email, subject), 2)
  assert.equal(lettersTo(developer.email, subject), 0)
})

test('failing webhooks, failing calls and an unused key are written to owners and developers, each once', async () => {
  const owner = await newOwner()
  const [developer, accountant] = [
    await joinAs(site, owner.visitor, 'developer'),
    await joinAs(site, owner.visitor, 'accountant'),
  ]
  const serviceId = await newService(owner)
  const database = databaseOf(owner.accountId)
  await count(owner.accountId, serviceId, { table: 'call_minutes', calls: 8, state: 'succeeded', charged: 0 })
  await count(owner.accountId, serviceId, { table: 'call_minutes', calls: 22, state: 'failed', charged: 0 })
  await insertWebhook(owner.accountId, serviceId, 1, 'dead')
  await database.query(
    `UPDATE api_keys SET created_at = clock_timestamp() - interval '31 days', last_used_at = NULL WHERE service_id = $1`,
    [serviceId],
  )
  const subjects = [/many calls fail/, /webhooks do not arrive/, /key is not used/]
  for (const subject of subjects) {
    for (const { email } of [owner, developer]) {
      const { text } = await letterTo(mailDir, email, subject)
      assert.match(text, /Shop/)
    }
  }
  await lettersUntilNow(owner.email, low)
  for (const subject of subjects) {
    const counts = [owner, developer, accountant].map(({ email }) => lettersTo(email, subject))
    assert.deepEqual(counts, [1, 1, 0])
  }
  assert.match((await letterTo(mailDir, owner.email, /many calls fail/)).text, /22 of the last 30 calls/)
  // A later webhook arrives, the key is used, and calls succeed: nothing holds any more.
  await insertWebhook(owner.accountId, serviceId, 2, 'delivered')
  await count(owner.accountId, serviceId, { table: 'call_minutes', calls: 100, state: 'succeeded', charged: 0 })
  await database.query('UPDATE api_keys SET last_used_at = clock_timestamp() WHERE service_id = $1', [serviceId])
  const { rows } = await database.query('SELECT FROM find_notice_conditions() WHERE account_id = $1', [owner.accountId])
  assert.equal(rows.length, 0)
})

async function insertWebhook(
  accountId: AccountId,
  serviceId: number,
  nth: number,
  state: 'dead' | 'delivered',
): Promise<void> {
  await databaseOf(accountId).query(
    `INSERT INTO webhooks (id, service_id, is_test, state, reason, callback_sealed, receiver_digest, confirmation_number, vault_name,
       number_until, ended_at)
     VALUES (next_id($1 % 64) + $2, $3, false, $4, $5, '', '', 70000100001, '', clock_timestamp(), clock_timestamp())`,
    [accountId, nth, serviceId, state, state === 'dead' ? 'given-up' : null],
  )
}

test('a few failures, a service that always failed, and a busy account with money are not announced', async () => {
  const owner = await newOwner()
  const serviceId = await newService(owner)
  await makeLow(owner, 100_000_000)
  await count(owner.accountId, serviceId, { table: 'call_hours', calls: 100, state: 'failed', charged: 0 })
  await count(owner.accountId, serviceId, { table: 'call_minutes', calls: 30, state: 'failed', charged: 0 })
  const other = await newOwner()
  const otherService = await newService(other)
  await count(other.accountId, otherService, { table: 'call_minutes', calls: 19, state: 'failed', charged: 0 })
  for (const { accountId } of [owner, other]) {
    const { rows } = await databaseOf(accountId).query('SELECT FROM find_notice_conditions() WHERE account_id = $1', [
      accountId,
    ])
    assert.equal(rows.length, 0)
  }
})

test('the receiver of an account gets signed notices until it is removed, and only what is left on', async () => {
  const owner = await newOwner()
  const url = `${receiver.url}/notices?token=canary-of-the-url`
  const { secret } = await owner.visitor.call('set-notice-webhook', { url })
  type Body = { readonly kind: string; readonly account_id: number; readonly details: { readonly balance?: number } }
  const bodies = () => receiver.received.map((one) => verified(secret, one) as unknown as Body)
  const developer = await joinAs(site, owner.visitor, 'developer')
  const accountant = await joinAs(site, owner.visitor, 'accountant')
  for (const { visitor } of [owner, developer]) await visitor.call('test-notice', { channel: 'webhook' })
  assert.equal((await accountant.visitor.refused('test-notice', { channel: 'webhook' })).status, 403)
  await makeLow(owner)
  await receiver.count(3)
  const [, , first] = bodies()
  assert.deepEqual([first?.kind, first?.account_id, first?.details.balance], ['low-balance', owner.accountId, 1])
  const elsewhere = createVisitor(base)
  await elsewhere.call('sign-in', { email: owner.email, password })
  assert.equal(await lettersUntilNow(owner.email, low), 1)

  // Muted, then removed: nothing more comes.
  const other = { kind: 'key-unused', channel: 'webhook' } as const
  assert.equal((await accountant.visitor.refused('set-notice', { ...other, isOn: false })).status, 403)
  await developer.visitor.call('set-notice', { ...other, isOn: false })
  const { kinds, webhook } = await owner.visitor.call('notices')
  assert.deepEqual(webhook, { isOn: true, host: new URL(receiver.url).host })
  assert.deepEqual(
    kinds.map((kind) => kind.webhook),
    [true, true, true, false, false],
  )
  const serviceId = await newService(owner)
  await databaseOf(owner.accountId).query(
    `UPDATE api_keys SET created_at = clock_timestamp() - interval '31 days' WHERE service_id = $1`,
    [serviceId],
  )
  await letterTo(mailDir, owner.email, /key is not used/)
  await owner.visitor.call('set-notice-webhook', { url: '' })
  await insertWebhook(owner.accountId, serviceId, 1, 'dead')
  await letterTo(mailDir, owner.email, /webhooks do not arrive/)
  assert.equal(await lettersUntilNow(owner.email, low), 1)
  assert.deepEqual(
    bodies().map(({ kind }) => kind),
    ['test', 'test', 'low-balance'],
  )
  assert.equal((await owner.visitor.refused('set-notice-webhook', { url: 'http://192.168.0.1/' })).status, 400)
  const { rows } = await globalDatabase.query<{ text: string }>('SELECT w::text AS text FROM notice_webhooks AS w')
  const texts = [...keepers.map(({ output }) => output()), ...rows.map(({ text }) => text)].join()
  for (const canary of ['canary-of-the-url', secret]) assert(!texts.includes(canary))
})

test('a test goes to the person who asks, and says if the channel does not work', async () => {
  const owner = await newOwner()
  await owner.visitor.call('test-notice', { channel: 'email' })
  assert.equal(lettersTo(owner.email, /This is a test/), 1)
  assert.equal((await owner.visitor.refused('test-notice', { channel: 'telegram' })).status, 400)
  const { link } = await owner.visitor.call('start-telegram')
  bot.open(702, link.split('?start=')[1] ?? '')
  await bot.nextMessageTo(702, 0)
  await owner.visitor.call('test-notice', { channel: 'telegram' })
  assert.match(await bot.nextMessageTo(702, 1), /This is a test/)
  bot.fail = 500
  try {
    assert.equal((await owner.visitor.refused('test-notice', { channel: 'telegram' })).status, 503)
  } finally {
    bot.fail = 200
  }
})
