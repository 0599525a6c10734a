// Matching an inbound call: whose caller ID is trusted, which request it matches, and what follows. Calls come over the
// scripted network and are received in this process; two databases, the rest of the product in another process.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { inTransaction } from '../../server/src/db/core/database.ts'
import { matchInboundCalls } from '../../server/src/db/verifications/inbound-request.ts'
import { slotOfVerification, type VerificationId } from '../../server/src/domain/core/slot.ts'
import { type Asked, ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd, verified } from '../support/http/webhook-receiver.ts'
import { freshNumber, installPhones, prices, settled } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'
import { attacker, spoofings, victim } from '../support/sip/spoofings.ts'

const timeScale = 0.2
const installation = await installPhones(timeScale, 2)
const { slots } = installation
const { base } = await serve(installation)
const { phones, call, outcomes } = await createInboundCalls(installation)
const receiver = await createReceiverToTheEnd()

async function wait(service: TestService, phone: string, path: string): Promise<Asked> {
  const body = { phone, callback_url: `${receiver.url}${path}` }
  const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: service.bearer, body })
  assert.equal(asked.status, 200, asked.text)
  return asked
}

const receivedAt = (path: string) => receiver.received.filter(({ url }) => url === path)

async function webhookCount(): Promise<number> {
  const counts = await Promise.all(slots.databases.map((database) => database.query('SELECT FROM webhooks')))
  return counts.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)
}

test('two services expect one subscriber: each call matches one request and notifies its service', async () => {
  const services = [await makeService(installation), await makeService(installation), await makeService(installation)]
  const phone = freshNumber('180')
  const waits = await Promise.all(services.map((service, n) => wait(service, phone, `/two/${n}`)))
  const [first, second] = waits.map(({ json }) => String(json['confirmation_number']))
  assert(first && second)
  const receivedBefore = receiver.received.length
  assert.deepEqual(await call(phone, first), { rang: true, status: 486 })
  await receiver.count(receivedBefore + 1)
  assert.deepEqual([receivedAt('/two/0').length, receivedAt('/two/1').length, receivedAt('/two/2').length], [1, 0, 0])
  const [received] = receivedAt('/two/0')
  assert(received && services[0])
  assert.deepEqual(verified(services[0].webhookSecret, received), {
    callId: String(waits[0]?.json['vendor_id']),
    callbackLink: `${receiver.url}/two/0`,
    clientNumber: phone,
    confirmationNumber: first,
    isMnp: false,
    operatorName: '',
    operatorNameMnp: '',
    regionName: '',
  })
  const info = await settled(base, services[0], waits[0]?.json['vendor_id'])
  assert.deepEqual([info['call_status'], info['cost']], [1, prices.inbound / 1e6])

  // The same call again matches nothing. A call to the other number matches the other request; the third stays pending.
  await call(phone, first)
  assert.equal(outcomes.at(-1), 'no-request')
  await call(phone, second)
  await receiver.count(receivedBefore + 2)
  assert.deepEqual([receivedAt('/two/0').length, receivedAt('/two/1').length, receivedAt('/two/2').length], [1, 1, 0])
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('every spoofed call gets its specified refusal and matches nothing', async () => {
  const service = await makeService(installation)
  await slots.databases[0]?.query('UPDATE services SET inbound_seconds = 300')
  await slots.databases[1]?.query('UPDATE services SET inbound_seconds = 300')
  const started = await wait(service, victim, '/victim')
  const number = String(started.json['confirmation_number'])
  // The table is written for trunk `first`; a request may have a number of the second one.
  const isFirst = number.startsWith('7000010')
  const names = isFirst ? ['first', 'second'] : ['second', 'first']
  const spell = (called: string) =>
    called === '+70000100001' ? `+${number}` : called === '+70000110001' && !isFirst ? '+70000100001' : called
  const webhooksBefore = await webhookCount()
  for (const spoofing of spoofings.filter(({ caller }) => caller !== victim)) {
    const { trunk, ...rest } = spoofing.call
    const name = trunk === 'first' ? names[0] : trunk === 'second' ? names[1] : trunk
    const received = await phones.callIn({ ...rest, trunk: name ?? '', called: spell(rest.called) })
    // A call that is identified as the attacker's own matches no request.
    const expected = spoofing.caller === attacker ? 'no-request' : spoofing.unmatched
    assert.equal(outcomes.at(-1), expected, JSON.stringify(spoofing.call))
    const isRefusedAtOnce = ['not-ours', 'wrong-transport', 'foreign-via'].includes(`${expected}`)
    assert.deepEqual(received, { rang: !isRefusedAtOnce, status: expected === 'not-ours' ? 404 : 486 })
  }
  assert.equal(await webhookCount(), webhooksBefore, 'a spoofed call triggered a webhook')
  await call(victim, number)
  assert.equal(outcomes.at(-1), 'matched', 'the request was pending all the time')
  assert.equal(await webhookCount(), webhooksBefore + 1)
})

test('a call after the deadline matches nothing, and is distinguished from an unexpected call', async () => {
  const service = await makeService(installation)
  await Promise.all(slots.databases.map((database) => database.query('UPDATE services SET inbound_seconds = 30')))
  const phone = freshNumber('180')
  const { json } = await wait(service, phone, '/late')
  const info = await settled(base, service, json['vendor_id'])
  assert.equal(info['call_status'], 0)
  await call(phone, String(json['confirmation_number']))
  assert.equal(outcomes.at(-1), 'expired')
  await call(freshNumber('180'), String(json['confirmation_number']))
  assert.equal(outcomes.at(-1), 'no-request')
  assert.equal(receivedAt('/late').length, 0)
  assert.equal((await settled(base, service, json['vendor_id']))['call_status'], 0, 'the final status does not change')
})

test('a request that expires between lookup and match is not matched', async () => {
  const service = await makeService(installation)
  const { json } = await wait(service, freshNumber('180'), '/between')
  const id = json['vendor_id'] as VerificationId
  const database = slots.databaseOf(slotOfVerification(id))
  // No sweep can end it earlier: it expires inside this transaction.
  const isProved = await inTransaction(database, async (session) => {
    await session.query('UPDATE inbound_requests SET until = clock_timestamp() WHERE id = $1', [id])
    return matchInboundCalls(session, [{ id, vaultName: 'nothing' }], 1)
  })
  assert.deepEqual(isProved, [false])
  assert.equal((await settled(base, service, id))['call_status'], 0)
})

test('many concurrent calls for one request: one matches', async () => {
  const service = await makeService(installation)
  const phone = freshNumber('180')
  const { json } = await wait(service, phone, '/once')
  const before = outcomes.length
  await Promise.all(Array.from({ length: 20 }, () => call(phone, String(json['confirmation_number']))))
  const came = outcomes.slice(before)
  assert.deepEqual([came.length, came.filter((outcome) => outcome === 'matched').length], [20, 1])
  assert.equal((await settled(base, service, json['vendor_id']))['call_status'], 1)
  assert.deepEqual((await auditLedger(installation)).faults, [])
})
