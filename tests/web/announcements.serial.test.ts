// An operator announces maintenance that stops all calls. A customer reads it in the dashboard, the public status says it, and a start is
// refused. The operator ends it: the banner goes, and calls start again. In a real browser with a real server, with the mouse in English and
// with the keyboard alone in Russian.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { looks, signInAt, signInOperator } from '../support/web/journey.ts'
import { createOperator } from '../support/web/operator.ts'
import { signUp } from '../support/web/people.ts'
import { type Person, sitDown } from '../support/web/person.ts'

const browser = await startChromium()
const texts = { en: 'Database upgrade until the morning.', ru: 'Обновление базы до утра.' }

for (const look of looks) {
  test(`maintenance is announced, stops calls and is ended: ${look.language}`, async () => {
    const installation = await installPhones(0.3)
    const mailDir = `${fileDirectory()}/mail-${look.language}`
    const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
    const { base } = await serveProcess(installation, settings)
    const owner = await signUp({ base, mailDir }, look.language)
    const admin = await createOperator(installation, base, 'admin')
    const service = await makeService(installation)
    const start = () => ask(`${base}/v1.0/initCall?phone=${freshNumber('180')}`, { headers: service.bearer })
    const status = async () => (await (await fetch(`${base}/status.json`)).json()) as PublicStatus
    const site = base.replace('127.0.0.1', 'localhost')
    await poll('the status', status, (now) => now.status === 'ok')

    const customer = await sitDown(browser, site, look)
    await signInAt(customer, '/dashboard/overview', owner.email)
    await customer.page.waitForURL(/\/dashboard\/overview/)
    const banner = customer.page.getByRole('status').filter({ hasText: texts[look.language] })
    assert.equal(await banner.count(), 0)

    const person = await sitDown(browser, site, look)
    const { page, words, press, button } = person
    const { announcements } = words
    await signInOperator(person, '/console/announcements', admin)
    await post(person)
    await page.getByRole('heading', { level: 1, name: announcements.active(1) }).waitFor()
    assert.deepEqual(await violationsOf(page), [])

    await customer.page.reload()
    await banner.getByText(words.shell.shell.severities.maintenance).waitFor()
    await customer.page.getByRole('heading', { level: 1 }).waitFor()
    assert.deepEqual(await violationsOf(customer.page), [])
    const now = await poll('the status', status, (one) => one.status === 'maintenance')
    assert.deepEqual(now.announcements[0]?.text, texts)
    const refused = await poll('the API to stop', start, ({ json }) => json['code'] === 5)
    assert.equal(refused.status, 503)

    await press(button(`${announcements.end}: ${texts[look.language]}`))
    await press(page.getByRole('dialog').getByRole('button', { name: announcements.end, exact: true }))
    await page.getByText(announcements.resumed).waitFor()
    await page.getByRole('heading', { level: 1, name: announcements.quiet }).waitFor()
    await poll('the status', status, (one) => one.status === 'ok' && one.announcements.length === 0)
    await poll('calls to start again', start, (answer) => answer.status === 200)
    await customer.page.reload()
    await customer.page.getByRole('heading', { level: 1 }).waitFor()
    await banner.waitFor({ state: 'hidden' })

    const { entries } = await admin.visitor.call('audit-log', { action: 'announcement' })
    assert.deepEqual(
      entries.map(({ action, who }) => [action, who]),
      [
        ['announcement ended', admin.email],
        ['announcement posted', admin.email],
      ],
    )
    assert.deepEqual([...person.faults, ...customer.faults], [])
    await person.close()
    await customer.close()
  })
}

type PublicStatus = { readonly status: string; readonly announcements: readonly { readonly text: typeof texts }[] }

async function post({ page, words, look, fill, press, button }: Person): Promise<void> {
  const { announcements } = words
  await press(button(announcements.add))
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(announcements.severity, { exact: true }).selectOption('maintenance')
  await fill(dialog.getByLabel(announcements.en, { exact: true }), texts.en)
  await fill(dialog.getByLabel(announcements.ru, { exact: true }), texts.ru)
  const stop = dialog.getByRole('checkbox')
  await (look.hasMouse ? stop.click() : fill(stop, ' '))
  assert.equal(await stop.isChecked(), true)
  await press(dialog.getByRole('button', { name: announcements.post, exact: true }))
  await dialog.waitFor({ state: 'hidden' })
}
