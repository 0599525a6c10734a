// A person who belongs to two accounts, with a tab open for each: what one tab does never ends up in the account of the other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { words as services } from '../../web/src/dashboard/services/words.en.ts'
import { startChromium } from '../support/browser/chromium.ts'
import { install, serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { signInAt, wide } from '../support/web/journey.ts'
import { password, signUp } from '../support/web/people.ts'
import { sitDown } from '../support/web/person.ts'
import { createVisitor, letterTo, tokenIn } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serveProcess(await install(), settings, '--roles', 'api,web')
const url = base.replace('127.0.0.1', 'localhost')
const browser = await startChromium()

test('a tab whose account was left in another tab changes nothing and goes to the account that is open now', async () => {
  const [first, { visitor, email }] = [await signUp({ base, mailDir }), await signUp({ base, mailDir })]
  await first.visitor.call('set-account', { name: 'Second account' })
  await first.visitor.call('invite-member', { email, role: 'owner', language: 'en' })
  const token = tokenIn(await letterTo(mailDir, email, /^Join/))
  await createVisitor(base).call('accept-invitation', { token, password, name: '', language: 'en' })
  const { accounts } = await visitor.call('me')
  const other = accounts.find(({ name }) => name === 'Second account')
  assert(other)

  const person = await sitDown(browser, url, wide)
  const { page, fill, press, button } = person
  await signInAt(person, '/dashboard/services', email)
  await press(button(services.create).first())
  await fill(page.getByLabel(services.name, { exact: true }), 'For the first account')

  const tab = await page.context().newPage()
  await tab.goto('/dashboard/services')
  await tab.locator('h1').waitFor()
  await tab.evaluate(async (accountId) => {
    const headers = { 'content-type': 'application/json' }
    await fetch('/web/choose-account', { method: 'POST', headers, body: JSON.stringify({ accountId }) })
  }, other.id)

  const refused = page.waitForResponse((response) => response.url().endsWith('/web/create-service'))
  await press(button(services.make))
  assert.equal((await refused).status(), 409)
  await page.getByText('Second account').first().waitFor()
  assert.deepEqual((await first.visitor.call('services')).services, [])
  assert.deepEqual((await visitor.call('services')).services, [])
  await person.close()
})
