// Every screen of the pages with fixtures, and what must hold for each of them.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openPage } from '../browser/chromium.ts'
import { assertAccessible, type Look } from '../browser/docs-screens.ts'
import { consoleScreens } from './console-screens.ts'
import { type FixtureServer, serveFixtures } from './fixture-server.ts'
import { type Answers, newAccount, secondStep, signedOut, startedAccount, viewerOf } from './fixtures.ts'
import { requestId } from './log-fixtures.ts'
import { fewNotices } from './notice-fixtures.ts'
import { listedNumbers, someUnpaid } from './number-fixtures.ts'
import { press, type Screen } from './screen.ts'

const linkToken = '#token=a-token-of-a-letter-0001'

export const webScreens: readonly Screen[] = [
  { name: 'sign-in', path: '/dashboard/sign-in', answers: signedOut },
  { name: 'sign-up', path: '/dashboard/sign-up', answers: signedOut },
  { name: 'second-step', path: '/dashboard/second-step', answers: secondStep },
  { name: 'forgot', path: '/dashboard/forgot', answers: signedOut },
  { name: 'reset', path: `/dashboard/reset${linkToken}`, answers: signedOut },
  { name: 'invitation', path: `/dashboard/invitation${linkToken}`, answers: invited },
  {
    name: 'start',
    path: '/dashboard/test/start',
    answers: startedAccount,
    act: (page) => press(page, /^(Run here|Выполнить)/),
  },
  { name: 'start-new', path: '/dashboard/test/start', answers: newAccount },
  { name: 'services', path: '/dashboard/services', answers: startedAccount },
  {
    name: 'services-new',
    path: '/dashboard/services',
    answers: startedAccount,
    act: (page) => press(page, /^(New|Новый) /),
  },
  { name: 'services-empty', path: '/dashboard/test/services', answers: newAccount },
  { name: 'services-viewer', path: '/dashboard/services', answers: (nowMs) => viewerOf(startedAccount(nowMs)) },
  { name: 'settings', path: '/dashboard/services/1024/settings', answers: startedAccount, act: changeSettings },
  { name: 'settings-marked', path: '/dashboard/services/1024/settings?mark=geography.UZ', answers: startedAccount },
  {
    name: 'settings-viewer',
    path: '/dashboard/services/1024/settings?mark=spend-day-max',
    answers: (nowMs) => viewerOf(startedAccount(nowMs)),
  },
  { name: 'settings-choose', path: '/dashboard/services/settings?mark=geography', answers: startedAccount },
  { name: 'settings-none', path: '/dashboard/services/settings?mark=geography', answers: newAccount },
  { name: 'phones', path: '/dashboard/test/phones', answers: startedAccount },
  { name: 'phones-dial', path: '/dashboard/test/phones', answers: startedAccount, act: (page) => press(page, /0113/) },
  { name: 'phones-empty', path: '/dashboard/test/phones', answers: newAccount },
  { name: 'verifications', path: '/dashboard/verifications', answers: startedAccount },
  {
    name: 'verifications-test',
    path: '/dashboard/test/verifications?status=failed&provider=Polar',
    answers: startedAccount,
  },
  { name: 'verifications-empty', path: '/dashboard/verifications', answers: newAccount },
  { name: 'verification', path: '/dashboard/verifications/233715489767425', answers: startedAccount },
  { name: 'overview', path: '/dashboard/overview', answers: startedAccount },
  { name: 'overview-new', path: '/dashboard/overview', answers: newAccount },
  { name: 'statistics', path: '/dashboard/statistics', answers: startedAccount },
  {
    name: 'statistics-compare',
    path: '/dashboard/statistics?from=1761944400000&until=1762549200000&compareFrom=1761339600000&compareUntil=1761944400000',
    answers: startedAccount,
    act: (page) => press(page, /^(Compare other|Сравнить другие)/),
  },
  { name: 'statistics-empty', path: '/dashboard/test/statistics', answers: newAccount },
  { name: 'webhooks', path: '/dashboard/webhooks', answers: startedAccount },
  { name: 'webhooks-empty', path: '/dashboard/test/webhooks', answers: newAccount },
  {
    name: 'webhooks-rotate',
    path: '/dashboard/webhooks',
    answers: startedAccount,
    act: (page) => press(page, /^(Rotate the secret|Сменить секрет)/),
  },
  {
    name: 'webhooks-example',
    path: '/dashboard/webhooks',
    answers: startedAccount,
    act: async (page) => {
      await press(page, /^(Send an example|Отправить пример)/)
      await page.getByRole('textbox', { name: /^(Address|Адрес)/ }).fill('https://hooks.example.org/ring')
      await press(page, /^(Send|Отправить)$/)
    },
  },
  { name: 'api-log', path: '/dashboard/log', answers: startedAccount, act: (page) => press(page, /^initCall$/, 1) },
  { name: 'api-log-request', path: `/dashboard/log/${requestId}`, answers: startedAccount },
  { name: 'api-log-empty', path: '/dashboard/test/log', answers: newAccount },
  { name: 'balance', path: '/dashboard/balance?day=2026-11-03', answers: startedAccount },
  { name: 'balance-new', path: '/dashboard/balance', answers: newAccount },
  { name: 'numbers', path: '/dashboard/numbers', answers: startedAccount },
  { name: 'numbers-priced', path: '/dashboard/numbers', answers: startedAccount, act: priceNumbers },
  { name: 'numbers-checked', path: '/dashboard/numbers', answers: startedAccount, act: checkNumbers },
  {
    name: 'numbers-unpaid',
    path: '/dashboard/numbers',
    answers: (nowMs) => ({ ...startedAccount(nowMs), ...someUnpaid(nowMs) }),
    act: checkNumbers,
  },
  { name: 'numbers-new', path: '/dashboard/numbers', answers: newAccount },
  { name: 'numbers-viewer', path: '/dashboard/numbers', answers: (nowMs) => viewerOf(startedAccount(nowMs)) },
  {
    name: 'balance-payer',
    path: '/dashboard/balance',
    answers: newAccount,
    act: async (page) => {
      await page.locator('main input').first().fill('1000')
      await press(page, /^(Request an invoice|Запросить счёт)/)
    },
  },
  { name: 'balance-viewer', path: '/dashboard/balance', answers: (nowMs) => viewerOf(startedAccount(nowMs)) },
  { name: 'security', path: '/dashboard/account/security', answers: startedAccount },
  { name: 'notices', path: '/dashboard/notices', answers: startedAccount },
  {
    name: 'notices-webhook',
    path: '/dashboard/notices',
    answers: startedAccount,
    act: async (page) => {
      await press(page, /^(Change|Изменить)$/)
      await page.getByRole('textbox', { name: /^(Address|Адрес)/ }).fill('https://hooks.example.org/ring')
      await press(page, /^(Set the webhook|Задать вебхук)$/)
      await page.getByText('whsec_').waitFor()
    },
  },
  { name: 'notices-few', path: '/dashboard/notices', answers: fewNoticesOf },
  { name: 'members', path: '/dashboard/account/members', answers: startedAccount },
  { name: 'profile', path: '/dashboard/account/profile', answers: startedAccount },
  {
    name: 'profile-closing',
    path: '/dashboard/account/profile',
    answers: startedAccount,
    act: (page) => press(page, /^(Close the account|Закрыть аккаунт)/),
  },
  {
    name: 'palette',
    path: '/dashboard/services',
    answers: startedAccount,
    act: (page) => page.keyboard.press('Control+k'),
  },
  { name: 'keys', path: '/dashboard/services', answers: startedAccount, act: (page) => page.keyboard.press('?') },
  { name: 'missing', path: '/dashboard/nowhere', answers: startedAccount },
  ...consoleScreens,
]

const scriptBytesMax = 220_000
const heights = { 390: 844, 1280: 860 } as const

export function testScreens(looks: readonly Look[], browser: Browser, server: FixtureServer): void {
  for (const look of looks) {
    for (const screen of webScreens) {
      test(`${screen.name}, ${look.language}, ${look.theme}, ${look.width}`, () =>
        examine(browser, server, screen, look))
    }
  }
}

async function examine(browser: Browser, server: FixtureServer, screen: Screen, look: Look): Promise<void> {
  const { language, theme, width } = look
  server.answers = screen.answers(Date.now())
  const cookies = `lang=${language}; theme=${theme}`
  const { page, faults, close } = await openPage(browser, server.origin, {
    viewport: { width, height: heights[width] },
    // Playwright lets no test set Accept-Encoding for scripts alone, and gzip is what the limit is about.
    extraHTTPHeaders: { 'accept-encoding': 'gzip', cookie: cookies },
  })
  let scriptBytes = 0
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scriptBytes += Number(response.headers()['content-length'])
  })
  await page.goto(screen.path)
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle').catch(() => undefined)
  assert.ok(scriptBytes > 100_000 && scriptBytes < scriptBytesMax, `${scriptBytes} bytes of script`)
  await screen.act?.(page)
  await page.evaluate('document.fonts.ready')
  const { sideways, spilled, lang } = await page.evaluate(measure)
  assert.equal(sideways, 0, `it scrolls sideways by ${sideways} pixels`)
  assert.equal(spilled, 0, `${spilled} tables are wider than their place`)
  assert.equal(lang, language)
  await assertAccessible(page, screen.name)
  await page.evaluate('scrollTo(0, 0)')
  await page.screenshot({ path: `.cache/web-pages/${screen.name}-${language}-${theme}-${width}.png`, fullPage: true })
  assert.deepEqual(faults, [])
  await close()
}

type Box = { getBoundingClientRect: () => { readonly right: number } }

// Runs in the browser.
function measure(): { sideways: number; spilled: number; lang: string } {
  const { document, innerWidth, getComputedStyle } = globalThis as unknown as {
    document: {
      documentElement: { scrollWidth: number; lang: string }
      querySelectorAll: (selector: string) => Iterable<Box & { parentElement: Box }>
    }
    innerWidth: number
    getComputedStyle: (box: Box) => { readonly overflowX: string }
  }
  const { scrollWidth, lang } = document.documentElement
  const spilled = [...document.querySelectorAll('main table')].filter(
    (table) =>
      getComputedStyle(table.parentElement).overflowX === 'visible' &&
      table.getBoundingClientRect().right > table.parentElement.getBoundingClientRect().right + 1,
  )
  return { sideways: Math.max(0, scrollWidth - innerWidth), spilled: spilled.length, lang }
}

async function priceNumbers(page: Page): Promise<void> {
  await page.getByRole('textbox').fill(listedNumbers.join('\n'))
  await press(page, /^(Count and|Посчитать)/)
  await page.getByRole('button', { name: /^(Check|Проверить) / }).waitFor()
}

async function checkNumbers(page: Page): Promise<void> {
  await priceNumbers(page)
  await press(page, /^(Check|Проверить) /)
  await page.getByRole('button', { name: 'CSV' }).waitFor()
}

function fewNoticesOf(nowMs: number): Answers {
  return { ...viewerOf(startedAccount(nowMs)), notices: fewNotices }
}

// Three changes that are not saved, and a number tested against them.
async function changeSettings(page: Page): Promise<void> {
  await page.locator('li', { hasText: '+998' }).getByRole('button').first().click()
  await page.locator('#control-spend-day-max').fill('1200')
  await page.locator('#setting-addresses').getByRole('switch').click()
  await page.locator('#setting-addresses input:not([type])').fill('198.51.100.23')
  await page.locator('#setting-addresses form button').click()
  await page.locator('[aria-labelledby=test-head] input').first().fill('998 00 000 0042')
  await page.locator('[aria-labelledby=test-head] [type=submit]').click()
  await page.locator('[aria-labelledby=test-head] [role=status]').waitFor()
}

function invited(nowMs: number): Answers {
  const { 'read-invitation': invitation } = startedAccount(nowMs)
  return { ...signedOut(nowMs), ...(invitation === undefined ? {} : { 'read-invitation': invitation }) }
}

// What is tested is what the sources say now.
export async function serveBuiltPages(): Promise<FixtureServer> {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../../scripts/web/build.ts')], { stdio: 'inherit' })
  return await serveFixtures({})
}
