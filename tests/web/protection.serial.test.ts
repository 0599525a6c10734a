// An operator tries a limit on past calls, reads what it would have blocked, and switches it on. The next call of the same pattern is
// refused, the operator sees the hit, unblocks the range, and calls pass again: in a real browser with a real server, with the mouse
// in English and with the keyboard alone in Russian.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOperatorActions } from '../../server/src/db/core/action-log.ts'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { installPhones, settled } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { looks, signInOperator } from '../support/web/journey.ts'
import { createOperator } from '../support/web/operator.ts'
import { type Look, type Person, sitDown } from '../support/web/person.ts'

const browser = await startChromium()
const prefix = '7907123'
// The last three are above the limit; two of them ring.
const scenarios = ['180', '404', '180', '180', '586', '180', '404', '586']
const limit = 5

for (const look of looks) {
  test(`a rule is replayed, switched on, refuses, is seen and lifted: ${look.language}`, async () => {
    const { installation, base, service, call } = await withPastCalls(look)
    const operator = await createOperator(installation, base, 'admin')
    const person = await sitDown(browser, base.replace('127.0.0.1', 'localhost'), look)
    const { page, press, fill, button } = person
    const words = person.words.protection
    await signInOperator(person, '/console/fraud', operator)
    await page.getByRole('heading', { level: 1, name: words.noneToday }).waitFor()

    await tryLimit(person)
    await page.getByText(words.most(3, 1, service.serviceId)).waitFor()
    assert.deepEqual(await violationsOf(page), [])
    await press(button(words.act.on(limit)))
    await page.getByText(words.wasSet).waitFor()

    const refused = await poll(
      'the limit to hold',
      () => call('9404'),
      ({ json }) => json['code'] === 50,
    )
    assert.deepEqual([refused.status, refused.json['code']], [429, 50])
    assert.match(String(refused.json['error']), look.language === 'ru' ? /диапазон/ : /range of numbers/)
    assert(Number(refused.headers.get('retry-after')) >= 1)

    const range = `${prefix}****`
    await page.getByText(words.causes['prefix-cap'](service.serviceId)).waitFor()
    await page.getByText(words.hit(service.serviceId, words.names['prefix-cap'])).waitFor()
    await press(button(words.unblockOf(range)))
    await fill(page.getByRole('dialog').getByLabel(words.reason, { exact: true }), 'a campaign of the customer')
    await press(button(words.unblock))
    await page.getByText(words.blockedNone).waitFor()
    await button(words.endAllowanceOf(range)).waitFor()
    const passed = await poll(
      'the range to be free',
      () => call('9586'),
      ({ json }) => json['code'] !== 50,
    )
    assert.equal(passed.status, 200, passed.text)

    assert.deepEqual(await violationsOf(page), [])
    const log = await readOperatorActions(installation.slots.globalDatabase, { countMax: 10 })
    assert.deepEqual(
      log
        .filter(({ who }) => who === operator.email)
        .map(({ action }) => action)
        .slice(0, 2),
      ['range unblocked', 'fraud limits set'],
    )
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}

async function withPastCalls({ language }: Look) {
  // Caps count by the clock hour: it must not end in between.
  await poll(
    'an hour with time left',
    async () => new Date().getUTCMinutes(),
    (minute) => minute < 57,
    { timeoutMs: 200_000, intervalMs: 1_000 },
  )
  const installation = await installPhones(0.3)
  const settings = {
    RINGPROOF_MAIL_DIR: `${fileDirectory()}/mail`,
    RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
    // As by default: calls to a range are counted, so a lower limit holds at once.
    RINGPROOF_PREFIX_HOUR_MAX: '200',
  }
  const { base } = await serveProcess(installation, settings)
  const service = await makeService(installation)
  const headers = { ...service.bearer, 'accept-language': language }
  const call = (last: string) => ask(`${base}/v1.0/initCall?phone=${prefix}${last}`, { headers })
  for (const [digit, scenario] of scenarios.entries()) {
    const { json, text } = await call(`${digit}${scenario}`)
    assert.equal(json['status'], true, text)
    await settled(base, service, json['vendor_id'])
  }
  return { installation, base, service, call }
}

// The sentence says how many calls, and how many of them were people.
async function tryLimit({ page, words: { protection }, press, fill, button }: Person): Promise<void> {
  await press(button(protection.changeOf(protection.names['prefix-cap'])))
  const field = page.getByLabel(protection.newLimit, { exact: true })
  await field.fill('')
  await fill(field, String(limit))
  await press(button(protection.replay))
  const sentence = page.getByText(protection.wouldBlock(3, 7))
  await sentence.waitFor()
  assert.equal(await sentence.innerText(), `${protection.wouldBlock(3, 7)}, ${protection.succeeded(2)}`)
}
