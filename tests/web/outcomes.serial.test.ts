// "Why did this call fail?": the owner opens calls that ended in twelve ways, found in the list by their client, and reads the cause,
// the side and what to do, in both languages. The expected words are written out here: they are what a person must read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createCustomer, narrow, signInAt, wide } from '../support/web/journey.ts'
import { sitDown } from '../support/web/person.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.25)
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serveProcess(installation, settings)
const url = base.replace('127.0.0.1', 'localhost')
const browser = await startChromium()

type Outcome = {
  readonly scenario: string
  readonly mode: 'flash' | 'voice'
  readonly en: string
  readonly ru: string
  readonly side: keyof typeof sides | undefined
  readonly price: number
}

const sides = {
  phone: { en: 'It was the phone or its owner.', ru: 'Дело в телефоне или его владельце.' },
  network: { en: 'It was the phone network.', ru: 'Дело в телефонной сети.' },
}
const released = { en: 'It cost nothing: the hold was released.', ru: 'Не стоило ничего: удержанное возвращено.' }
const captured = { en: /It cost \S*(0\.40|1\.20)/, ru: /Стоило (0,40|1,20)/ }

const flash = (scenario: string, side: Outcome['side'], price: number, en: string, ru: string): Outcome => ({
  scenario,
  mode: 'flash',
  en,
  ru,
  side,
  price,
})
const voice: typeof flash = (...of) => ({ ...flash(...of), mode: 'voice' })

const outcomes: readonly Outcome[] = [
  flash('180', undefined, 0.4, 'The phone rang and showed the digits', 'Телефон зазвонил и показал цифры'),
  flash('201', 'phone', 0, 'Something answered before the phone rang', 'Ответили раньше, чем телефон зазвонил'),
  voice(
    '200',
    undefined,
    1.2,
    'The call was answered and the code was read out',
    'На звонок ответили, код продиктован',
  ),
  voice(
    '180',
    'phone',
    0,
    'It rang, but nobody answered, so the code was not read out',
    'Телефон звонил, но никто не ответил: код не продиктован',
  ),
  voice(
    '299',
    'phone',
    0,
    'It was answered and hung up before the code was read out',
    'Ответили, но положили трубку раньше, чем код продиктован',
  ),
  flash('404', 'phone', 0, 'There is no such number', 'Такого номера нет'),
  flash('480', 'phone', 0, 'The phone is switched off or out of coverage', 'Телефон выключен или вне сети'),
  flash('486', 'phone', 0, 'The line was busy', 'Линия была занята'),
  flash('503', 'network', 0, 'The network had no free line', 'В сети не было свободной линии'),
  flash(
    '183',
    'network',
    0,
    'The network played an announcement instead of ringing',
    'Вместо гудков сеть включила объявление',
  ),
  flash(
    '100',
    'network',
    0,
    'The network took the call, but the phone did not ring in time',
    'Сеть приняла звонок, но телефон не зазвонил вовремя',
  ),
  flash('000', 'network', 0, 'The network did not reply to the call', 'Сеть не ответила на звонок'),
]

for (const look of [wide, { ...narrow, hasMouse: true }]) {
  test(`each of twelve outcomes is explained: ${look.language}`, async () => {
    const { email, bearer } = await createCustomer(installation, { base, mailDir }, look)
    await Promise.all(
      outcomes.map(async ({ scenario, mode }) => {
        const body = { phone: freshNumber(scenario), client: `${scenario} ${mode}`, voice: mode === 'voice' }
        const started = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: bearer, body })
        assert.equal(started.status, 200, started.text)
        await settled(base, { bearer }, started.json['vendor_id'])
      }),
    )
    const person = await sitDown(browser, url, look)
    const { page, words, fill, press } = person
    await signInAt(person, '/dashboard/verifications', email)
    await page.waitForURL(({ pathname }) => pathname === '/dashboard/verifications')
    for (const { scenario, mode, side, price, ...titles } of outcomes) {
      await page.goto('/dashboard/verifications')
      await fill(page.getByLabel(words.verifications.find), `${scenario} ${mode}`)
      await page.keyboard.press('Enter')
      await page.waitForURL(/[?&]client=/)
      const row = page.locator('tbody tr').filter({ hasText: `${scenario} ${mode}` })
      await press(row.getByRole('link'))
      const hero = page.locator('main header')
      await page.getByRole('heading', { level: 1, name: titles[look.language], exact: true }).waitFor()
      const text = await hero.innerText()
      if (side !== undefined) assert(text.includes(sides[side][look.language]), text)
      if (price === 0) assert(text.includes(released[look.language]), text)
      else assert.match(text, captured[look.language])
    }
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}
