// An operator reads the margin of the last month, makes a tariff whose price has a tenth of a minor unit, plans a price for tomorrow after
// reading what it would have brought, and gives the tariff to a customer, who reads the same price in the dashboard: in a real browser with
// a real server, with the mouse in English and with the keyboard alone in Russian.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SlotMap } from '../../server/src/db/core/slot-map.ts'
import { type AccountId, slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { dayMs } from '../../server/src/domain/values/time.ts'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { installPhones } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { looks, signInAt, signInOperator } from '../support/web/journey.ts'
import { createOperator } from '../support/web/operator.ts'
import { signUp } from '../support/web/people.ts'
import { type Person, sitDown } from '../support/web/person.ts'

const browser = await startChromium()

for (const look of looks) {
  test(`a tariff is made, a price planned on last month's calls, and a customer sees it: ${look.language}`, async () => {
    const installation = await installPhones(0.3)
    const mailDir = `${fileDirectory()}/mail-${look.language}`
    const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
    const { base } = await serveProcess(installation, settings)
    const owner = await signUp({ base, mailDir }, look.language)
    const { account } = await owner.visitor.call('me')
    const accountId = (account?.id ?? assert.fail()) as AccountId
    await addPastCalls(installation.slots, accountId)
    const admin = await createOperator(installation, base, 'admin')
    const site = base.replace('127.0.0.1', 'localhost')

    const person = await sitDown(browser, site, look)
    const { page, words } = person
    const { tariffs } = words
    await signInOperator(person, '/console/tariffs', admin)
    // 72 for 180 paid calls, 260 dialled ones at 0.15.
    await page.getByRole('heading', { level: 1, name: tariffs.title(percent(look.language, 33 / 72)) }).waitFor()
    const row = page
      .getByRole('row')
      .filter({ hasText: `${look.language === 'ru' ? 'Россия' : 'Russia'}, ${tariffs.kinds.flash}` })
    assert.match(await row.innerText(), look.language === 'ru' ? /33,00/ : /33\.00/)

    await makeTariff(person)
    await page.getByText(tariffs.tariffMade('Partners')).waitFor()
    await page.getByRole('region', { name: 'Partners' }).getByText(tariffs.any).waitFor()
    assert.match(await page.locator('main').innerText(), look.language === 'ru' ? /0,405\s₽/ : /₽0\.405/)

    await planPrice(person)
    const planned = page.getByText(new RegExp(`^.*${look.language === 'ru' ? '0,50\\s₽ с' : '₽0\\.50 from'}`))
    await planned.first().waitFor()
    assert.deepEqual(await violationsOf(page), [])
    const { entries } = await admin.visitor.call('audit-log', { action: 'tariff' })
    assert.deepEqual(
      entries.map(({ action, who }) => [action, who]),
      ['tariff price set', 'tariff price set', 'tariff created'].map((action) => [action, admin.email]),
    )
    // The browser notes each refused request; the code that is taken was meant.
    assert.deepEqual(
      person.faults.filter((fault) => !fault.includes('409')),
      [],
    )
    await person.close()

    await admin.visitor.call('set-customer-tariff', { accountId, tariff: 'partners' })
    const customer = await sitDown(browser, site, look)
    await signInAt(customer, '/dashboard/balance', owner.email)
    await customer.page.getByText(customer.words.balance.pricesNote('Partners')).waitFor()
    assert.match(await customer.page.locator('main').innerText(), look.language === 'ru' ? /0,405\s₽/ : /₽0\.405/)
    assert.deepEqual(customer.faults, [])
    await customer.close()
  })
}

// Yesterday's, over a trunk with a cost.
async function addPastCalls(slots: SlotMap, accountId: AccountId): Promise<void> {
  const yesterday = new Date(Math.floor(Date.now() / dayMs - 1) * dayMs)
  await slots.globalDatabase.query(
    `INSERT INTO trunk_costs (trunk, mode, country, cost, valid_from) VALUES ('first', 'flash', 'RU', 150000, $1)`,
    [yesterday],
  )
  for (const [state, reason, calls, dialled, repeats, charged] of [
    ['succeeded', 'rang', 200, 200, 20, 72_000_000],
    ['failed', 'busy', 80, 60, 0, 0],
  ] as const) {
    await slots.databaseOf(slotOfAccount(accountId)).query(
      `INSERT INTO call_hours (hour, account_id, service_id, mode, is_test, country, provider, trunk, state, reason, calls, dialled, rang,
         repeats, charged) VALUES ($1, $2, 64, 'flash', false, 'RU', '', 'first', $3, $4, $5, $6, 0, $7, $8)`,
      [new Date(yesterday.getTime() + 3_600_000), accountId, state, reason, calls, dialled, repeats, charged],
    )
  }
}

async function makeTariff({ page, words: { tariffs }, fill, press, button }: Person): Promise<void> {
  await press(button(tariffs.addTariff))
  const dialog = page.getByRole('dialog')
  await fill(dialog.getByLabel(tariffs.tariffName, { exact: true }), 'Partners')
  const code = dialog.getByLabel(tariffs.code, { exact: true })
  await fill(code, 'uni')
  await fill(dialog.getByLabel(tariffs.price('₽'), { exact: true }), '0,405')
  await press(dialog.getByRole('button', { name: tariffs.publish }))
  await dialog.getByText(tariffs.codeTaken).waitFor()
  assert.deepEqual(await violationsOf(page), [])
  await code.fill('')
  await fill(code, 'partners')
  await press(dialog.getByRole('button', { name: tariffs.publish }))
  await dialog.waitFor({ state: 'hidden' })
}

// The preview is of the tariff that the calls were charged by.
async function planPrice({ page, words: { tariffs }, look, fill, press, button }: Person): Promise<void> {
  await press(button(tariffs.addPrice))
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(tariffs.tariff, { exact: true }).selectOption('uni')
  const country = dialog.getByLabel(tariffs.country, { exact: true })
  await country.fill('')
  await fill(country, 'RU')
  await fill(dialog.getByLabel(tariffs.price('₽'), { exact: true }), '0,5')
  const preview = dialog.getByRole('status')
  await preview.getByText(tariffs.affected(180)).waitFor()
  const [revenue, margin] =
    look.language === 'ru' ? [/72,00\s₽ → 90,00\s₽/, /33,00\s₽ → 51,00\s₽/] : [/₽72\.00 → ₽90\.00/, /₽33\.00 → ₽51\.00/]
  assert.match(await preview.innerText(), revenue)
  assert.match(await preview.innerText(), margin)
  const tomorrow = new Date(Date.now() + dayMs).toISOString().slice(0, 16)
  // How a date is typed differs from browser to browser.
  await dialog.getByLabel(tariffs.validFrom, { exact: true }).fill(tomorrow)
  await press(dialog.getByRole('button', { name: tariffs.publish }))
  await dialog.waitFor({ state: 'hidden' })
}

function percent(language: 'en' | 'ru', share: number): string {
  const locale = language === 'ru' ? 'ru-RU' : 'en-GB'
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share)
}
