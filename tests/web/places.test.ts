// Where the console opens, and what the tab, the history and a bookmark say of a page.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPage, startChromium } from '../support/browser/chromium.ts'
import { signedOut, startedAccount } from '../support/web/fixtures.ts'
import { catalogues } from '../support/web/person.ts'
import { serveBuiltPages } from '../support/web/screens.ts'
import { notSetUp } from '../support/web/setup-fixtures.ts'

const server = await serveBuiltPages()
const browser = await startChromium()
after(() => server.close())

for (const language of ['en', 'ru'] as const) {
  test(`every screen has its title, and one thing its own: ${language}`, async () => {
    const { shell, sign } = catalogues[language]
    const { page, close } = await openPage(browser, server.origin, {
      extraHTTPHeaders: { cookie: `lang=${language}` },
    })
    const titleAt = async (path: string) => {
      await page.goto(path)
      await page.locator('h1').first().waitFor()
      return await page.title()
    }
    server.answers = signedOut(Date.now())
    assert.equal(await titleAt('/dashboard/sign-in'), `${sign.signIn.title} · Ringproof`)
    server.answers = startedAccount(Date.now())
    assert.equal(await titleAt('/dashboard/verifications'), `${shell.nav.verifications} · My shop · Ringproof`)
    assert.equal(
      await titleAt('/dashboard/test/verifications'),
      `${shell.nav.verifications} · ${shell.shell.sandbox} · My shop · Ringproof`,
    )
    assert.equal(await titleAt('/console/trunks'), `${shell.nav.trunks} · ${shell.shell.console} · Ringproof`)
    assert.equal(
      await titleAt('/console/trunks/alfa'),
      `alfa · ${shell.nav.trunks} · ${shell.shell.console} · Ringproof`,
    )
    const heading = page.locator('h1').first()
    const detail = await titleAt('/dashboard/verifications/233715489767425')
    assert.match(detail, /^7\d+\*+\d+: /)
    assert(detail.includes(`${await heading.innerText()} · ${shell.nav.verifications}`), detail)
    await close()
  })
}

test('the console opens on the wallboard once setup is done, and on the setup before', async () => {
  const { page, close } = await openPage(browser, server.origin, {})
  const answers = startedAccount(Date.now())
  server.answers = answers
  await page.goto('/console')
  await page.waitForURL('**/console/wallboard')
  server.answers = { ...answers, setup: notSetUp }
  await page.goto('/console')
  await page.waitForURL('**/console/system')
  // Each part of the system has its address, and its tab is lit.
  const { tabs } = catalogues.en.system
  for (const [tab, path] of [
    ['health', '/health'],
    ['company', '/company'],
    ['payments', '/payments'],
    ['operators', '/operators'],
    ['setup', ''],
  ] as const) {
    const link = page.getByRole('link', { name: tabs[tab], exact: true })
    await link.click()
    await page.waitForURL(`**/console/system${path}`)
    assert.equal(await link.getAttribute('aria-current'), 'page')
  }
  await close()
})

test('while the first data are on the way the page has its frame, and then the screen in its place', async () => {
  const { page, close } = await openPage(browser, server.origin, {})
  server.answers = startedAccount(Date.now())
  const held = Promise.withResolvers<void>()
  await page.route('**/web/me', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/dashboard/services')
  const frame = page.locator('.first')
  await frame.waitFor()
  assert.equal(await frame.innerText(), 'ringproof')
  held.resolve()
  await page.locator('h1').first().waitFor()
  assert.equal(await frame.isVisible(), false)
  await close()
})

test('the overview, the statistics and the list ask for the same 24 hours', async () => {
  const { page, close } = await openPage(browser, server.origin, {})
  server.answers = startedAccount(Date.now())
  const asked = new Map<string, string | null>()
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (/\/(statistics|verification-counts)$/.test(pathname)) asked.set(pathname, searchParams.get('from'))
  })
  for (const path of ['/dashboard/overview', '/dashboard/verifications']) {
    await page.goto(path)
    await page.locator('h1').first().waitFor()
  }
  const [first, second] = [...asked.values()]
  assert.equal(asked.size, 2)
  assert.equal(first, second)
  assert.equal(Number(first) % 3_600_000, 0)
  await close()
})

test('on a phone the tabs are those that are read most; the start is one of them until it is done', async () => {
  const { page, close } = await openPage(browser, server.origin, { viewport: { width: 390, height: 844 } })
  const { nav, navShort, shell } = catalogues.en.shell
  const answers = startedAccount(Date.now())
  const tabs = () => page.getByRole('navigation', { name: shell.menu }).last().locator(':scope > *').allInnerTexts()
  server.answers = answers
  await page.goto('/dashboard/verifications')
  await page.locator('h1').first().waitFor()
  assert.deepEqual(await tabs(), [nav.start, nav.verifications, navShort.phones, nav.statistics, shell.more])
  assert(answers.start)
  const steps = Object.fromEntries(Object.keys(answers.start.steps).map((step) => [step, { doneAt: 1 }]))
  server.answers = { ...answers, start: { ...answers.start, steps: steps as typeof answers.start.steps } }
  await page.reload()
  await page.locator('h1').first().waitFor()
  assert.deepEqual(await tabs(), [nav.overview, nav.verifications, navShort.phones, nav.statistics, shell.more])
  assert.equal(await page.getByRole('link', { name: nav.start, exact: true }).count(), 0)
  await close()
})

test('the wallboard fills a screen at its own address, dark and without buttons, until Escape', async () => {
  const { page, close } = await openPage(browser, server.origin, { colorScheme: 'light' })
  server.answers = startedAccount(Date.now())
  await page.goto('/console/wallboard?full=true')
  const heading = page.getByRole('heading', { level: 1 })
  await heading.waitFor()
  const full = page.getByRole('button', { name: catalogues.en.wallboard.full })
  assert.equal(await full.count(), 0)
  const scheme = await page.evaluate("getComputedStyle(document.querySelector('h1')).colorScheme")
  assert.equal(scheme, 'dark')
  await page.keyboard.press('Escape')
  await full.waitFor()
  await full.click()
  await page.waitForURL('**/console/wallboard?full=true')
  await close()
})

test('an operator at an address of the dashboard gets the menu of the console, and the way to it', async () => {
  const { page, close } = await openPage(browser, server.origin, {})
  const { nav, shell, state } = catalogues.en.shell
  const answers = startedAccount(Date.now())
  assert(answers.me)
  server.answers = { ...answers, me: { ...answers.me, account: null, accounts: [] } }
  await page.goto('/dashboard/verifications')
  await page.getByRole('heading', { level: 1, name: state.forCustomers }).waitFor()
  await page.getByRole('link', { name: nav.trunks, exact: true }).first().waitFor()
  await page.getByRole('link', { name: shell.toConsole, exact: true }).click()
  await page.waitForURL('**/console/wallboard')
  await close()
})
