// An operator opens calls that went over a real Asterisk to a real carrier: the arrows with their times, the raw message behind one,
// and the capture file, which Wireshark's own reader opens. No full number is on the page or in the file.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { looks, takeSession } from '../support/web/journey.ts'
import { operatorAs } from '../support/web/people.ts'
import { sitDown } from '../support/web/person.ts'

const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
const phones = await installPhones(1, 1, { address: carrier.address })
const installation = { ...phones, environment: { ...phones.environment, ...asterisk.environment } }
const settings = { RINGPROOF_SIP_MESSAGES: 'all', RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base, running } = await serveProcess(installation, settings)
await running.says('"msg":"ARI connected"')
const service = await makeService(installation, 10_000)
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })
const url = base.replace('127.0.0.1', 'localhost')
const browser = await startChromium()

for (const look of looks) {
  test(`a SIP flow for every call, and its capture file: ${look.language}`, async () => {
    const phone = freshNumber('180')
    const visitor = await operatorAs(base, cli, 'support')
    const started = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body: { phone } })
    assert.equal(started.status, 200, started.text)
    const id = Number(started.json['vendor_id'])
    await settled(base, service, id)
    await poll(
      'the messages',
      () => visitor.call('call', { id: String(id) }),
      ({ messages }) => messages.length > 0,
    )

    const person = await sitDown(browser, url, look)
    const { page, words, fill, press } = person
    await takeSession(person, visitor)
    await page.goto('/console/calls')
    await fill(page.getByRole('searchbox', { name: words.calls.find }), phone)
    await page.keyboard.press('Enter')
    await page.waitForURL(({ searchParams }) => searchParams.get('ids') === String(id))
    await press(page.getByRole('row').getByRole('link').first())
    await page.waitForURL(({ pathname }) => pathname === `/console/calls/${id}`)

    const flow = page.getByRole('group', { name: words.calls.wire })
    const ringing = flow.getByRole('button', { name: /^180 Ringing/ })
    await press(ringing)
    const times = await flow.locator('time').allTextContents()
    assert.match(times.find(Boolean) ?? '', /^0\.000$/)
    const raw = page.locator('pre').filter({ hasText: 'SIP/2.0 180' })
    await raw.waitFor()
    const mask = `${phone.slice(0, 4)}***${phone.slice(-4)}`
    assert((await raw.textContent())?.includes(`sip:${mask}@`))
    const shown = (await page.locator('main').textContent()) ?? ''
    assert(shown.includes(mask))
    assert(!shown.includes(phone.slice(1)))

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(page.getByRole('link', { name: new RegExp(words.calls.pcap) })),
    ])
    const file = await download.path()
    assert.deepEqual(readByTshark(file), [
      'INVITE  Request: INVITE',
      ' 100 Status: 100',
      ' 180 Status: 180',
      'CANCEL  Request: CANCEL',
      ' 200 Status: 200',
      ' 487 Status: 487',
      'ACK  Request: ACK',
    ])
    const bytes = readFileSync(file).toString('latin1')
    assert(bytes.includes(mask))
    assert(!bytes.includes(phone.slice(1)))
    assert.deepEqual(await violationsOf(page), [])
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}

// Method, status and summary of every packet; a packet that Wireshark finds malformed has no summary of SIP.
function readByTshark(file: string): readonly string[] {
  const fields = ['sip.Method', 'sip.Status-Code', '_ws.col.Info'].flatMap((field) => ['-e', field])
  const options = ['-r', file, '-n', '-T', 'fields', ...fields]
  const lines = execFileSync('tshark', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll('\t', ' ').replace(/(Request: [A-Z]+|Status: \d{3}).*$/, '$1'))
}
