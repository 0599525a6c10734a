// Invoices and acts in a browser, on screen and in print, under their own policy. Pictures go to .cache/web-pages/.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { memberRights } from '../../contract/src/web/access.ts'
import type { ShownInvoice } from '../../server/src/actions/money/papers-view.ts'
import type { Visitor } from '../../server/src/actions/people/visitor.ts'
import type { AccountId } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { addPapers } from '../../server/src/web/papers.ts'
import { startChromium } from '../support/browser/chromium.ts'
import { assertAccessible, assertReadable, openScreen } from '../support/browser/docs-screens.ts'

const accountId = 512 as AccountId
const parties: Pick<ShownInvoice, 'accountId' | 'seller' | 'buyer'> = {
  accountId,
  seller: {
    name: 'ООО «Пример Телеком»',
    taxNumber: '0000000000',
    reasonCode: '000000000',
    address: '000000, Примерск, ул. Примерная, д. 2',
    bank: 'АО «Банк Пример»',
    bankCode: '000000000',
    bankAccount: '00000000000000000000',
    correspondentAccount: '00000000000000000000',
    signatory: 'П. П. Примеров',
    vatNote: 'НДС не облагается.',
  },
  buyer: {
    name: 'Индивидуальный предприниматель с очень длинным названием, которое занимает больше одной строки',
    taxNumber: '000000000000',
    reasonCode: '',
    address: '000000, Примерск, ул. Примерная, д. 1, помещение с таким же длинным адресом',
  },
}

const membership = { accountId, role: 'accountant' } as const
const visitor = {
  session: { stage: 'signed-in' },
  user: {},
  memberships: [membership],
  membership,
  rights: memberRights(membership.role),
} as unknown as Visitor

const app = Fastify({ forceCloseConnections: true })
addPapers(
  app,
  {
    showInvoice: async (_, number) => ({
      ...parties,
      number,
      at: new Date('2026-11-16T12:00:00Z'),
      amount: 1_234_567_890_000 as MicroAmount,
      currency: 'RUB',
    }),
    showAct: async (_, month) => ({
      ...parties,
      number: '512-202610',
      day: `${month}-31`,
      month,
      amount: 412_850_000 as MicroAmount,
      currency: 'RUB',
      entries: 1_033,
    }),
    sellsCalls: async () => true,
  },
  async () => visitor,
)
const base = await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())
const browser = await startChromium()

for (const [name, path] of [
  ['invoice', '/web/invoices/131'],
  ['act', '/web/acts/2026-10'],
] as const) {
  for (const look of [
    { language: 'en', theme: 'light', width: 1280 },
    { language: 'ru', theme: 'dark', width: 390 },
    { language: 'ru', theme: 'light', width: 1280 },
  ] as const) {
    test(`${name}, ${look.language}, ${look.theme}, ${look.width}`, async () => {
      const headers = { cookie: `lang=${look.language}` }
      const { page, faults, close } = await openScreen(browser, base, look, { extraHTTPHeaders: headers })
      await page.goto(path)
      await page.locator('h1').waitFor()
      assert.equal(await page.locator('html').getAttribute('lang'), look.language)
      // The policy has let the style pass.
      assert.equal(await page.locator('body').evaluate((body) => body.clientWidth <= 800), true)
      await assertReadable(page, name)
      await assertAccessible(page, name)
      await page.screenshot({
        path: `.cache/web-pages/${name}-${look.language}-${look.theme}-${look.width}.png`,
        fullPage: true,
      })
      await page.emulateMedia({ media: 'print' })
      assert.equal(await page.locator('.hint').isVisible(), false)
      await page.setViewportSize({ width: 680, height: 960 })
      await page.screenshot({ path: `.cache/web-pages/${name}-${look.language}-print.png`, fullPage: true })
      assert.deepEqual(faults, [])
      await close()
    })
  }
}
