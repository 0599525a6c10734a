// The demo's own loopback server: it shows the operator's code and reports payments, and the product knows nothing of it.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDesk, paymentPage } from '../../scripts/demo/desk.ts'
import { isPageLink } from '../../server/src/domain/money/payment.ts'
import { stepOfCode } from '../../server/src/domain/people/totp.ts'
import { isSigned } from '../../server/src/webhooks/sign.ts'

const totpSecret = Buffer.alloc(20, 7)
const place = { host: '127.0.0.1', port: 0 }
const paymentSecret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`

test('the code that is shown passes the second step', async (t) => {
  const desk = await openDesk({ totpSecret, paymentSecret, currency: 'XTS', publicUrl: 'http://localhost:9', ...place })
  t.after(desk.close)
  const shown = /<h1>(\d{6})<\/h1>/.exec(await (await fetch(desk.url)).text())?.[1] ?? ''
  assert.notEqual(stepOfCode(totpSecret, shown, Date.now() / 1_000, 0), undefined)
})

test('a payment is reported with a signature, to the callback of the product', async (t) => {
  const reported = Promise.withResolvers<{ readonly isRight: boolean; readonly body: unknown }>()
  const product = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      const isRight = request.url === '/payments/v1/callback' && isSigned(paymentSecret, request.headers, body)
      reported.resolve({ isRight, body: JSON.parse(body) })
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(product, 'listening')
  t.after(() => product.close())
  const publicUrl = `http://127.0.0.1:${(product.address() as AddressInfo).port}`
  const desk = await openDesk({ totpSecret, paymentSecret, currency: 'XTS', publicUrl, ...place })
  t.after(desk.close)
  const template = paymentPage(desk)
  assert(isPageLink(template))
  const page = template.replace('{account}', '64').replace('{amount}', '100')
  assert.match(await (await fetch(page)).text(), /100 XTS for account 64/)
  await fetch(page, { method: 'POST' })
  const { isRight, body } = await reported.promise
  assert(isRight)
  const { payment, ...rest } = body as { payment: string }
  assert.deepEqual(rest, { account: 64, amount: '100', currency: 'XTS' })
  assert(payment.length > 0)
})

test('no setting of the product is about the demo or its second factor', () => {
  const settings = readFileSync(join(import.meta.dirname, '../../server/config.default.env'), 'utf8')
  const names = [...settings.matchAll(/^#?\s*(RINGPROOF_\w+)=/gm)].map(([, name]) => name)
  assert(names.length > 50)
  assert.deepEqual(
    names.filter((name) => /TOTP|DEMO|SECOND_(STEP|FACTOR)/.test(name ?? '')),
    [],
  )
})
