// Switch-over moves traffic and comes back, in a real browser, over a real Asterisk and two scripted carriers: the first carrier fails
// calls, traffic moves to the second within minutes, the operator reads why; the carrier is repaired, and traffic returns by itself. A
// minute takes three seconds here.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { putTrunk, readTrunks } from '../../server/src/db/trunks/trunk.ts'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { testAsterisk } from '../support/sip/asterisk.ts'
import { createMoodyCarrier } from '../support/sip/moody-carrier.ts'
import { takeSession, wide } from '../support/web/journey.ts'
import { operatorAs } from '../support/web/people.ts'
import { sitDown } from '../support/web/person.ts'

const timeScale = 0.05
const [asterisk, alfa, beta] = await Promise.all([testAsterisk(), createMoodyCarrier('udp'), createMoodyCarrier('udp')])
const phones = await installPhones(timeScale, 1, { address: alfa.address })
const { globalDatabase } = phones.slots
for (const trunk of await readTrunks(globalDatabase)) {
  if (trunk.name === 'second') await putTrunk(globalDatabase, { ...trunk, address: beta.address })
}
const installation = { ...phones, environment: { ...phones.environment, ...asterisk.environment } }
const { base, running } = await serveProcess(installation, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
await running.says('"msg":"ARI connected"')
const service = await makeService(installation, 10_000)
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })
const admin = await operatorAs(base, cli, 'admin')
const browser = await startChromium()

const callEveryMs = 90

test('a carrier fails, traffic moves; it is repaired, traffic comes back', async () => {
  const calls = keepCalling()
  try {
    const person = await sitDown(browser, base.replace('127.0.0.1', 'localhost'), wide)
    const { page, words } = person
    await takeSession(person, admin)
    await page.goto('/console/routing')
    await page.getByText(words.switchOvers.none).waitFor()
    await poll(
      'phones to ring',
      async () => calls.rang(),
      (rang) => rang.first >= 30,
    )

    alfa.setMood({ invite: '486 Busy Here' })
    const failedMs = performance.now()
    await page
      .getByText(/^Moved from first to second at .*: ring-through \d+% against \d+%/)
      .waitFor({ timeout: 60_000 })
    const tookMinutes = (performance.now() - failedMs) / 60_000 / timeScale
    assert(tookMinutes <= 12, `${tookMinutes} minutes`)
    await page.getByText(words.switchOvers.state.probing('first')).waitFor()
    const before = { ...calls.rang() }
    await poll(
      'calls over the second trunk',
      async () => calls.rang().second,
      (rang) => rang >= before.second + 30,
    )
    assert.equal(calls.rang().first, before.first, 'probes fail')
    assert.deepEqual(await violationsOf(page), [])

    await page.goto('/console/deliverability')
    await page.getByText(/^Moved from first to second at /).waitFor()
    await page.goto('/console/routing')

    alfa.setMood({})
    const repairedMs = performance.now()
    await page
      .getByText(words.switchOvers.state.recovering('first', '').split('.')[0] ?? '')
      .waitFor({ timeout: 90_000 })
    await page.getByText(/^back at .*: rings as usual again$/).waitFor({ timeout: 90_000 })
    const backMinutes = (performance.now() - repairedMs) / 60_000 / timeScale
    assert(backMinutes >= 10 && backMinutes > tookMinutes, `${backMinutes} minutes`)
    const after = { ...calls.rang() }
    await poll(
      'calls over the first trunk',
      async () => calls.rang().first,
      (rang) => rang >= after.first + 30,
    )
    assert.equal(await page.getByRole('button', { name: words.switchOvers.takeBack }).count(), 0)
    assert.deepEqual(person.faults, [])
    await person.close()
  } finally {
    await calls.stop()
  }
})

// Starts calls at an even pace and counts over which trunk phones rang.
function keepCalling() {
  const rang = { first: 0, second: 0 }
  const open = new Set<Promise<void>>()
  const call = async () => {
    await ask(`${base}/v1.0/initCall?phone=${freshNumber('180')}`, { headers: service.bearer })
    const { rows } = await globalDatabase.query<{ trunk: 'first' | 'second'; calls: number }>(
      `SELECT trunk, count(*)::integer AS calls FROM verifications WHERE state = 'succeeded' GROUP BY trunk`,
    )
    for (const { trunk, calls } of rows) rang[trunk] = Math.max(rang[trunk], calls)
  }
  const timer = setInterval(() => {
    const one = call().finally(() => open.delete(one))
    open.add(one)
  }, callEveryMs)
  return {
    rang: () => rang,
    stop: async () => {
      clearInterval(timer)
      await Promise.all(open)
    },
  }
}
