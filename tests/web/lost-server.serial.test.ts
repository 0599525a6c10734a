// The server stops answering, and every open page says so within ten seconds: first it hangs, as behind a dead network, and comes back;
// then it dies.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startChromium } from '../support/browser/chromium.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { install, serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createCustomer, looks, takeSession } from '../support/web/journey.ts'
import { operatorAs } from '../support/web/people.ts'
import { type Person, sitDown } from '../support/web/person.ts'

const saidMsMax = 10_000
const browser = await startChromium()

for (const look of looks) {
  test(`a server that hangs, and one that dies, is said by every open page: ${look.language}`, async () => {
    const { running, people } = await start(look)
    const [operator, customer] = people
    const pages = [
      await open(operator, '/console/wallboard'),
      await open(operator, '/console/customers'),
      await open(customer, '/dashboard/overview'),
      await open(customer, '/dashboard/verifications'),
    ]
    const [wall, , overview] = pages
    assert(wall && overview)
    const { state } = operator.words.shell
    const line = new RegExp(state.lostLine('~').replace(/~.*/, '\\d\\d:\\d\\d'))
    const headline = new RegExp(state.lost('~').replace(/~.*/, '\\d\\d:\\d\\d'))
    for (const page of pages) assert.equal(await page.getByText(line).count(), 0)

    running.process.kill('SIGSTOP')
    await saidByAll(pages, line)
    running.process.kill('SIGCONT')
    await Promise.all(pages.map((page) => page.getByText(line).first().waitFor({ state: 'detached' })))

    const gone = once(running.process, 'exit')
    running.process.kill('SIGKILL')
    await gone
    await saidByAll(pages, line)
    for (const page of [wall, overview]) await page.getByRole('heading', { level: 1, name: headline }).waitFor()
    await Promise.all(people.map(({ close }) => close()))
  })
}

async function start(look: (typeof looks)[number]) {
  const mailDir = `${fileDirectory()}/mail`
  const installation = await install()
  const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
  const { base, running } = await serveProcess(installation, settings, '--roles', 'api,web')
  const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })
  const url = base.replace('127.0.0.1', 'localhost')
  const visitors = [
    await operatorAs(base, cli, 'viewer'),
    (await createCustomer(installation, { base, mailDir }, look)).visitor,
  ]
  const people = await Promise.all(
    visitors.map(async (visitor) => {
      const person = await sitDown(browser, url, look)
      await takeSession(person, visitor)
      return person
    }),
  )
  return { running, people: people as [Person, Person] }
}

async function open({ page }: Person, path: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(path)
  await tab.locator('h1').first().waitFor()
  return tab
}

async function saidByAll(pages: readonly Page[], line: RegExp): Promise<void> {
  const startedMs = performance.now()
  await Promise.all(
    pages.map((page) =>
      page
        .getByText(line)
        .first()
        .waitFor({ timeout: saidMsMax * 2 }),
    ),
  )
  const tookMs = performance.now() - startedMs
  assert(tookMs <= saidMsMax, `said after ${tookMs} ms`)
}
