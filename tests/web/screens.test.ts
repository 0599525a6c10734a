// Every screen twice: English, light, wide; Russian, dark, narrow. All eight combinations: npm run verify -- web

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { openPage, startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { signedOut, startedAccount } from '../support/web/fixtures.ts'
import { catalogues } from '../support/web/person.ts'
import { serveBuiltPages, testScreens } from '../support/web/screens.ts'

const { en } = catalogues
const server = await serveBuiltPages()
const browser = await startChromium()
after(() => server.close())

testScreens(
  [
    { language: 'en', theme: 'light', width: 1280 },
    { language: 'ru', theme: 'dark', width: 390 },
  ],
  browser,
  server,
)

test('the policy refuses an inline style and markup from a text', async () => {
  server.answers = signedOut(Date.now())
  const { page, faults, close } = await openPage(browser, server.origin, {})
  await page.goto('/dashboard/sign-in')
  await page.locator('h1').waitFor()
  const outcome = await page.evaluate(breakPolicy)
  assert.equal(outcome, 'TypeError')
  assert.ok(
    faults.some((fault) => fault.includes('style-src')),
    faults.join('\n'),
  )
  await close()
})

test('a fault in the page is found: a picture without a text', async () => {
  server.answers = startedAccount(Date.now())
  const { page, close } = await openPage(browser, server.origin, {})
  await page.goto('/dashboard/services')
  await page.locator('h1').waitFor()
  await page.evaluate(`document.querySelector('main').append(document.createElement('img'))`)
  assert.match((await violationsOf(page)).join(), /image-alt/)
  await close()
})

test('a screen of the console is not loaded by the dashboard', async () => {
  server.answers = startedAccount(Date.now())
  const { page, close } = await openPage(browser, server.origin, {})
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await page.goto('/dashboard/services')
  await page.locator('h1').waitFor()
  await page.waitForLoadState('networkidle').catch(() => undefined)
  assert.ok(scripts.some((url) => /\/Services-.*\.js$/.test(url)))
  assert.deepEqual(
    scripts.filter((url) => /System/.test(url)),
    [],
  )
  await close()
})

test('g and a letter open a screen, Ctrl K finds one, Tab reaches the skip link first', async () => {
  server.answers = startedAccount(Date.now())
  const { page, close } = await openPage(browser, server.origin, {})
  await page.goto('/dashboard/services')
  await page.locator('h1').waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.className'), 'skip')
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await page.waitForURL('**/dashboard/phones')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Serv')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/services')
  await close()
})

test('Ctrl K finds calls by what was typed, which is in no address, and opens the page of an error and a service', async () => {
  const name = 'opaque-name'
  const answers = startedAccount(Date.now())
  server.answers = { ...answers, 'find-verifications': { number: name, client: null, ids: null } }
  const { page, close } = await openPage(browser, server.origin, {})
  await page.goto('/dashboard/overview')
  await page.locator('h1').waitFor()
  const find = async (text: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(text)
    await page.getByRole('option').first().waitFor()
  }
  await find('+7 900 000-00-01')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/dashboard/verifications?number=${name}`)
  await find('19')
  await page.getByRole('option', { name: /^Error 19: / }).waitFor()
  await page.keyboard.press('Escape')
  await find(en.shell.shell.newService)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/services?new=1')
  await page.getByRole('dialog').waitFor()
  await close()
})

test('when the event stream opens again, reads are repeated and the secret of the authenticator app stays', async () => {
  const answers = startedAccount(Date.now())
  assert(answers.security)
  server.answers = { ...answers, security: { ...answers.security, totp: { isOn: false, recoveryCodesLeft: 0 } } }
  const { page, close } = await openPage(browser, server.origin, {})
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await page.goto('/dashboard/account/security')
  await page.getByRole('button', { name: en.account.setUp }).click()
  await page.getByRole('dialog').waitFor()
  const again = page.waitForRequest('**/web/security')
  // As the tab with the stream informs the others.
  await page.evaluate(`new BroadcastChannel('ringproof-live').postMessage({ topics: 'all' })`)
  await (await again).response()
  assert.equal(paths.filter((path) => path === '/web/start-totp').length, 1)
  await close()
})

test('an answered call can be hung up on a real handset only, and a refusal is shown', async () => {
  const answers = startedAccount(Date.now())
  const { phones } = answers
  assert(phones)
  const talking = phones.calls.map((call) => (call.state === 'ringing' ? { ...call, state: 'talking' as const } : call))
  for (const isReal of [true, false]) {
    const handsets = phones.phones.map((phone) => ({ ...phone, isReal }))
    server.answers = { ...answers, phones: { ...phones, phones: handsets, calls: talking } }
    const { page, close } = await openPage(browser, server.origin, {})
    await page.goto('/dashboard/test/phones')
    await page.getByText(en.shell.handset.spoken).waitFor()
    const hangUp = page.getByRole('button', { name: en.shell.handset.hangUp })
    assert.equal(await hangUp.count(), isReal ? 1 : 0)
    if (isReal) {
      server.answers = { ...server.answers, 'act-on-call': { error: 'unavailable' } }
      await hangUp.click()
      await page.getByRole('alert').filter({ hasText: en.shell.errors.unavailable }).waitFor()
    }
    await close()
  }
})

test('a response that is not JSON is shown by its status, and the page stays', async () => {
  const answers = startedAccount(Date.now())
  assert(answers['run-here'])
  const page502 = { ...answers['run-here'], status: 502, body: '<html>Bad Gateway</html>', verificationId: null }
  server.answers = { ...answers, 'run-here': page502 }
  const { page, faults, close } = await openPage(browser, server.origin, {})
  await page.goto('/dashboard/test/phones')
  await page.getByRole('button', { name: en.phones.ring }).click()
  await page.getByRole('alert').filter({ hasText: 'HTTP 502' }).waitFor()
  assert.deepEqual(faults, [])
  await close()
})

test('a list of numbers goes up in parts of one submission; file, storage and address have none of them', async () => {
  const answers = startedAccount(Date.now())
  const preview = answers['preview-number-check']
  assert(preview)
  server.answers = { ...answers, 'preview-number-check': { ...preview, valid: 65, invalid: 0, duplicates: [] } }
  const { page, faults, close } = await openPage(browser, server.origin, {})
  const sent: { numbers: string[]; submission: string }[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/web/check-numbers')) sent.push(request.postDataJSON() as (typeof sent)[number])
  })
  const numbers = Array.from({ length: 65 }, (_, index) => `790700001${String(index).padStart(2, '0')}`)
  await page.goto('/dashboard/numbers')
  await page.getByRole('textbox').fill(numbers.join('\n'))
  await page.getByRole('button', { name: en.numbers.price }).click()
  // The second press of a double click changes nothing.
  await page.getByRole('button', { name: /^Check 65/ }).dblclick()
  await page.getByRole('button', { name: /^Go on/ }).waitFor()
  assert.deepEqual(
    sent.map((one) => one.numbers.length),
    [30, 30, 5],
  )
  assert.deepEqual(
    sent.flatMap((one) => one.numbers),
    numbers,
  )
  assert.equal(new Set(sent.map(({ submission }) => submission)).size, 1)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: en.numbers.csv }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  assert.match(file, /^1,7907\*\*\*0001,checked,/m)
  const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])')
  for (const text of [file, String(stored)]) assert.doesNotMatch(text, /7907\d/)
  assert.deepEqual(faults, [])
  await close()
})

// Runs in the browser.
function breakPolicy(): string {
  type Node = { setAttribute(name: string, value: string): void; innerHTML: string }
  const { document } = globalThis as unknown as { document: { body: Node } }
  document.body.setAttribute('style', 'color: red')
  try {
    document.body.innerHTML = '<b>x</b>'
    return 'allowed'
  } catch (error) {
    return (error as Error).name
  }
}
