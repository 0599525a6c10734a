// A call requested while Asterisk is down waits for it. In real time: a call must start within ten seconds, and
// Asterisk needs some of them to start.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'

test('a call requested while Asterisk is down is dialled when it is back', async () => {
  const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
  const phones = await installPhones(1, 1, { address: carrier.address, ringSeconds: 5 })
  const { base, says } = await serve(phones, asterisk.environment)
  const service = await makeService(phones, 10_000)
  const order = async () => {
    const body = { phone: freshNumber('586') }
    const asked = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body })
    assert.equal(asked.status, 200, asked.text)
    return asked.json['vendor_id']
  }
  const made = async (id: unknown) => assert.equal((await settled(base, service, id))['call_status'], 1)
  await made(await order())
  await asterisk.kill('SIGKILL')
  // A call that is sent to a dying edge may have been dialled, and is not dialled again.
  if (asterisk.edge) await says('"msg":"edge lost"')
  // The worker has usually fetched an order before Asterisk went down: it gets this one and cannot dial it.
  const id = await order()
  await asterisk.start()
  await made(id)
})
