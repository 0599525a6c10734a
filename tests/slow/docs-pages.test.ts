// Every kind of page of /docs in both languages, both themes and both widths. Pictures go to .cache/docs-pages/.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { allLooks, assertAccessible, assertReadable, openScreen } from '../support/browser/docs-screens.ts'
import { install, serveProcess } from '../support/process/server.ts'

const installation = await install()
const { base } = await serveProcess(
  installation,
  { RINGPROOF_PUBLIC_URL: 'https://ringproof.example' },
  '--roles',
  'api',
)
const browser = await startChromium()

const screens = [
  '',
  '#initCall',
  '#webhook',
  '/errors',
  '/errors/18',
  '/errors/50',
  '/problems',
  '/guides/verify',
  '/guides/quickstart',
  '/guides/webhooks',
  '/guides/migrate',
] as const
const onlyEnglish = ['/guides/node', '/guides/deployment', '/reference/calls', '/reference/log-events'] as const

for (const look of allLooks) {
  const { language, theme, width } = look
  test(`${language}, ${theme}, ${width}`, async () => {
    const { page, faults, close } = await openScreen(browser, base, look)
    for (const screen of [...screens, ...(language === 'en' ? onlyEnglish : [])]) {
      await page.goto(`/docs/${language}${screen}`)
      await assertReadable(page, screen)
      if (!screen.startsWith('#')) await assertAccessible(page, screen)
      const name = screen.replaceAll(/\W+/g, '-').replace(/^-/, '') || 'reference'
      await page.screenshot({ path: `.cache/docs-pages/${name}-${language}-${theme}-${width}.png` })
    }
    assert.deepEqual(faults, [])
    await close()
  })
}
