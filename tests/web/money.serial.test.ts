// "Money is never surprising": an owner sets a cap for a day, the call over it is refused and the refusal leads to the cap; Telegram
// says that the balance is low while there is still money; every line of the ledger opens its verification, and the lines add up to
// the balance. In a real browser with a real server, in both languages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { startBotApi } from '../support/web/bot-api.ts'
import { createCustomer, looks, signInAt } from '../support/web/journey.ts'
import { type Person, sitDown } from '../support/web/person.ts'

const mailDir = `${fileDirectory()}/mail`
const bot = await startBotApi()
// Conditions of notices are read every fifteen seconds.
const installation = await installPhones(0.05)
const { base } = await serveProcess(installation, {
  RINGPROOF_MAIL_DIR: mailDir,
  RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
  RINGPROOF_TELEGRAM_TOKEN: bot.token,
  RINGPROOF_TELEGRAM_API: bot.url,
})
const url = base.replace('127.0.0.1', 'localhost')
const browser = await startChromium()

const low = { en: /balance is low[^]*₽1\.40 is left/, ru: /баланс заканчивается[^]*Осталось 1,40\s₽/ }

for (const look of looks) {
  const { language } = look
  test(`a cap refuses, Telegram warns before zero, and the lines add up to the balance: ${language}`, async () => {
    const { visitor, email, serviceId, call } = await customer(language)
    const person = await sitDown(browser, url, look)
    const { page, words, press } = person
    await signInAt(person, `/dashboard/services/${serviceId}/settings`, email)
    const telegramId = language === 'en' ? 800 : 801
    const { link } = await poll('the bot', () => visitor.call('start-telegram').catch(() => undefined))
    bot.open(telegramId, link.split('?start=')[1] ?? '')

    // A cap of one a day: two calls of 0.40 fit, the third does not.
    await setCap(person, '1')
    const charged = [await call('180'), await call('180')]
    const refused = await call('180')
    assert.deepEqual([refused.status, refused.code], [429, 50])
    assert.match(refused.error, /spend a day|расходы в день/)

    // The log and the page of the error both lead to the cap.
    await page.goto(`/dashboard/log/${refused.requestId}`)
    await press(page.getByRole('article').getByRole('link', { name: words.log.openSetting }))
    const cap = page.locator('#setting-spend-day-max')
    await cap.locator('mark').waitFor()
    await page.goto(`/docs/${language}/errors/50`)
    await press(page.locator('a.setting[href*="spend-day-max"]').first())
    await page.waitForURL(`**/dashboard/services/${serviceId}/settings?mark=*`)
    await cap.locator('mark').waitFor()
    await cap.getByText(/₽0\.80|0,80\s₽/).waitFor()
    assert.deepEqual(await violationsOf(page), [])

    // With a higher cap the calls go on; the one that was not placed costs nothing.
    await setCap(person, '2')
    const third = await poll(
      'the higher cap',
      () => call('180'),
      ({ status }) => status === 200,
    )
    await call('486')
    assert(!bot.messagesTo(telegramId).some((text) => low[language].test(text)))
    charged.push(third, await call('180'))
    await poll('the message about the balance', () =>
      bot.messagesTo(telegramId).some((text) => low[language].test(text)),
    )
    assert.equal((await visitor.call('balance')).balance, 1.4)

    await page.goto('/dashboard/balance')
    await page.getByRole('heading', { level: 1, name: /₽1\.40|1,40\s₽/ }).waitFor()
    const statement = page.getByRole('table', { name: words.balance.statement })
    const days = await hrefsOf(statement)
    assert.equal(await minorUnitsIn(statement), 140)
    assert.deepEqual(await violationsOf(page), [])

    const others = await openLines(
      person,
      days,
      charged.map(({ id }) => id),
    )
    // The top-up is the only line that is left: the busy phone has none.
    assert.deepEqual(others, ['balance'])
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}

// A day opens its lines, and each line the verification that was charged. Returns where the other lines lead.
async function openLines(
  { page, words }: Person,
  days: readonly string[],
  charged: readonly string[],
): Promise<readonly string[]> {
  const opened = new Map<string, string>()
  let minorUnits = 0
  for (const day of new Set(days)) {
    await page.goto(day)
    const lines = page.getByRole('table', { name: namedBy(words.balance.lines) })
    await lines.waitFor()
    minorUnits += await minorUnitsIn(lines)
    for (const line of await hrefsOf(lines)) opened.set(line.split('/').at(-1) ?? '', line)
    assert.deepEqual(await violationsOf(page), [])
  }
  assert.equal(minorUnits, 140)
  for (const id of charged) {
    await page.goto(opened.get(id) ?? assert.fail(`no line opens verification ${id}`))
    const money = page.locator('section').filter({ has: page.getByRole('heading', { name: words.verification.money }) })
    await money
      .getByText(/^(₽0\.40|0,40\s₽)$/)
      .first()
      .waitFor()
    await page.locator('main').getByText(id).first().waitFor()
    opened.delete(id)
  }
  return [...opened.keys()]
}

// An owner with a balance of 3.00 who spent 0.50 a day in the last week: three days take 1.50.
async function customer(language: 'en' | 'ru') {
  const made = await createCustomer(installation, { base, mailDir }, { language, balance: 3 })
  const { visitor, email, accountId, serviceId, bearer } = made
  await asOwner(
    (client) =>
      client.query(
        `INSERT INTO call_hours (hour, account_id, service_id, mode, is_test, country, provider, trunk, state, reason,
                                 calls, dialled, rang, repeats, charged)
         VALUES (date_trunc('hour', clock_timestamp(), 'UTC') - interval '2 days', $1, $2, 'flash', false, 'RU', '', 'first',
                 'succeeded', 'rang', 10, 10, 10, 0, 3500000)`,
        [accountId, serviceId],
      ),
    installation.database.ownerUrl,
  )
  const call = async (scenario: string) => {
    const body = { phone: freshNumber(scenario) }
    const { status, json, headers } = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: bearer, body })
    if (status === 200) {
      const info = await settled(base, { bearer }, json['vendor_id'])
      assert.equal(info['call_status'], scenario === '180' ? 1 : 0)
    }
    return {
      status,
      code: json['code'],
      error: String(json['error']),
      id: String(json['vendor_id']),
      requestId: headers.get('x-request-id') ?? '',
    }
  }
  return { visitor, email, serviceId, call }
}

async function setCap({ page, words, fill, press, button }: Person, cap: string): Promise<void> {
  await fill(page.getByLabel(words.settings.labels['spend-day-max'], { exact: true }), cap)
  await press(button(words.settings.save))
  await page.locator('#changes').getByText(words.settings.noChanges).waitFor()
}

async function hrefsOf(table: Locator): Promise<readonly string[]> {
  return table.locator('tbody a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
}

// The amounts that a table shows with a sign, added up.
async function minorUnitsIn(table: Locator): Promise<number> {
  await table.waitFor()
  const cells = await table.locator('tbody td').allInnerTexts()
  return cells.reduce((sum, cell) => {
    const [, sign, whole, hundredths] = /^([+−])₽?([\d\s]+)[.,](\d\d)(?:\s₽)?$/.exec(cell.trim()) ?? []
    if (whole === undefined) return sum
    return sum + (sign === '+' ? 1 : -1) * Number(`${whole.replaceAll(/\s/g, '')}${hundredths}`)
  }, 0)
}

// The heading of any day.
function namedBy(lines: (day: string) => string): RegExp {
  return new RegExp(`^${lines('.+')}$`)
}
