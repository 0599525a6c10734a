// The first five minutes of a developer, in a real browser against the demo: twice, in both languages and themes, on a wide and
// on a narrow screen, with the mouse and with the keyboard alone. Each screen is checked as it is passed, and pictured.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { watchMachine } from '../../scripts/costs/quiet.ts'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd, verified } from '../support/http/webhook-receiver.ts'
import { startDemo } from '../support/web/demo.ts'
import { looks, wide } from '../support/web/journey.ts'
import { type Person, sitDown } from '../support/web/person.ts'
import { letterTo, tokenIn } from '../support/web/visitor.ts'

const verifiedSeconds = 30
const demo = await startDemo()
const browser = await startChromium()
const pictures = join(import.meta.dirname, '../../.cache/web-journeys')
mkdirSync(pictures, { recursive: true })
const password = 'tidal lamp on wheels'

for (const look of looks) {
  const name = `${look.language}, ${look.theme}, ${look.width} px, ${look.hasMouse ? 'mouse' : 'keyboard alone'}`

  test(`from sign-up to "Verified" within 30 s, and a call that fails: ${name}`, async () => {
    const person = await sitDown(browser, demo.url, look)
    const { page, words, press, button } = person
    const email = `journey-${look.language}@example.org`
    // The runner, to whose family the demo belongs.
    const { checkBar } = watchMachine(process.ppid)
    const startedMs = performance.now()
    await signUp(person, email)
    await person.fill(page.getByLabel(words.start.name, { exact: true }), 'My shop')
    await press(button(words.start.create))
    const key = await page
      .getByText(/^rp[A-Za-z0-9]{30}$/)
      .first()
      .textContent()
    assert.match(key ?? '', /^rp/)

    await press(button(words.start.run))
    const digits = page.locator('strong', { hasText: /^\d{4}$/ }).filter({ visible: true })
    const code = (await digits.first().textContent()) ?? ''
    await check(person, `start-${look.language}`)
    for (const [n, digit] of [...code].entries()) {
      await person.fill(page.getByLabel(words.shell.digit(n + 1, 4)).filter({ visible: true }), digit)
    }
    const isVerified = page.getByText(new RegExp(`${code}.*\\d`)).filter({ hasText: /Verified|Проверено/ })
    await isVerified.first().waitFor()
    const bar = checkBar(`Sign-up to "Verified", ${name},`, (performance.now() - startedMs) / 1_000, verifiedSeconds)
    process.stdout.write(`${bar.sentence}\n`)
    assert.ok(bar.isKept, bar.sentence)

    await press(page.getByRole('button', { name: /79000000002/ }))
    // The reason, and that it cost nothing.
    await page
      .getByText(/Not charged|не списаны/)
      .filter({ visible: true })
      .first()
      .waitFor()
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}

test('the dial pad calls a confirmation number over SIP, and a signed webhook arrives', async () => {
  const person = await sitDown(browser, demo.url, wide)
  const { page, words, press, button } = person
  await signIn(person, demo.user.email, demo.user.password)
  await page.goto('/dashboard/test/phones')
  const handset = page.getByRole('button', { name: /7900 000 [1-9]\d{3}/ }).first()
  const number = ((await handset.textContent()) ?? '').replaceAll(/\D/g, '').slice(0, 11)
  const receiver = await createReceiverToTheEnd()
  const asked = await ask(`${demo.url}/v1.0/inboundCallWaiting`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.testKey}.${demo.testServiceId}` },
    body: { phone: number, callback_url: `${receiver.url}/hook` },
  })
  assert.equal(asked.status, 200, asked.text)
  const called = String(asked.json['confirmation_number'])
  await press(handset)
  await page.getByLabel(words.phones.dialled).fill(called)
  await press(button(words.phones.call))
  await receiver.count(1)
  const [webhook] = receiver.received
  assert(webhook)
  // Throws unless the signature is right.
  verified(demo.testWebhookSecret, webhook)
  await check(person, 'phones-inbound')
  assert.deepEqual(person.faults, [])
  await person.close()
})

test('an operator signs in with a second step and names the installation', async () => {
  const person = await sitDown(browser, demo.url, wide)
  const { page, words, press, fill, button } = person
  await signIn(person, demo.operator.email, demo.operator.password)
  await press(page.getByRole('button', { name: words.sign.second.ways.recovery }))
  await fill(page.getByLabel(words.sign.second.recovery, { exact: true }), demo.operator.recoveryCodes[5] ?? '')
  await press(button(words.sign.second.confirm))
  await page.waitForURL('**/console/**')
  await press(page.getByRole('link', { name: words.shell.nav.system, exact: true }))
  await press(page.getByRole('link', { name: words.system.tabs.company, exact: true }))
  const name = page.getByLabel(words.system.name, { exact: true })
  await name.fill('Example Telecom')
  // How customers pay is saved by other forms.
  await press(page.locator('form').filter({ has: name }).getByRole('button', { name: words.shell.save }))
  await page.getByText(words.system.saved).waitFor()
  await check(person, 'console-system')
  await page.goto('/dashboard/sign-in')
  assert.deepEqual(person.faults, [])
  await person.close()
})

async function signUp(person: Person, email: string): Promise<void> {
  const { page, words, press, fill, button } = person
  await page.goto('/dashboard/sign-up')
  await fill(page.getByLabel(words.sign.signUp.name, { exact: true }), 'My shop')
  await fill(page.getByLabel(words.sign.email, { exact: true }), email)
  await fill(page.getByLabel(words.sign.password, { exact: true }), password)
  await check(person, `sign-up-${person.look.language}`)
  await press(button(words.sign.signUp.button))
  await page.getByText(words.sign.mail.title).waitFor()
  const token = tokenIn(await letterTo(demo.mailDir, email, /./))
  await page.goto(`/dashboard/confirm#token=${token}`)
  await page.waitForURL('**/start')
}

async function signIn({ page, words, press, fill, button }: Person, email: string, secret: string): Promise<void> {
  await page.goto('/dashboard/sign-in')
  await fill(page.getByLabel(words.sign.email, { exact: true }), email)
  await fill(page.getByLabel(words.sign.password, { exact: true }), secret)
  await press(button(words.sign.next))
  await page
    .getByText(words.sign.second.title)
    .or(page.locator('nav').filter({ visible: true }))
    .first()
    .waitFor()
}

// What web.md asks of each screen: no violation of accessibility, no sideways scroll.
async function check({ page, look }: Person, name: string): Promise<void> {
  await page.screenshot({ path: join(pictures, `${name}-${look.theme}-${look.width}.png`) })
  assert.deepEqual(await violationsOf(page), [], name)
  const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
  assert.ok(overflow <= 0, `${name} scrolls sideways by ${overflow} px`)
}
