// Every screen of dashboard and console has something to show in the demo. Prints which, and pictures each in .cache/web-journeys/.
// Draws the pictures of the documentation, too, where they are not there: delete one to have it drawn again. Beside each stands what the
// screen said then, so that a picture of another screen than today's is noticed.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { startDemo } from '../support/web/demo.ts'
import { wide } from '../support/web/journey.ts'
import { type Person, sitDown } from '../support/web/person.ts'

const demo = await startDemo()
const browser = await startChromium()
const pictures = join(import.meta.dirname, '../../.cache/web-journeys')
mkdirSync(pictures, { recursive: true })
const screenshots = join(import.meta.dirname, '../../docs/screenshots')
const documented = { 'dashboard-start': '/dashboard/test/start' } as const

type Audience = 'dashboard' | 'console'
const screensMin = { dashboard: 11, console: 15 } as const

for (const audience of ['dashboard', 'console'] as const) {
  test(`every screen of the ${audience} has something to show`, async (t) => {
    const person = await sitDown(browser, demo.url, wide)
    await signIn(person, audience)
    const empty: string[] = []
    const addresses = await menuOf(person, audience)
    assert.ok(addresses.length >= screensMin[audience], addresses.join())
    for (const address of addresses) {
      const { title, nothing } = await look(person, address)
      t.diagnostic(`${address}: ${title}`)
      if (nothing !== '') empty.push(`${address}: ${nothing}`)
    }
    assert.deepEqual(empty, [])
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}

test('the pictures of the documentation show the screens of today', async (t) => {
  const person = await sitDown(browser, demo.url, wide)
  await signIn(person, 'dashboard')
  for (const [name, address] of Object.entries(documented)) {
    const [picture, said] = [join(screenshots, `${name}.png`), join(screenshots, `${name}.json`)]
    await person.page.goto(address)
    await person.page.locator('h1').first().waitFor()
    await person.page.waitForLoadState('networkidle').catch(() => undefined)
    const shown = await person.page.locator('nav a, h1, h2').filter({ visible: true }).allInnerTexts()
    // Without figures, which change by themselves.
    const lines = shown.map((text) => text.replaceAll(/[\s\d.,/₽]+/g, ' ').trim())
    if (!existsSync(picture)) {
      await person.page.screenshot({ path: picture })
      writeFileSync(said, `${JSON.stringify(lines, undefined, 2)}\n`)
      t.diagnostic(`drawn: ${name}`)
    }
    assert.deepEqual(
      lines,
      JSON.parse(readFileSync(said, 'utf8')),
      `${name} shows another screen: delete it and run this again`,
    )
  }
  await person.close()
})

async function menuOf({ page }: Person, audience: Audience): Promise<readonly string[]> {
  await page.goto(audience === 'console' ? '/console/wallboard' : '/dashboard/overview')
  const links = page.locator(`nav a[href^="/${audience}/"]`).filter({ visible: true })
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle').catch(() => undefined)
  const addresses = await Promise.all((await links.all()).map((link) => link.getAttribute('href')))
  return [...new Set(addresses.map((address) => address ?? ''))]
}

async function look({ page }: Person, address: string) {
  await page.goto(address)
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.screenshot({ path: join(pictures, `demo${address.replaceAll('/', '-')}.png`), fullPage: true })
  const title = (await page.locator('h1').first().textContent()) ?? ''
  const nothing = await page.locator('[data-nothing]').allTextContents()
  return { title, nothing: nothing.join('; ') }
}

async function signIn({ page, words, press, fill, button }: Person, audience: Audience): Promise<void> {
  const { email, password } = audience === 'console' ? demo.operator : demo.user
  await page.goto('/dashboard/sign-in')
  await fill(page.getByLabel(words.sign.email, { exact: true }), email)
  await fill(page.getByLabel(words.sign.password, { exact: true }), password)
  await press(button(words.sign.next))
  if (audience === 'console') {
    // The authenticator app of the demo, on its own page.
    const code = /<h1>(\d{6})<\/h1>/.exec(await (await fetch(demo.deskUrl)).text())?.[1] ?? ''
    for (const [n, digit] of [...code].entries()) {
      await fill(page.getByLabel(words.shell.digit(n + 1, 6), { exact: true }), digit)
    }
    await press(button(words.sign.second.confirm))
  }
  await page.waitForURL((url) => url.pathname.startsWith(`/${audience}/`) && !url.pathname.endsWith('/sign-in'))
}
