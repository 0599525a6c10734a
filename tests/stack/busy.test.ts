import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, assertRefused } from '../support/ask.ts'
import { installPhones } from '../support/phones.ts'
import { makeService, serve } from '../support/served.ts'
import { asOwner } from '../support/test-database.ts'

const installation = await installPhones(1)
const { base } = await serve(installation)

test('an account that others hold for long is told code 5, and others are served', async () => {
  const [held, free] = [await makeService(installation), await makeService(installation)]
  const requests = [
    ['initCall', { phone: '79000000001' }],
    ['inboundCallWaiting', { phone: '79000000001', callback_url: 'http://127.0.0.1:9/' }],
    ['checkPhone', { phone: '79070000001' }],
    ['checkPhone', { phone: 'hello' }],
  ] as const
  const all = ({ bearer: headers }: typeof held) =>
    Promise.all(requests.map(([name, body]) => ask(`${base}/v1.0/${name}`, { method: 'POST', headers, body })))
  await asOwner(async (client) => {
    await client.query('BEGIN')
    await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [held.accountId])
    const [refused, answered] = await Promise.all([all(held), all(free)])
    for (const asked of refused) {
      assertRefused(asked, 5, 503)
      assert.equal(asked.headers.get('retry-after'), '1')
    }
    for (const { status, text } of answered) assert.equal(status, 200, text)
    await client.query('ROLLBACK')
  }, installation.database.ownerUrl)
  for (const { status, text } of await all(held)) assert.equal(status, 200, text)
})
