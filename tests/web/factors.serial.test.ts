// Each second factor in a real browser: switched on, signed out, signed in with it. The passkey comes from Chromium's virtual
// authenticator, Telegram's messages from a Bot API on this machine.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOfStep } from '../../server/src/domain/people/totp.ts'
import { startChromium } from '../support/browser/chromium.ts'
import { poll } from '../support/poll.ts'
import { install, serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { startBotApi } from '../support/web/bot-api.ts'
import { typePassword } from '../support/web/journey.ts'
import { fromBase32 } from '../support/web/people.ts'
import { type Person, sitDown } from '../support/web/person.ts'
import { letterTo, tokenIn } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const api = await startBotApi()
const settings = {
  RINGPROOF_MAIL_DIR: mailDir,
  RINGPROOF_TELEGRAM_TOKEN: api.token,
  RINGPROOF_TELEGRAM_API: api.url,
}
const served = await serveProcess(await install(), settings, '--roles', 'api,web')
// Passkeys need a name, not an address.
const base = served.base.replace('127.0.0.1', 'localhost')
const browser = await startChromium()
const password = 'tidal lamp on wheels'

test('authenticator app: on, sign out, sign in with its code', async () => {
  const person = await newAccount('totp@example.org', 'en', 1280, true)
  const { page, words, press, button } = person
  await page.goto('/dashboard/account/security')
  await press(button(words.account.setUp).first())
  const secret =
    (await page
      .getByText(/^[A-Z2-7 ]{32,}$/)
      .first()
      .textContent()) ?? ''
  const bytes = fromBase32(secret.replaceAll(' ', ''))
  const step = Math.floor(Date.now() / 30_000)
  await typeCode(person, codeOfStep(bytes, step - 1))
  await press(button(words.account.confirm))
  await press(page.getByText(words.account.codesStored))
  await press(button(words.shell.done))
  await signOutAndIn(person, 'totp@example.org')
  await page.getByText(words.sign.second.title).waitFor()
  await typeCode(person, codeOfStep(bytes, step))
  await press(button(words.sign.second.confirm))
  await isIn(person)
  assert.deepEqual(person.faults, [])
  await person.close()
})

test('passkey: on, sign out, sign in with it as the second step and alone', async () => {
  const person = await newAccount('passkey@example.org', 'ru', 390, true)
  const { page, words, press, fill, button } = person
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto('/dashboard/account/security')
  await press(button(words.account.addPasskey))
  await fill(page.getByLabel(words.account.passkeyName), 'Laptop')
  await press(page.getByRole('dialog').getByRole('button', { name: words.account.addPasskey }))
  await page.getByText('Laptop').first().waitFor()
  await signOutAndIn(person, 'passkey@example.org')
  await press(button(words.sign.second.ask))
  await isIn(person)
  await signOut(person)
  await press(button(words.sign.signIn.passkey))
  await isIn(person)
  assert.deepEqual(person.faults, [])
  await person.close()
})

test('Telegram: on, sign out, sign in with the code of the message', async () => {
  const person = await newAccount('telegram@example.org', 'en', 1280, true)
  const { page, words, press, button } = person
  await page.goto('/dashboard/account/security')
  await press(button(words.account.link))
  const link = page.getByRole('link', { name: words.account.openBot })
  const url = (await link.getAttribute('href')) ?? ''
  api.open(777, url.split('?start=')[1] ?? '')
  await page.getByText(words.account.telegramOn('@my_shop')).waitFor()
  await signOutAndIn(person, 'telegram@example.org')
  const code = await poll('the code', () => /\d{6}/.exec(api.messagesTo(777).at(-1) ?? '')?.[0])
  await typeCode(person, code)
  await press(button(words.sign.second.confirm))
  await isIn(person)
  assert.deepEqual(person.faults, [])
  await person.close()
})

async function newAccount(email: string, language: 'en' | 'ru', width: 1280 | 390, hasMouse: boolean): Promise<Person> {
  const theme = language === 'en' ? 'light' : 'dark'
  const person = await sitDown(browser, base, { language, theme, width, hasMouse })
  const { page, words, press, fill, button } = person
  await page.goto('/dashboard/sign-up')
  await fill(page.getByLabel(words.sign.signUp.name, { exact: true }), 'My shop')
  await fill(page.getByLabel(words.sign.email, { exact: true }), email)
  await fill(page.getByLabel(words.sign.password, { exact: true }), password)
  await press(button(words.sign.signUp.button))
  await page.getByText(words.sign.mail.title).waitFor()
  await page.goto(`/dashboard/confirm#token=${tokenIn(await letterTo(mailDir, email, /./))}`)
  await page.waitForURL('**/start')
  return person
}

async function isIn({ page }: Person): Promise<void> {
  await page.locator('nav').filter({ visible: true }).first().waitFor()
}

// From a page that reads nothing: what the dashboard still loads would be refused meanwhile.
async function signOut({ page }: Person): Promise<void> {
  await page.goto('/dashboard/forgot')
  await page.locator('h1').waitFor()
  await page.evaluate(
    `fetch('/web/sign-out', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })`,
  )
  await page.goto('/dashboard/sign-in')
}

async function signOutAndIn(person: Person, email: string): Promise<void> {
  await signOut(person)
  await typePassword(person, email)
}

async function typeCode({ page, words, fill }: Person, code: string): Promise<void> {
  for (const [n, digit] of [...code].entries()) {
    await fill(page.getByLabel(words.shell.digit(n + 1, 6)).filter({ visible: true }), digit)
  }
}
