// An installation for a company's own users: no screen speaks of money, in either language, and the menus are short.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { openPage, startChromium } from '../support/browser/chromium.ts'
import { consoleScreens } from '../support/web/console-screens.ts'
import { type Answers, startedAccount } from '../support/web/fixtures.ts'
import type { Screen } from '../support/web/screen.ts'
import { serveBuiltPages, webScreens } from '../support/web/screens.ts'

// What an operator has announced is theirs; a call that "costs nothing" is no price.
const words =
  /price|balance|tariff|invoice|rouble|\bRUB\b|₽|charged by|margin|earned|(?<!\p{L})цен[аыеу](?!\p{L})|баланс|тариф|рубл|списано|маржа/iu
const theirs = /^(Prices for Kazakhstan|В понедельник меняются)/

// Routes that are not there.
const absent = /^\/(dashboard\/(test\/)?balance|console\/(customers|tariffs|system\/payments))/

const server = await serveBuiltPages()
const browser = await startChromium()
after(() => server.close())

type Language = 'en' | 'ru'

// One of each address, as it is opened: what a press opens is asked for below.
const screens = [...webScreens, ...consoleScreens].filter(
  ({ path }, at, all) => !absent.test(path) && all.findIndex((one) => one.path === path) === at,
)

// Dialogs are the same in the sandbox.
const pathOf = ({ path }: Screen) => path.replace(/[?#].*$/, '').replace('/dashboard/test/', '/dashboard/')
const places = screens.filter((screen, at, all) => all.findIndex((one) => pathOf(one) === pathOf(screen)) === at)

for (const language of ['en', 'ru'] as const)
  test(`no screen speaks of money: ${language}`, async () => {
    const said: string[] = []
    for (const screen of screens) said.push(...(await moneyOn(screen, language)))
    assert.deepEqual(said, [])
  })

for (const language of ['en', 'ru'] as const)
  for (const [audience, of] of [
    ['dashboard', webScreens],
    ['console', consoleScreens],
  ] as const)
    test(`no dialog of the ${audience} that a press opens speaks of money: ${language}`, async (t) => {
      const opened: string[] = []
      const said: string[] = []
      for (const screen of places.filter((place) => of.includes(place))) {
        for (const { button, lines } of await dialogsOf(screen, language)) {
          opened.push(`${screen.name}: ${button}`)
          said.push(...moneyIn(lines).map((line) => `${screen.name}, ${button}: ${line}`))
        }
      }
      t.diagnostic(`${opened.length} dialogs: ${opened.join('; ')}`)
      assert.deepEqual(said, [])
      assert(opened.length > 10, opened.join('; '))
    })

test('the dashboard has eight entries at most, the console nine, and neither leads to money', async () => {
  for (const [path, most] of [
    ['/dashboard/verifications', 8],
    ['/console/wallboard', 9],
  ] as const) {
    server.answers = withoutCustomers(startedAccount(Date.now()))
    const { page, close } = await openPage(browser, server.origin, {})
    await page.goto(path)
    await page.locator('h1').waitFor()
    const links = page
      .getByRole('navigation')
      .first()
      .locator('a[href^="/"]:not([href="/dashboard"]):not([href="/console"])')
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    assert(addresses.length > 4 && addresses.length <= most, addresses.join(' '))
    assert.deepEqual(
      addresses.filter((address) => absent.test(address)),
      [],
    )
    await close()
  }
})

async function moneyOn(screen: Screen, language: Language): Promise<readonly string[]> {
  const { page, close } = await open(screen, language)
  const found = moneyIn(await linesOf(page, 'body'))
  await close()
  return found.map((line) => `${screen.name}: ${line}`)
}

type Opened = { readonly button: string; readonly lines: readonly string[] }

// Presses every button of the screen once, of several with the same words the first. A press that does something else than open a dialog
// may change the screen, so it is loaded again where a button has gone.
async function dialogsOf(screen: Screen, language: Language): Promise<readonly Opened[]> {
  const { page, settle, close } = await open(screen, language)
  const opened: Opened[] = []
  for (const button of new Set(await buttonsOf(page))) {
    // One that shows something only once stays open.
    const isAway = page.url() !== new URL(screen.path, server.origin).href || (await page.locator(dialogs).count()) > 0
    if (isAway || !(await buttonsOf(page)).includes(button)) {
      await page.goto(screen.path)
      await settle()
    }
    const at = (await buttonsOf(page)).indexOf(button)
    if (at === -1) continue
    await page.locator(buttons).nth(at).click()
    await settle()
    if ((await page.locator(dialogs).count()) === 0) continue
    opened.push({ button, lines: await linesOf(page, dialogs) })
    await page.keyboard.press('Escape')
    await settle()
  }
  await close()
  return opened
}

const buttons = 'main button:enabled:visible'
const dialogs = '[role=dialog], [role=alertdialog], [role=menu]'

// Of those that differ by a number, such as the cells of a table, the first is pressed.
async function buttonsOf(page: Page): Promise<readonly string[]> {
  return page
    .locator(buttons)
    .evaluateAll((all) =>
      all.map((one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').replace(/\d+/g, '0')),
    )
}

// Until nothing is on its way and what has come is on the screen.
function watchRequests(page: Page): () => Promise<void> {
  const pending = new Set<Request>()
  page.on('request', (request) => request.url().endsWith('/web/events') || pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return async () => {
    do {
      while (pending.size > 0)
        await Promise.race([page.waitForEvent('requestfinished'), page.waitForEvent('requestfailed')])
      await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))')
    } while (pending.size > 0)
  }
}

async function open({ path, answers }: Screen, locale: Language) {
  server.answers = withoutCustomers(answers(Date.now()))
  const { page, close } = await openPage(browser, server.origin, { locale })
  const settle = watchRequests(page)
  await page.goto(path)
  await page.locator('h1').first().waitFor()
  await settle()
  return { page, settle, close }
}

// Requests and responses are shown as they are, with the fields and methods of the contract.
async function linesOf(page: Page, part: string): Promise<readonly string[]> {
  await page.evaluate("document.querySelectorAll('pre, code').forEach((one) => (one.style.display = 'none'))")
  return (await page.locator(part).allInnerTexts()).flatMap((text) => text.split('\n'))
}

function moneyIn(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => words.test(line.replace('getBalance', '')) && !theirs.test(line))
}

function withoutCustomers(answers: Answers): Answers {
  const { me, setup, notices } = answers
  return {
    ...answers,
    ...(me && { me: { ...me, installation: { ...me.installation, purpose: 'own' } } }),
    ...(setup && { setup: { ...setup, steps: setup.steps.filter(({ step }) => step !== 'tariff') } }),
    ...(notices && { notices: { ...notices, kinds: notices.kinds.filter(({ kind }) => kind !== 'low-balance') } }),
  }
}
