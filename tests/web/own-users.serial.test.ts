// An installation for a company's own users: no screen speaks of money, in either language, and the menus are short.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
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
// One of each; those that are opened by a press show the same words.
const screens = [...webScreens, ...consoleScreens].filter(
  ({ path, act }, at, all) =>
    act === undefined &&
    !absent.test(path) &&
    all.findIndex((one) => one.act === undefined && one.path === path) === at,
)

for (const language of ['en', 'ru'] as const)
  test(`no screen speaks of money: ${language}`, async () => {
    const said: string[] = []
    for (const screen of screens) said.push(...(await moneyOn(screen, language)))
    assert.deepEqual(said, [])
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

async function moneyOn({ name, path, answers }: Screen, language: 'en' | 'ru'): Promise<readonly string[]> {
  server.answers = withoutCustomers(answers(Date.now()))
  const { page, close } = await openPage(browser, server.origin, { locale: language })
  await page.goto(path)
  await page.locator('h1').first().waitFor()
  const found = (await linesOf(page)).filter((line) => words.test(line) && !theirs.test(line))
  await close()
  return found.map((line) => `${name}: ${line}`)
}

// Requests and responses are shown as they are, with the fields of the contract.
async function linesOf(page: Page): Promise<readonly string[]> {
  await page.evaluate("document.querySelectorAll('pre, code').forEach((one) => one.remove())")
  return (await page.locator('body').innerText()).split('\n')
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
