// Webhooks on a developer's machine, seen in a real browser: `listen` forwards them, a stopped program fails the attempt with the
// next try in sight, and a button delivers it once the program is back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { ask } from '../support/http/ask.ts'
import { type Got, startListener, startProgram } from '../support/http/listening-program.ts'
import { poll } from '../support/poll.ts'
import { installPhones } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { looks, signInAt } from '../support/web/journey.ts'
import { signUp } from '../support/web/people.ts'
import { sitDown } from '../support/web/person.ts'

const mailDir = `${fileDirectory()}/mail`
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serveProcess(await installPhones(1), settings)
const url = base.replace('127.0.0.1', 'localhost')
const browser = await startChromium()

for (const look of looks) {
  test(`a webhook fails while the program is stopped, and is delivered by a button: ${look.language}`, async (t) => {
    const { visitor, email } = await signUp({ base, mailDir }, look.language)
    const shop = { name: 'Shop', isTest: true, isMovingFromUcaller: false }
    const { serviceId, key } = await visitor.call('create-service', shop)
    const { secret } = await visitor.call('rotate-webhook-secret', { serviceId, overlapHours: 0 })
    const port = await freePort()
    const got: Got[] = []
    let program = await startProgram(port, secret, got)
    const listener = startListener(base, { serviceId, key }, '--forward-to', `http://127.0.0.1:${port}/cb`)
    t.after(() => {
      listener.stop()
      program.close()
      program.closeAllConnections()
    })
    await poll('the stream', () => listener.said.out.includes('Listening for webhooks'))
    const headers = { authorization: `Bearer ${key}.${serviceId}` }
    const expectCall = async () => {
      const body = { phone: '79000000001', callback_url: 'https://shop.example/cb' }
      const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers, body })
      assert.equal(asked.status, 200, asked.text)
      return String(asked.json['vendor_id'])
    }

    const person = await sitDown(browser, url, look)
    const { page, words, press } = person
    await signInAt(person, '/dashboard/test/webhooks', email)

    const first = await expectCall()
    const row = (id: string) => page.getByRole('listitem').filter({ hasText: id })
    await row(first).getByText(words.webhooks.states.delivered, { exact: true }).waitFor()
    await poll('the program', () => got.length === 1)
    assert.deepEqual(got, [{ callId: first, isTamperedRejected: true }])

    program.close()
    program.closeAllConnections()
    const second = await expectCall()
    await row(second).getByText(words.webhooks.states.waiting, { exact: true }).waitFor()
    await row(second).getByText(words.webhooks.failures.unreachable).waitFor()
    assert.deepEqual(await violationsOf(page), [])

    program = await startProgram(port, secret, got)
    await press(row(second).getByRole('button', { name: words.webhooks.sendNow }))
    await row(second).getByText(words.webhooks.states.delivered, { exact: true }).waitFor()
    assert.equal(got.at(-1)?.callId, second)
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}
