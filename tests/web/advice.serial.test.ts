// Flash calls to one provider stop ringing. The owner sees it, changes the mode for this provider with one button whose price is
// beside it, and undoes it: in a real browser with a real server and its scripted phone network.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { importFictitiousRegistry } from '../support/numbering/fictitious-registry.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createCustomer, looks, signInAt } from '../support/web/journey.ts'
import { sitDown } from '../support/web/person.ts'

const mailDir = `${fileDirectory()}/mail`
const phones = await installPhones(0.3)
const environment = { ...phones.environment, RINGPROOF_NUMBERING_DIR: `${fileDirectory()}/numbering` }
const installation = { ...phones, environment }
await importFictitiousRegistry(environment)
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serveProcess(installation, settings)
const url = base.replace('127.0.0.1', 'localhost')
const browser = await startChromium()

const provider = 'Ромашка Связь'
const callsNow = 60
const at = (range: 'daisy' | 'reed', scenario: string) =>
  freshNumber(scenario).replace(
    /^7907(\d)/,
    (_, digit: string) => `7907${(Number(digit) % 5) + (range === 'reed' ? 5 : 0)}`,
  )

for (const look of looks) {
  test(`a provider stops ringing: advice with its price, one action, and back again: ${look.language}`, async () => {
    const customer = await createCustomer(installation, { base, mailDir }, { ...look, balance: 1_000 })
    const { visitor, email, accountId, serviceId, bearer } = customer
    const start = async (phone: string) => {
      const started = await ask(`${base}/v1.0/initCall`, {
        method: 'POST',
        headers: bearer,
        body: { phone, code: '4821' },
      })
      assert.equal(started.status, 200, started.text)
      await settled(base, { bearer }, started.json['vendor_id'])
      const { mode, charged, code } = await visitor.call('verification', { id: String(started.json['vendor_id']) })
      return { mode, charged, code: started.json['code'], shown: code }
    }
    // In the weeks before, nearly every call rang.
    await fillWeeksBefore(accountId, serviceId)
    for (let n = 0; n < callsNow; n += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, m) => start(at('daisy', (n + m) % 5 < 2 ? '180' : '503'))))
    }

    const person = await sitDown(browser, url, look)
    const { page, words, press, button } = person
    await signInAt(person, '/dashboard/overview', email)
    await page.getByText(words.statistics.instead.mix(provider)).waitFor()
    // The price is there before the click.
    const advice = (await page.getByText(words.statistics.instead.mix(provider)).textContent()) ?? ''
    assert.match(advice, /1[.,]50?\s?₽|₽\s?1[.,]50?/)
    assert.match(advice, /0[.,]40?\s?₽|₽\s?0[.,]40?/)
    assert.deepEqual(await start(at('daisy', '180')), { mode: 'flash', charged: 0.4, code: '4821', shown: null })

    // Undone at once, while the line at the foot of the page offers it.
    const rule = page.getByText(words.statistics.rule(provider, words.shell.mode.mix.toLowerCase()))
    await press(button(words.statistics.insteadAct.mix))
    await rule.waitFor()
    assert.equal(await button(words.statistics.insteadAct.mix).count(), 0)
    await press(button(words.shell.undo))
    await button(words.statistics.insteadAct.mix).waitFor()

    await press(button(words.statistics.insteadAct.mix))
    await rule.waitFor()
    const modeNow = async () => (await start(at('daisy', '299'))).mode
    await poll('calls to be placed as mix', modeNow, (mode) => mode === 'mix')
    assert.deepEqual(await start(at('daisy', '200')), { mode: 'mix', charged: 1.5, code: '4821', shown: null })
    assert.equal((await start(at('reed', '180'))).mode, 'flash')
    assert.deepEqual(await violationsOf(page), [])

    // Ended later, by the rule itself.
    await press(button(words.statistics.ruleEnd))
    await button(words.statistics.insteadAct.mix).waitFor()
    await poll('calls to be placed as flash again', modeNow, (mode) => mode === 'flash')
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}

// Of a hundred calls in this hour of each of the four weeks before, 95 rang.
async function fillWeeksBefore(accountId: number, serviceId: number): Promise<void> {
  await asOwner(
    (client) =>
      client.query(
        `INSERT INTO call_hours (hour, account_id, service_id, mode, is_test, country, provider, trunk, state, reason,
                                 calls, dialled, rang, repeats, charged)
         SELECT date_trunc('hour', clock_timestamp(), 'UTC') - make_interval(days => 7 * week), $1, $2, 'flash', false, 'RU', $3,
                'first', 'succeeded', 'rang', 100, 100, 95, 0, 0
         FROM generate_series(1, 4) AS week`,
        [accountId, serviceId, provider],
      ),
    installation.database.ownerUrl,
  )
}
