// From one verification to the request that started it, and to the same call on a virtual phone: in a real browser with a real
// server, in both languages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createCustomer, looks, signInAt } from '../support/web/journey.ts'
import { joinAs, signUp } from '../support/web/people.ts'
import { sitDown } from '../support/web/person.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(1)
const { base } = await serveProcess(installation, {
  RINGPROOF_MAIL_DIR: mailDir,
  RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
})
const site = { base, mailDir }
const url = base.replace('127.0.0.1', 'localhost')
const browser = await startChromium()

for (const look of looks) {
  test(`the request of a verification is on its page, and a repeat rings a virtual phone: ${look.language}`, async () => {
    const { visitor, email, phone, key, started } = await customer(look.language)
    const id = String(started.json['vendor_id'])
    const requestId = started.headers.get('x-request-id') ?? ''
    const person = await sitDown(browser, url, look)
    const { page, words, press, button } = person
    await signInAt(person, `/dashboard/verifications/${id}`, email)

    const sent = page.getByRole('region', { name: words.log.request })
    assert.match((await sent.textContent()) ?? '', /^POST \/v1\.0\/initCall\n[^]*"phone": "7907\*\*\*\d{4}"/)
    const returned = (await page.getByRole('region', { name: words.log.response }).textContent()) ?? ''
    assert(returned.includes(requestId) && returned.includes(id), returned)
    const whole = await page.content()
    for (const canary of [key, phone.slice(1), '"7391"']) assert(!whole.includes(canary), canary)
    assert.deepEqual(await violationsOf(page), [])

    // One press: the same mode, to a phone of the account, and the page on which it rings.
    await press(button(words.verification.repeat))
    await page.waitForURL(/\/dashboard\/test\/phones\?phone=7900000[1-9]\d{3}$/)
    await page.getByText(words.shell.handset.incoming).waitFor()
    const { phones, calls } = await visitor.call('phones')
    assert.equal(calls.length, 1)
    assert.deepEqual([calls[0]?.mode, calls[0]?.number], ['mix', phones[2]?.number])
    assert(page.url().endsWith(String(phones[2]?.number)))
    assert.equal((await visitor.call('balance')).held, 0)

    await page.goto(`/dashboard/verifications/${id}`)
    await press(page.getByRole('link', { name: requestId }))
    await page.getByRole('article', { name: words.log.requestNamed(requestId) }).waitFor()
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}

test('nobody but owners and developers repeats, and nobody the verification of another account', async () => {
  const { visitor, started } = await customer('en')
  const input = { id: Number(started.json['vendor_id']) }
  const ofAccount = { verificationId: String(input.id) }
  for (const role of ['accountant', 'viewer'] as const) {
    const { status } = await (await joinAs(site, visitor, role)).visitor.refused('repeat-as-test', input)
    assert.equal(status, 403, role)
  }
  const { visitor: stranger } = await signUp(site)
  assert.equal((await stranger.refused('repeat-as-test', input)).status, 404)
  assert.deepEqual(await stranger.call('verification-request', ofAccount), { request: null })
  assert.equal((await visitor.call('verification-request', ofAccount)).request?.verificationId, input.id)
})

async function customer(language: 'en' | 'ru') {
  const { visitor, email, key, bearer } = await createCustomer(installation, site, { language })
  const phone = freshNumber('404')
  const body = { phone, code: '7391', mix: true }
  const started = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: bearer, body })
  assert.equal(started.status, 200, started.text)
  await settled(base, { bearer }, started.json['vendor_id'])
  return { visitor, email, phone, key, started }
}
