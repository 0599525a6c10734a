// A developer whose request was refused finds it by its X-Request-Id, in a real browser with a real server: in both languages and
// themes, on a wide and on a narrow screen, with the mouse and with the keyboard alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { ask } from '../support/http/ask.ts'
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
  test(`the first request appears by itself, and a refused one is found by its ID: ${look.language}`, async () => {
    const { visitor, email } = await signUp({ base, mailDir }, look.language)
    const created = await visitor.call('create-service', { name: 'Shop', isTest: true, isMovingFromUcaller: false })
    const { serviceId, key } = created
    const headers = { authorization: `Bearer ${key}.${serviceId}`, 'user-agent': 'curl/8.5.0' }
    const send = (body: object) => ask(`${base}/v1.0/initCall`, { method: 'POST', headers, body })

    const person = await sitDown(browser, url, look)
    const { page, words, fill } = person
    await signInAt(person, '/dashboard/test/log', email)
    await page.getByRole('heading', { name: words.log.waiting }).waitFor()

    // Turns into the first row without a hand.
    const served = await send({ phone: '79000000001', client: 'canary client', code: '4821' })
    assert.equal(served.status, 200, served.text)
    const row = page.getByRole('button', { name: 'initCall', exact: true })
    await row.waitFor()
    assert.equal(await row.count(), 1)

    const refused = [
      await send({ phone: '79000000001', code: '48210' }),
      await send({ phone: '79000000001', code: 1.5 }),
    ]
    assert.deepEqual(
      refused.map(({ json }) => json['code']),
      [2, 2],
    )
    await page.getByText(words.log.someRefused(2, 3)).waitFor()
    const id = refused[0]?.headers.get('x-request-id') ?? ''
    await fill(page.getByLabel(words.log.find), id)
    await page.waitForURL(`**/dashboard/test/log/${id}`)
    const entry = page.getByRole('article', { name: words.log.requestNamed(id) })
    await entry.waitFor()
    const sent = (await entry.getByRole('region', { name: words.log.request }).textContent()) ?? ''
    assert.match(sent, /^POST \/v1\.0\/initCall\n/)
    assert.match(sent, /"phone": "•{11}"/)
    assert.match(sent, /"code": "•{5}"/)
    assert.match(sent, /User-Agent: curl\/8\.5\.0/)
    const returned = (await entry.getByRole('region', { name: words.log.response }).textContent()) ?? ''
    assert(returned.includes(id) && returned.includes(String(refused[0]?.json['error'])), returned)
    // The two of one kind together, with what to do.
    const like = page.getByRole('listitem').filter({ hasText: words.log.show(2) })
    await like.filter({ hasText: 'code' }).waitFor()
    assert.equal(await like.getByRole('link', { name: words.log.howToFix }).getAttribute('href'), '/docs/errors/2')

    // One with a verification: masked, and its code is open, because a test number verifies nobody.
    await page.goto(`/dashboard/test/log/${served.headers.get('x-request-id')}`)
    const text = (await page.getByRole('article').textContent()) ?? ''
    assert.match(text, /"phone": "7900\*\*\*0001"/)
    assert.match(text, /"client": "canary client"/)
    assert.match(text, /"code": "4821"/)
    const whole = await page.content()
    for (const canary of [key, '79000000001']) assert(!whole.includes(canary), canary)
    assert.deepEqual(await violationsOf(page), [])
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}
