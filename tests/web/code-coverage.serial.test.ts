// A carrier's list lacks the number that ends with 0417. The operator sees the hole in the grid, doctor reports it, and a start that
// asks for the code gets a clear error. With the number added, the hole closes and the same start passes: in a real browser with a
// real server, with the mouse in English and with the keyboard alone in Russian.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { assertFound, examined } from '../support/process/doctor.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { looks, signInOperator } from '../support/web/journey.ts'
import { createOperator } from '../support/web/operator.ts'
import { type Person, sitDown } from '../support/web/person.ts'

const browser = await startChromium()

// For the browser.
const pixel = `document.createElement('canvas').getContext('2d', { willReadFrequently: true })`
const readPixel = '[...context.getImageData(0, 0, 1, 1).data.slice(0, 3)].join()'

for (const look of looks) {
  test(`a hole in the codes is seen, reported, refused and closed: ${look.language}`, async () => {
    const installation = await installPhones(0.3)
    const { globalDatabase } = installation.slots
    // One trunk is the normal case.
    for (const table of ['caller_ranges', 'confirmation_numbers']) {
      await globalDatabase.query(`DELETE FROM ${table} WHERE trunk = 'second' OR trunk = 'first'`)
    }
    await globalDatabase.query(`DELETE FROM trunks WHERE name = 'second'`)
    const settings = { RINGPROOF_MAIL_DIR: `${fileDirectory()}/mail`, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
    const { base } = await serveProcess(installation, settings)
    const service = await makeService(installation)
    const operator = await createOperator(installation, base, 'admin')
    const start = () =>
      ask(`${base}/v1.0/initCall?phone=${freshNumber('180')}&code=0417`, {
        headers: { ...service.bearer, 'accept-language': look.language },
      })

    const person = await sitDown(browser, base.replace('127.0.0.1', 'localhost'), look)
    const { page, words, button } = person
    const { callerNumbers } = words
    await signInOperator(person, '/console/codes', operator)
    await page.getByRole('heading', { name: callerNumbers.none }).waitFor()

    await importNumbers(person, '70000000000-70000000416\n70000000418-70000009999', 9_999)
    await page.getByText(callerNumbers.cannot('1')).waitFor()
    await page.getByText(callerNumbers.why.none('0417')).waitFor()
    await chooseCode(person, '0417')
    assert.equal(await cellColour(page, 417), await legendColour(page, 0))
    assert.deepEqual(await violationsOf(page), [])
    assertFound(await examined(installation.environment), 'warning', 'codes', /such as 0417:/, /--first …0417/)
    const refused = await poll('the API to know the numbers', start, ({ json }) => json['code'] !== 5)
    assert.deepEqual([refused.status, refused.json['code']], [409, 21])
    assert.equal(
      refused.json['error'],
      look.language === 'ru'
        ? 'Ни один из наших номеров не оканчивается на запрошенный код.'
        : 'None of our caller numbers ends with the code that was asked for.',
    )

    await importNumbers(person, '70000000417', 1)
    await page.getByRole('heading', { level: 1, name: callerNumbers.all }).waitFor()
    await chooseCode(person, '0417')
    assert.equal(await page.getByRole('slider').getAttribute('aria-valuetext'), callerNumbers.ends('0417', 1))
    assert.equal(await cellColour(page, 417), await legendColour(page, 1))
    assert.equal(await button(callerNumbers.holes).count(), 0)
    const { findings } = await examined(installation.environment)
    assert.deepEqual(
      findings.filter(({ check }) => check === 'codes').map(({ level }) => level),
      ['good'],
    )
    const started = await poll('the API to know the number', start, ({ status }) => status === 200)
    assert.equal(started.json['code'], '0417')
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}

async function importNumbers({ page, words, fill, press, button }: Person, text: string, count: number): Promise<void> {
  const { callerNumbers } = words
  await press(button(callerNumbers.import))
  const dialog = page.getByRole('dialog')
  await fill(dialog.getByLabel(callerNumbers.list, { exact: true }), text)
  await press(button(callerNumbers.preview))
  await dialog.getByText(callerNumbers.added(count)).waitFor()
  await press(button(callerNumbers.importAct(count)))
  await dialog.waitFor({ state: 'hidden' })
}

// With the arrow keys, as somebody without a mouse goes to a cell.
async function chooseCode({ page, fill, words }: Person, code: string): Promise<void> {
  const field = page.getByPlaceholder(words.callerNumbers.look)
  await field.fill('')
  await fill(field, code)
  const slider = page.getByRole('slider')
  await slider.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowUp')
  assert.equal(await slider.getAttribute('aria-valuenow'), String(Number(code)))
}

// What the picture shows, and what its legend promises: both drawn on a canvas of the test, so that they are read alike.
function cellColour(page: Page, code: number): Promise<string> {
  return page.evaluate(`(() => {
    const picture = document.querySelector('canvas')
    const unit = picture.width / 100
    const context = ${pixel}
    context.drawImage(picture, (${code} % 100) * unit, Math.floor(${code} / 100) * unit, 1, 1, 0, 0, 1, 1)
    return ${readPixel}
  })()`)
}

function legendColour(page: Page, index: number): Promise<string> {
  return page.evaluate(`(() => {
    const { backgroundColor } = getComputedStyle(document.querySelectorAll('[class*=legend] i')[${index}])
    const context = ${pixel}
    context.fillStyle = backgroundColor
    context.fillRect(0, 0, 1, 1)
    return ${readPixel}
  })()`)
}
