// An operator connects a SIP carrier in a real browser, over the real Asterisk and the scripted carrier: four fields, our address and
// a sample INVITE, a test call with its messages live, and the question which digits arrived.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOperatorActions } from '../../server/src/db/core/action-log.ts'
import { insertCallerRange, readTrunks } from '../../server/src/db/trunks/trunk.ts'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { waitForMessage } from '../support/sip/sip-messages.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { narrow, signInOperator, wide } from '../support/web/journey.ts'
import { createOperator } from '../support/web/operator.ts'
import { type Look, type Person, sitDown } from '../support/web/person.ts'

const mailDir = `${fileDirectory()}/mail`
const asterisk = await testAsterisk()
const phones = await installPhones(1)
const settings = { ...asterisk.environment, RINGPROOF_SIP_CA_FILE: '', RINGPROOF_MAIL_DIR: mailDir }
const { base, running } = await serveProcess(phones, settings)
await running.says('"msg":"ARI connected"')
const url = base.replace('127.0.0.1', 'localhost')
const browser = await startChromium()

test('a carrier is connected, the test call rings, and its digits arrive intact', async () => {
  const person = await operatorAt(wide, '/console/trunks')
  const { page, words, fill, press, button } = person
  const carrier = await testCarrier()
  await press(page.getByRole('link', { name: words.trunks.add }))
  await fill(page.getByLabel(words.trunks.options.address.label, { exact: true }), carrier.address)
  await fill(page.getByLabel(words.trunks.options.user.label, { exact: true }), 'ringproof-7')
  await fill(page.getByLabel(words.trunks.password, { exact: true }), 'SECRET-WORD')
  await page.getByLabel(words.trunks.options.callerFormat.label).selectOption('e164')
  await press(button(words.trunks.connect))

  await page.getByText(words.trunks.state.healthy, { exact: true }).waitFor()
  const allow = page.getByText(words.trunks.allow).locator('..')
  assert.match(await allow.innerText(), /127\.0\.0\.1/)
  const sample = page.getByRole('region', { name: words.trunks.invite })
  assert.match(await sample.innerText(), new RegExp(`^INVITE sip:\\d+@${carrier.address} SIP/2\\.0`))
  assert.match(await sample.innerText(), /P-Asserted-Identity: <sip:\+7\d+@127\.0\.0\.1>/)

  const phone = freshNumber('180')
  await fill(page.getByLabel(words.trunks.call.phone), phone)
  await fill(page.getByLabel(words.trunks.call.caller), '70000005318')
  await press(button(words.trunks.call.start))
  // While it rings the SIP flow has no end yet.
  await page.getByText(words.trunks.call.ringing, { exact: true }).waitFor()
  await page.getByRole('button', { name: '180 Ringing' }).waitFor()
  assert.equal(await page.getByRole('button', { name: '487 Request Terminated' }).count(), 0)
  await page.getByRole('button', { name: /^487/ }).waitFor()
  // Neither the number nor the digits are shown before the operator has said which arrived.
  const shown = await page.locator('main').innerText()
  assert.match(shown, /^SIP\/2\.0 180 Ringing/m)
  assert(!shown.includes(phone) && !shown.includes('5318'), shown)

  await typeDigits(person, '5318')
  await page.getByText(words.trunks.call.intact('5318')).waitFor()
  assert.deepEqual(await violationsOf(page), [])
  await press(button(words.trunks.use))
  await page.getByText(words.trunks.used('carrier')).waitFor()

  const trunk = await trunkTo(carrier.address)
  assert.deepEqual([trunk?.isOn, trunk?.isDraining, trunk?.user], [true, false, 'ringproof-7'])
  const log = await readOperatorActions(phones.slots.globalDatabase, { name: 'carrier', countMax: 10 })
  assert.deepEqual(
    log.map(({ action, who }) => [action, who.endsWith('@example.org')]),
    [
      ['trunk set', true],
      ['trunk tested', true],
      ['trunk added', true],
    ],
  )
  assert(!JSON.stringify(log).includes(phone) && !JSON.stringify(log).includes('SECRET-WORD'))
  assert.deepEqual(person.faults, [])
  await person.close()
})

test('other digits than were sent: the trunk is degraded and says why', async () => {
  const person = await operatorAt(narrow, '/console/trunks/add')
  const { page, words, fill, press, button } = person
  const carrier = await testCarrier()
  await fill(page.getByLabel(words.trunks.options.address.label, { exact: true }), carrier.address)
  await press(button(words.trunks.connect))
  await page.getByText(words.trunks.state.healthy, { exact: true }).waitFor()
  const name = (await trunkTo(carrier.address))?.name ?? ''
  await insertCallerRange(phones.slots.globalDatabase, {
    trunk: name,
    country: 'RU',
    first: 70000300000,
    last: 70000309999,
  })

  const phone = freshNumber('180')
  await fill(page.getByLabel(words.trunks.call.phone), phone)
  await page.getByText(words.trunks.call.callerHint).waitFor()
  await press(button(words.trunks.call.start))
  const invite = await waitForMessage(carrier, 'INVITE', phone)
  const [, sent = ''] = /sip:\d+(\d{4})@/.exec(invite.header('From')) ?? []
  assert.match(sent, /^\d{4}$/)
  const seen = String((Number(sent) + 1) % 10_000).padStart(4, '0')
  await typeDigits(person, seen)
  await page.getByText(words.trunks.call.changed(seen, sent)).waitFor()
  await press(button(words.trunks.use))
  await page.goto(`/console/trunks/${name}`)
  await page.getByText(words.trunks.state.degraded, { exact: true }).waitFor()
  await page.getByText(words.trunks.cause['caller-id-changed'].slice(0, -1)).waitFor()
  assert.deepEqual(await violationsOf(page), [])
  assert.deepEqual(person.faults, [])
  await person.close()
})

async function trunkTo(address: string) {
  return (await readTrunks(phones.slots.globalDatabase)).find((trunk) => trunk.address === address)
}

async function operatorAt(look: Look, path: string): Promise<Person> {
  const operator = await createOperator(phones, base, 'admin')
  const person = await sitDown(browser, url, look)
  await signInOperator(person, path, operator)
  return person
}

async function typeDigits({ page, words, fill, press, button }: Person, digits: string): Promise<void> {
  for (const [n, digit] of [...digits].entries()) {
    await fill(page.getByLabel(words.shell.digit(n + 1, 4), { exact: true }), digit)
  }
  await press(button(words.trunks.call.check))
}
