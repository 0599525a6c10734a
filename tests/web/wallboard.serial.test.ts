// The wallboard in a real browser, over a real Asterisk: one trunk and nothing red, and it works once a phone has rung; the carrier falls
// silent, and within ten seconds the wallboard says so, with the cause and a link to the trunk; the carrier answers again, and it is calm.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { ask } from '../support/http/ask.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { testAsterisk } from '../support/sip/asterisk.ts'
import { createMoodyCarrier } from '../support/sip/moody-carrier.ts'
import { looks, takeSession } from '../support/web/journey.ts'
import { operatorAs } from '../support/web/people.ts'
import { sitDown } from '../support/web/person.ts'

const [asterisk, carrier] = await Promise.all([testAsterisk(), createMoodyCarrier('udp')])
const phones = await installPhones(1, 1, { address: carrier.address })
// One trunk is the normal case.
for (const table of ['caller_ranges', 'confirmation_numbers']) {
  await phones.slots.globalDatabase.query(`DELETE FROM ${table} WHERE trunk = 'second'`)
}
await phones.slots.globalDatabase.query(`DELETE FROM trunks WHERE name = 'second'`)
const installation = { ...phones, environment: { ...phones.environment, ...asterisk.environment } }
const { base, running } = await serveProcess(installation, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
await running.says('"msg":"ARI connected"')
const service = await makeService(installation, 1_000)
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })
const browser = await startChromium()

const redMsMax = 10_000
let calls = 0

for (const look of looks) {
  test(`a carrier that falls silent is red within ten seconds: ${look.language}`, async () => {
    const visitor = await operatorAs(base, cli, 'viewer')
    const person = await sitDown(browser, base.replace('127.0.0.1', 'localhost'), look)
    const { page, words, press } = person
    await takeSession(person, visitor)
    await page.goto('/console/wallboard')
    const heading = (text: string) => page.getByRole('heading', { level: 1, name: text })
    // Of an earlier look there may be a call.
    await heading(calls === 0 ? words.wallboard.noCallsHour : words.wallboard.well).waitFor()
    assert.equal(await page.getByRole('region', { name: words.wallboard.needs }).count(), 0)
    const { json } = await ask(`${base}/v1.0/initCall?phone=${freshNumber('180')}`, { headers: service.bearer })
    await settled(base, service, json['vendor_id'])
    await page.getByRole('img', { name: /[1-9]/ }).waitFor()
    await heading(words.wallboard.well).waitFor()
    calls += 1

    carrier.setMood({ options: undefined, invite: undefined })
    const failedMs = performance.now()
    await heading(words.wallboard.down('first')).waitFor()
    const tookMs = performance.now() - failedMs
    assert(tookMs <= redMsMax, `red after ${tookMs} ms`)
    const needs = page.getByRole('region', { name: words.wallboard.needs })
    const why = await needs.innerText()
    assert(why.includes(words.trunks.cause.silent.slice(0, -1)), why)
    assert(why.includes(words.trunks.advice.silent), why)
    assert.deepEqual(await violationsOf(page), [])
    await press(needs.getByRole('link', { name: `${words.wallboard.toTrunk}: first` }))
    await page.waitForURL(({ pathname }) => pathname === '/console/trunks/first')

    carrier.setMood({})
    await page.goto('/console/wallboard')
    await heading(words.wallboard.well).waitFor()
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}
