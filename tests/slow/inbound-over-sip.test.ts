// Subscribers call over real SIP: Asterisk receives every call, it matches only its own request, and its webhook
// arrives once. And the whole contract, with real calls both ways.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { testContract } from '../contract/acceptance.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd, verified } from '../support/http/webhook-receiver.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { callIn } from '../support/sip/subscriber.ts'

const calls = 1_000
const callsPerSecond = 50

const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
const phones = await installPhones(1, 1, { address: carrier.address })
const installation = { ...phones, environment: { ...phones.environment, ...asterisk.environment } }
const { base, running } = await serveProcess(installation, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })
await running.says('"msg":"ARI connected"')
const receiver = await createReceiverToTheEnd()

testContract('the whole contract over Asterisk', installation, base)

test(`${calls} requests and as many calls over SIP: each webhook arrives once, at the right receiver`, async (t) => {
  // Both trunks have one address, and a call from there counts as the first trunk's: so only its numbers are given out.
  await asOwner(
    (client) => client.query(`UPDATE trunks SET is_on = false WHERE name = 'second'`),
    phones.database.ownerUrl,
  )
  const service = await makeService(installation, 10_000)
  await sleep(2_000)
  const phonesById = new Map<string, string>()
  const prove = async () => {
    const phone = freshNumber('180')
    const body = { phone, callback_url: `${receiver.url}/` }
    const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: service.bearer, body })
    assert.equal(asked.status, 200, asked.text)
    phonesById.set(String(asked.json['vendor_id']), phone)
    const called = `+${String(asked.json['confirmation_number'])}`
    return (await callIn(asterisk.inboundPort, { called, from: `<sip:+${phone}@carrier.example>` })).join()
  }
  const startedMs = performance.now()
  const all: Promise<string>[] = []
  for (let n = 0; n < calls; n++) {
    await sleep(Math.max(0, startedMs + (n * 1_000) / callsPerSecond - performance.now()))
    all.push(prove())
  }
  const statuses = await Promise.all(all)
  assert.deepEqual(countOf(statuses), { '100,180,486': calls })
  const seconds = (performance.now() - startedMs) / 1_000
  await receiver.count(calls)
  assert.equal(receiver.received.length, calls, 'a webhook arrived twice')
  for (const received of receiver.received) {
    assert.equal(
      verified(service.webhookSecret, received)['clientNumber'],
      phonesById.get(String(received.headers['webhook-id'])),
    )
  }
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, calls)
  assert.deepEqual((await auditLedger(installation)).faults, [])
  t.diagnostic(`${calls} calls in ${seconds.toFixed(1)} s, ${receiver.received.length} webhooks`)
})

function countOf(statuses: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(statuses, (one) => one)].map(([one, all]) => [one, all.length]))
}
