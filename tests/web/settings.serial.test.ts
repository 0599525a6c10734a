// A developer whose request was refused follows the API log to the setting, changes it, and the request is accepted: in a real
// browser with a real server, in both languages and themes, on a wide and on a narrow screen, with the mouse and with the keyboard.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { installPhones } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createCustomer, looks, signInAt, typePassword, wide } from '../support/web/journey.ts'
import { sitDown } from '../support/web/person.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(1)
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serveProcess(installation, settings)
const url = base.replace('127.0.0.1', 'localhost')
const browser = await startChromium()

const countries = { en: 'Kazakhstan', ru: 'Казахстан' } as const

async function customer(language: 'en' | 'ru') {
  const made = await createCustomer(installation, { base, mailDir }, { language })
  const { visitor, email, serviceId, bearer: headers } = made
  await visitor.call('save-settings', { serviceId, settings: { geography: 'RU' }, was: {} })
  const send = () => ask(`${base}/v1.0/initCall`, { method: 'POST', headers, body: { phone: numbers[language] } })
  return { visitor, email, serviceId, send }
}

const numbers = { en: '77015550182', ru: '77015550183' } as const

for (const look of looks) {
  const { language } = look
  test(`from a refusal in the API log to the setting, and the request is accepted: ${language}`, async () => {
    const { email, serviceId, send } = await customer(language)
    const refused = await send()
    assert.equal(refused.json['code'], 9, refused.text)

    const person = await sitDown(browser, url, look)
    const { page, words, fill, press, button } = person
    await signInAt(person, '/dashboard/log', email)
    await press(page.getByRole('link', { name: words.log.openSetting }).first())
    await page.waitForURL(`**/dashboard/services/${serviceId}/settings?mark=geography.KZ`)

    const country = page.locator('li[data-marked]')
    await country.getByText(countries[language], { exact: true }).waitFor()
    assert.equal(await country.locator('mark').count(), 1)
    const box = await country.boundingBox()
    assert(box !== null && box.y > 0 && box.y < 900, `the setting is at ${box?.y}`)
    await press(country.getByRole('button', { name: words.settings.rules.allow }))
    const changes = page.locator('#changes')
    await changes.getByText(countries[language], { exact: true }).waitFor()
    assert.match(
      (await changes.innerText()).replaceAll(/\s+/g, ' '),
      new RegExp(`${words.settings.rules.block} ${words.settings.rules.allow}`),
    )

    // With the change that is not saved, the number would be accepted; with the saved settings it is refused.
    await fill(page.getByLabel(words.settings.phone, { exact: true }), `+7 701 555-01-8${language === 'en' ? 2 : 3}`)
    await press(button(words.settings.test))
    await page.getByText(words.settings.wouldCall).waitFor()
    await page.getByText(words.settings.savedRefuses(9)).waitFor()
    assert.equal((await send()).json['code'], 9)

    await press(button(words.settings.save))
    await changes.getByText(words.settings.noChanges).waitFor()
    const accepted = await poll('the request to be accepted', send, ({ status }) => status === 200)
    assert.equal(accepted.json['status'], true)
    assert(!(await page.content()).includes(numbers[language]))
    assert.deepEqual(await violationsOf(page), [])
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}

test('an error page leads through the sign-in to the setting of the only service', async () => {
  const { email, serviceId } = await customer('en')
  const person = await sitDown(browser, url, wide)
  const { page, press } = person
  await page.goto('/docs/en/errors/1003')
  await press(page.locator('a.setting').first())
  await typePassword(person, email)
  await page.waitForURL(`**/dashboard/services/${serviceId}/settings?mark=addresses`)
  await page.locator('#setting-addresses mark').waitFor()
  assert.deepEqual(person.faults, [])
  await person.close()
})

test('two tabs: the second sees what the first has saved, and chooses', async () => {
  const { visitor, email, serviceId } = await customer('en')
  const person = await sitDown(browser, url, wide)
  const { page, words, fill, press, button } = person
  await signInAt(person, `/dashboard/services/${serviceId}/settings`, email)
  const field = page.getByLabel(words.settings.labels['verifications-hour-max'], { exact: true })
  await fill(field, '70')
  await visitor.call('save-settings', { serviceId, settings: { 'verifications-hour-max': '80' }, was: {} })
  // Noticed by a live update, before anything is saved.
  await page.getByText(words.settings.meanwhile('80')).waitFor()
  assert(await button(words.settings.save).isDisabled())
  await press(button(words.settings.keepMine))
  await press(button(words.settings.save))
  await page.locator('#changes').getByText(words.settings.noChanges).waitFor()
  const { settings: saved } = await visitor.call('service-settings', { serviceId: String(serviceId) })
  assert.equal(saved['verifications-hour-max'], '70')
  await person.close()
})
