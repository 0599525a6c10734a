import assert from 'node:assert/strict'
import { test } from 'node:test'
import { poll } from '../support/poll.ts'
import { install, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { startBotApi } from '../support/web/bot-api.ts'
import { password, signUp } from '../support/web/people.ts'
import { type BrowserVisitor, createVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const api = await startBotApi()
const settings = {
  RINGPROOF_MAIL_DIR: mailDir,
  RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
  RINGPROOF_TELEGRAM_TOKEN: api.token,
  RINGPROOF_TELEGRAM_API: api.url,
}
const { base, output } = await serve(await install(), settings, '--roles', 'api,web')
const site = { base, mailDir }

let people = 500
async function link(visitor: BrowserVisitor): Promise<number> {
  const telegramId = people++
  const { link: url } = await poll('the bot', () => visitor.call('start-telegram').catch(() => undefined))
  api.open(telegramId, url.split('?start=')[1] ?? '')
  assert.match(await api.nextMessageTo(telegramId, 0), /Done/)
  return telegramId
}

test('linked by a one-time link; the second step takes the code that was sent', async () => {
  const { visitor, email } = await signUp(site)
  const telegramId = await link(visitor)
  assert.equal((await visitor.call('security')).telegram.name, '@my_shop')

  const other = createVisitor(base)
  assert.equal((await other.call('sign-in', { email, password })).stage, 'second-step')
  assert.deepEqual((await other.call('me')).factors, ['telegram'])
  await other.call('send-telegram-code')
  const [code = ''] = /\d{6}/.exec(await api.nextMessageTo(telegramId, 1)) ?? []
  await other.call('second-step', { kind: 'telegram', code })
  assert.equal((await other.call('me')).stage, 'signed-in')

  const third = createVisitor(base)
  await third.call('sign-in', { email, password })
  assert.equal((await third.refused('second-step', { kind: 'telegram', code })).body.error, 'wrong-code')
})

test('the same update twice, or a link used twice, links once', async () => {
  const { visitor } = await signUp(site)
  const { link: url } = await visitor.call('start-telegram')
  const payload = url.split('?start=')[1] ?? ''
  api.open(901, payload, 2)
  assert.match(await api.nextMessageTo(901, 0), /Done/)
  api.open(902, payload)
  assert.match(await api.nextMessageTo(902, 0), /no longer works/)
  const { telegram } = await visitor.call('security')
  assert.equal(telegram.isOn, true)
})

test('a link is worth nothing once the session that asked for it has ended', async () => {
  const { visitor } = await signUp(site)
  const { link: url } = await visitor.call('start-telegram')
  await visitor.call('sign-out')
  api.open(903, url.split('?start=')[1] ?? '')
  assert.match(await api.nextMessageTo(903, 0), /no longer works/)
})

test('another code gives no more tries: the sixth is locked, also with the right code', async () => {
  const { visitor, email } = await signUp(site)
  const telegramId = await link(visitor)
  const other = createVisitor(base)
  await other.call('sign-in', { email, password })
  await other.call('send-telegram-code')
  const attempt = (code: string) => other.send('second-step', { kind: 'telegram', code })
  for (let n = 1; n <= 5; n++)
    assert.deepEqual((await attempt('000000')).body, { error: 'wrong-code', fields: ['code'] })
  await other.call('send-telegram-code')
  const [code = ''] = /\d{6}/.exec(await api.nextMessageTo(telegramId, 2)) ?? []
  assert.deepEqual((await attempt(code)).body, { error: 'throttled', retryAfter: 600 })
})

test('the token of the bot is in no log line, whatever Telegram responds', async () => {
  const { visitor, email } = await signUp(site)
  await link(visitor)
  const other = createVisitor(base)
  await other.call('sign-in', { email, password })
  // The description of the failure contains the URL.
  api.fail = 401
  assert.equal((await other.refused('send-telegram-code')).body.error, 'unavailable')
  await poll('a warning', () => output().includes('telegram not reached'))
  assert.ok(output().includes('no /bot***'))
  assert.ok(!output().includes('canaryToken'))
  api.fail = 200
})
