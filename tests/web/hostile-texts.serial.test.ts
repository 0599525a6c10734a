// Texts that somebody else has written are shown as they are: names of accounts and services, user agents. Nothing in them runs, and
// the content security policy has nothing to refuse.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChromium } from '../support/browser/chromium.ts'
import { install, serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { typePassword, wide } from '../support/web/journey.ts'
import { joinAs, password, signUp } from '../support/web/people.ts'
import { sitDown } from '../support/web/person.ts'

const mailDir = `${fileDirectory()}/mail`
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serveProcess(await install(), settings, '--roles', 'api,web')
const url = base.replace('127.0.0.1', 'localhost')
const browser = await startChromium()

const hostile = [
  '<img src=x onerror="document.title=1">',
  '<script>document.title=1</script>',
  '"><svg onload=document.title=1>',
  'javascript:document.title=1',
  '{{constructor.constructor("document.title=1")()}}',
]

test('a hostile text in every field that others see does nothing', async () => {
  const { visitor, email } = await signUp({ base, mailDir })
  await visitor.call('set-account', { name: hostile.join(' ').slice(0, 100) })
  await visitor.call('set-profile', { name: hostile[0] ?? '' })
  for (const name of hostile) await visitor.call('create-service', { name, isTest: false, isMovingFromUcaller: false })
  await joinAs({ base, mailDir }, visitor, 'viewer')
  for (const agent of hostile) await visitor.send('note-key-stored', {}, { 'user-agent': agent })
  await visitor.send('sign-in', { email, password }, { 'user-agent': hostile.join(' ') })

  const person = await sitDown(browser, url, wide)
  const { page } = person
  page.on('dialog', () => assert.fail('a dialog was opened'))
  await page.goto('/dashboard/sign-in')
  await typePassword(person, email)
  await page.locator('nav').filter({ visible: true }).first().waitFor()
  for (const path of ['start', 'services', 'phones', 'account/security', 'account/members', 'account/profile']) {
    await page.goto(`/dashboard/${path}`)
    await page.locator('h1').waitFor()
    assert.notEqual(await page.title(), '1', path)
  }
  await page.goto('/dashboard/services')
  await page
    .getByText(hostile[0] ?? '', { exact: true })
    .first()
    .waitFor()
  assert.deepEqual(person.faults, [])
  await person.close()
})
