// An operator finds a customer, credits a payment with reason and reference, and enters the same payment again, which moves nothing. Then
// the operator looks at the customer's dashboard, where nothing can be changed, comes back by the bar above it, and finds the entry in the
// audit log: in a real browser with a real server, with the mouse in English and with the keyboard alone in Russian.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { install, serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { looks, signInOperator } from '../support/web/journey.ts'
import { createOperator } from '../support/web/operator.ts'
import { signUp } from '../support/web/people.ts'
import { type Person, sitDown } from '../support/web/person.ts'

const browser = await startChromium()

for (const look of looks) {
  test(`a customer is found, credited once and looked at: ${look.language}`, async () => {
    const installation = await install()
    const mailDir = `${fileDirectory()}/mail-${look.language}`
    const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
    const { base } = await serveProcess(installation, settings)
    const owner = await signUp({ base, mailDir })
    const { account } = await owner.visitor.call('me')
    const id = account?.id ?? assert.fail()
    await owner.visitor.call('create-service', { name: 'Sign-in', isTest: true, isMovingFromUcaller: false })
    const operator = await createOperator(installation, base, 'admin')

    const person = await sitDown(browser, base.replace('127.0.0.1', 'localhost'), look)
    const { page, words, button, fill, press } = person
    const { customers } = words
    await signInOperator(person, '/console/customers', operator)
    await fill(page.getByPlaceholder(customers.search), 'shop')
    await page.keyboard.press('Enter')
    await page.waitForURL(/text=shop/)
    await press(page.getByRole('link', { name: 'My shop' }))
    await page.getByRole('heading', { name: customers.heroes.none('My shop') }).waitFor()
    assert.deepEqual(await violationsOf(page), [])

    await credit(person)
    await page.getByText(customers.moved('').slice(0, 6)).waitFor()
    await page.getByText('payment 7', { exact: true }).waitFor()
    await credit(person)
    await page.getByText(customers.repeated('payment 7')).waitFor()
    assert.equal((await owner.visitor.call('balance')).balance, 250.5)

    await press(page.getByRole('button', { name: customers.view }))
    await fill(page.getByRole('dialog').getByRole('textbox'), 'ticket 12')
    await press(button(customers.viewAct))
    await page.waitForURL(/\/dashboard\/overview/)
    const back = button(words.shell.shell.endView)
    await back.waitFor()
    await page.goto('/dashboard/test/services')
    await page.getByText('Sign-in', { exact: true }).first().waitFor()
    // What the page does not offer, the server refuses.
    const refused = await page.evaluate(`fetch('/web/set-account', { method: 'POST', body: '{"name":"Stolen"}',
      headers: { 'content-type': 'application/json' } }).then((response) => response.json())`)
    assert.deepEqual(refused, { error: 'view-only' })
    assert.deepEqual(await violationsOf(page), [])
    await press(back)
    await page.waitForURL(new RegExp(`/console/customers/${id}`))
    await page.getByText('dashboard viewed', { exact: true }).waitFor()

    await press(page.getByRole('link', { name: customers.allActions }))
    await page.waitForURL(`**/console/audit?account=${id}`)
    await page.getByRole('heading', { level: 1, name: words.audit.title }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'dashboard viewed' })
    await row.getByText(operator.email).waitFor()
    assert.match((await row.textContent()) ?? '', /"reason":"ticket 12"/)
    assert.equal((await owner.visitor.call('me')).account?.name, 'My shop')
    // The browser notes each refused request; the one above was meant.
    assert.deepEqual(
      person.faults.filter((fault) => !fault.includes('403')),
      [],
    )
    await person.close()
  })
}

async function credit({ page, words, fill, press, button }: Person): Promise<void> {
  const { customers } = words
  await press(button(customers.money))
  const dialog = page.getByRole('dialog')
  await fill(dialog.getByLabel(customers.amount('₽'), { exact: true }), '250,5')
  await fill(dialog.getByLabel(customers.reference, { exact: true }), 'payment 7')
  await press(dialog.locator('button[type=submit]'))
  await dialog.waitFor({ state: 'hidden' })
}
