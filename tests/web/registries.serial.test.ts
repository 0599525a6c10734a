// An operator asks for an update of the numbering registry, reads what it changed, reads what a rollback changes before it is done, and rolls
// back. The next update finds nothing new, and a publisher that fails is named with its cause: in a real browser with a real server, with the
// mouse in English and with the keyboard alone in Russian.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOperatorActions } from '../../server/src/db/core/action-log.ts'
import { startChromium } from '../support/browser/chromium.ts'
import { violationsOf } from '../support/browser/docs-screens.ts'
import { fourFiles, startRegistryServer } from '../support/numbering/registry-server.ts'
import { poll } from '../support/poll.ts'
import { installPhones } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { looks, signInOperator } from '../support/web/journey.ts'
import { createOperator } from '../support/web/operator.ts'
import { sitDown } from '../support/web/person.ts'

const browser = await startChromium()
const mobile = 'DEF-9xx.csv'

for (const look of looks) {
  test(`registries are updated, compared and rolled back: ${look.language}`, async () => {
    const publisher = await startRegistryServer()
    const installation = await installPhones(0.3)
    const { base, output } = await serveProcess(installation, {
      RINGPROOF_MAIL_DIR: `${fileDirectory()}/mail-${look.language}`,
      RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
      RINGPROOF_NUMBERING_DIR: `${fileDirectory()}/numbering-${look.language}`,
      RINGPROOF_REGISTRY_URL: publisher.url,
    })
    await poll('the first fetch', () => output().includes('registry fetched'))
    const admin = await createOperator(installation, base, 'admin')
    const person = await sitDown(browser, base.replace('127.0.0.1', 'localhost'), look)
    const { page, press, button } = person
    const words = person.words.registries
    await signInOperator(person, '/console/registries', admin)
    await page.getByRole('heading', { level: 1, name: words.title }).waitFor()
    await page.getByText(words.added(100, 100_000)).waitFor()

    publisher.files.set(mobile, fourFiles(101)[mobile] ?? Buffer.alloc(0))
    await press(button(words.update))
    await page.getByText(words.added(1, 1_000)).waitFor()
    await page.getByText('7907 010 0000 – 0999').waitFor()
    assert.equal(await page.getByText(words.added(100, 100_000)).count(), 0)
    assert.deepEqual(await violationsOf(page), [])

    await press(button(words.back))
    const dialog = page.getByRole('dialog')
    await dialog.getByText(words.removed(1, 1_000)).waitFor()
    assert.deepEqual(await violationsOf(page), [])
    await press(dialog.getByRole('button', { name: words.back, exact: true }))
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(words.isBack).waitFor()
    await page.getByText(words.removed(1, 1_000)).waitFor()

    // The publisher has not changed it again, so the rollback holds.
    await press(button(words.update))
    await page.getByText(words.unchanged).waitFor()
    await page.getByText(words.removed(1, 1_000)).waitFor()

    publisher.instead.set(mobile, (_, response) => response.writeHead(503).end())
    await press(button(words.update))
    await page.getByText(/responded with status 503/).waitFor()

    const log = await readOperatorActions(installation.slots.globalDatabase, { countMax: 10 })
    assert.deepEqual(
      log.filter(({ who, action }) => who === admin.email && action.startsWith('regist')).map(({ action }) => action),
      ['registry fetch', 'registry fetch', 'registries rolled back', 'registry fetch'],
    )
    assert.deepEqual(person.faults, [])
    await person.close()
  })
}
