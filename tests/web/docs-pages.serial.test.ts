// The documentation in a real browser. `npm run verify -- docs` looks at more pages in all eight looks.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import {
  assertAccessible,
  assertReadable,
  type Look,
  openScreen,
  violationsOf,
} from '../support/browser/docs-screens.ts'
import { install, serveProcess } from '../support/process/server.ts'

const installation = await install()
const { base } = await serveProcess(installation, {}, '--roles', 'api')
const browser = await startChromium()

const desktop: Look = { language: 'en', theme: 'light', width: 1280 }
const phone: Look = { language: 'ru', theme: 'dark', width: 390 }

for (const look of [desktop, phone]) {
  const { language, theme, width } = look
  test(`pages in ${language}, ${theme}, ${width} are accessible, readable and load without faults`, async () => {
    const { page, faults, close } = await openScreen(browser, base, look)
    for (const path of ['', '/errors/18', '/guides/quickstart']) {
      await page.goto(`/docs/${language}${path}`)
      await assertReadable(page, path)
      await assertAccessible(page, path)
    }
    assert.deepEqual(faults, [])
    await close()
  })
}

test('the checks find a foreign image, an inline style, a missing label and text that is cut off', async () => {
  const { page, faults, close } = await openScreen(browser, base, desktop)
  await page.route('**/docs/en/errors', async (route) => {
    const response = await route.fetch()
    const seeded =
      '<h2 style="color: red">seeded</h2><img src="http://192.0.2.1/x.png"><pre class="seeded">x</pre><input type="text">'
    await route.fulfill({ response, body: (await response.text()).replace('</article>', `${seeded}</article>`) })
  })
  await page.route('http://192.0.2.1/**', (route) => route.abort())
  await page.goto('/docs/en/errors')
  assert(
    faults.some((fault) => fault.includes('192.0.2.1')),
    faults.join('\n'),
  )
  assert(
    faults.some((fault) => /style/i.test(fault)),
    faults.join('\n'),
  )
  assert((await violationsOf(page)).some((violation) => /label|alt/.test(violation)))
  await page.evaluate('document.querySelector(".seeded").style.cssText = "width: 40px; white-space: pre"')
  await page.evaluate('document.querySelector(".seeded").textContent = "a line that is longer than its box"')
  await assert.rejects(assertReadable(page, 'seeded'), /cuts text off|sideways/)
  await close()
})

test('with a script: search, copy, one language for all samples, a theme that is remembered', async () => {
  const options = { permissions: ['clipboard-read', 'clipboard-write'] }
  const { page, faults, close } = await openScreen(browser, base, desktop, options)
  await page.goto('/docs/en')
  await page.keyboard.press('/')
  await page.keyboard.type('call_status')
  await page.locator('.found a').first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/en#getInfo-call_status')

  await page.locator('#getInfo label', { hasText: 'PHP' }).click()
  assert(await page.locator('#getBalance [data-sample=PHP]').isVisible())
  await page.locator('#getInfo .copy').first().click()
  const copied = await page.evaluate('navigator.clipboard.readText()')
  assert.match(String(copied), /^<\?php\n[^]*getInfo/)

  await page.locator('label[for=theme-dark]').click()
  await page.goto('/docs/ru/errors/5')
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark')
  assert.deepEqual(faults, [])
  await close()
})

test('without a script: tabs, theme, menu and every page work; search and copy are not offered', async () => {
  const { page, faults, close } = await openScreen(browser, base, phone, { javaScriptEnabled: false })
  await page.goto('/docs/ru')
  assert(!(await page.locator('.wall').isVisible()))
  await page.locator('#menu').check()
  assert(await page.locator('.wall nav').isVisible())
  await page.locator('label[for=theme-light]').click()
  await page.locator('.wall a', { hasText: 'Ошибки' }).click()
  await page.waitForURL('**/docs/ru/errors')

  await page.goto('/docs/ru#getInfo')
  await page.locator('#getInfo label', { hasText: 'Python' }).click()
  assert(await page.locator('#getInfo [data-sample=Python]').isVisible())
  assert(!(await page.locator('#getInfo [data-sample=curl]').isVisible()))
  assert.equal(await page.locator('button.find:visible, .copy').count(), 0)
  assert.deepEqual(faults, [])
  await close()
})

test('every link of every page, from /docs on, responds with 200 in both languages', async () => {
  const seen = new Set<string>()
  const queue = ['/docs', '/docs/ru', '/docs/errors/18', '/docs/guides/quickstart']
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const response = await fetch(base + path, { headers: { 'accept-language': 'ru' } })
    assert.equal(response.status, 200, path)
    const text = await response.text()
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue
    const links = [...text.matchAll(/\s(?:href|src)="(\/[^"#]*)/g)].map(([, link = '']) => link)
    // The dashboard is built apart from the server.
    queue.push(...links.filter((link) => !link.startsWith('/dashboard/')))
  }
  assert(seen.size > 80, `${seen.size} pages`)
})

test('the bare address follows the language of the browser, and an unchanged page is not sent again', async () => {
  const russian = await fetch(`${base}/docs/errors/18`, { headers: { 'accept-language': 'ru, en;q=0.5' } })
  assert.match(await russian.text(), /<html lang="ru"/)
  assert.equal(russian.headers.get('vary'), 'accept-language')
  const english = await fetch(`${base}/docs/errors/18`)
  assert.match(await english.text(), /<html lang="en"/)
  const etag = english.headers.get('etag') ?? ''
  assert.equal((await fetch(`${base}/docs/errors/18`, { headers: { 'if-none-match': etag } })).status, 304)
  const { headers } = await fetch(`${base}/docs/en`)
  const policy = headers.get('content-security-policy') ?? ''
  assert.doesNotMatch(policy, /unsafe|http|\*/)
  assert.match(policy, /default-src 'none'/)
})

test('slashes are tolerated, HEAD has no body, and a page that does not exist is refused like any other path', async () => {
  for (const path of ['/docs/', '/docs/en/', '//docs//en/errors/18/'])
    assert.equal((await fetch(base + path)).status, 200)
  const head = await fetch(`${base}/docs/en`, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  for (const path of ['/docs/en/nothing', '/docs/errors/7', '/examples/nothing', '/docs/assets/docs.css']) {
    assert.equal((await fetch(base + path)).status, 401, path)
  }
})
