// An owner shares statistics by a link, somebody without a session reads them in another browser, and the link is revoked: with a
// real server, in both languages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createCustomer, looks, signInAt } from '../support/web/journey.ts'
import { sitDown } from '../support/web/person.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.25)
const { base } = await serveProcess(installation, {
  RINGPROOF_MAIL_DIR: mailDir,
  RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
})
const url = base.replace('127.0.0.1', 'localhost')
const browser = await startChromium()

for (const look of looks) {
  test(`a link shows statistics without a session until it is revoked: ${look.language}`, async () => {
    const email = await customer(look.language)
    const person = await sitDown(browser, url, look)
    const { page, words, fill, press, button } = person
    await signInAt(person, '/dashboard/statistics', email)
    await press(button(words.statistics.share))
    await fill(page.getByLabel(words.statistics.shareName, { exact: true }), 'For the carrier')
    await press(button(words.statistics.shareAct))
    const link = await page.getByRole('dialog').locator('code').innerText()
    assert(link.startsWith(`${url}/dashboard/shared#token=`), link)
    await press(button(words.shell.done))
    await page.getByText(words.statistics.shares, { exact: true }).waitFor()

    const reader = await sitDown(browser, url, look)
    await reader.page.goto(link)
    await reader.page.getByRole('heading', { level: 1, name: 'For the carrier' }).waitFor()
    await reader.page.getByText(words.statistics.providers, { exact: true }).waitFor()
    assert.equal(await reader.page.getByRole('link').count(), 0)
    const shown = await reader.page.locator('main').innerText()
    assert.doesNotMatch(shown, /₽|My shop|Canary|@/)
    assert.deepEqual(await violationsOf(reader.page), [])
    assert.deepEqual(reader.faults, [])

    await press(button(words.statistics.revoke))
    await press(page.getByRole('dialog').getByRole('button', { name: words.statistics.revoke, exact: true }))
    await page.getByText(words.statistics.revoked).waitFor()
    await page.getByText(words.statistics.shares, { exact: true }).waitFor({ state: 'detached' })
    assert.deepEqual(person.faults, [])
    await reader.page.reload()
    await reader.page.getByText(words.statistics.sharedGone).waitFor()
    await reader.close()
    await person.close()
  })
}

// One call, of a service whose name the link does not show.
async function customer(language: 'en' | 'ru'): Promise<string> {
  const { email, bearer } = await createCustomer(installation, { base, mailDir }, { language, name: 'Canary' })
  const body = { phone: freshNumber('180') }
  const started = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: bearer, body })
  assert.equal(started.status, 200, started.text)
  await settled(base, { bearer }, started.json['vendor_id'])
  return email
}
