import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { WebhookVerificationError, webhooks } from '../../sdk/src/client.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const body = JSON.stringify({ callId: '230695440908289', clientNumber: '79000000001', regionName: 'Пермский край' })
const now = () => Math.floor(Date.now() / 1_000)

// Written from the specification, without our code.
function sign(signed: string, id: string, seconds: number, key = secret): string {
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', bytes).update(`${id}.${seconds}.${signed}`).digest('base64')}`
}

const headersOf = (signature: string, seconds = now(), id = 'msg_1') => ({
  'webhook-id': id,
  'webhook-timestamp': String(seconds),
  'webhook-signature': signature,
})

test('a webhook signed as the specification says is accepted, in every header container', async () => {
  const headers = headersOf(sign(body, 'msg_1', now()))
  const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  for (const form of [headers, new Headers(headers), shouted]) {
    assert.deepEqual(await webhooks.verify(body, form, secret), JSON.parse(body))
    assert.deepEqual(await webhooks.verify(Buffer.from(body), form, secret), JSON.parse(body))
  }
})

test('the test vector of the specification is accepted', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_614_265_330_000 })
  const headers = headersOf(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    1_614_265_330,
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
  )
  await webhooks.verify('{"test": 2432232314}', headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
})

test("we and the specification's own package accept each other's signatures", async () => {
  const reference = new Webhook(secret)
  const ours = await webhooks.testHeaders(body, secret)
  assert.deepEqual(reference.verify(body, ours), JSON.parse(body))
  const seconds = now()
  const theirs = reference.sign('msg_2', new Date(seconds * 1_000), body)
  assert.deepEqual(await webhooks.verify(body, headersOf(theirs, seconds, 'msg_2'), secret), JSON.parse(body))
})

test('during secret rotation either secret is enough, and unknown signature versions are ignored', async () => {
  const old = `whsec_${randomBytes(24).toString('base64')}`
  const seconds = now()
  const both = `v1a,AAAA v1,%% ${sign(body, 'msg_1', seconds, old)} ${sign(body, 'msg_1', seconds)}`
  for (const known of [secret, old]) await webhooks.verify(body, headersOf(both, seconds), known)
})

test('a changed body, ID, timestamp or signature is rejected', async () => {
  const seconds = now()
  const good = sign(body, 'msg_1', seconds)
  const flipped = `v1,${good[3] === 'A' ? 'B' : 'A'}${good.slice(4)}`
  const faults: [title: string, body: string, headers: Record<string, string>, secret: string][] = [
    ['body', body.replace('79000000001', '79000000002'), headersOf(good, seconds), secret],
    ['body printed again', JSON.stringify(JSON.parse(body), undefined, 1), headersOf(good, seconds), secret],
    ['id', body, headersOf(good, seconds, 'msg_2'), secret],
    ['timestamp', body, headersOf(good, seconds - 1), secret],
    ['signature', body, headersOf(flipped, seconds), secret],
    ['signature cut', body, headersOf(good.slice(0, -4), seconds), secret],
    ['signature empty', body, headersOf('', seconds), secret],
    ['version', body, headersOf(good.replace('v1,', 'v2,'), seconds), secret],
    ['secret', body, headersOf(good, seconds), `whsec_${randomBytes(32).toString('base64')}`],
  ]
  for (const [title, ...parts] of faults)
    await assert.rejects(webhooks.verify(...parts), WebhookVerificationError, title)
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    const lacking = Object.fromEntries(Object.entries(headersOf(good, seconds)).filter(([one]) => one !== name))
    await assert.rejects(webhooks.verify(body, lacking, secret), WebhookVerificationError, name)
  }
})

test('timestamps up to five minutes off are accepted, and no more', async () => {
  const at = async (offsetSeconds: number) =>
    webhooks.verify(body, await webhooks.testHeaders(body, secret, { timestampSeconds: now() + offsetSeconds }), secret)
  for (const near of [-295, 295]) await at(near)
  for (const far of [-305, 305]) await assert.rejects(at(far), WebhookVerificationError, String(far))
  const endless = { ...(await webhooks.testHeaders(body, secret)), 'webhook-timestamp': 'NaN' }
  await assert.rejects(webhooks.verify(body, endless, secret), WebhookVerificationError)
})

test('a malformed secret is reported as such', async () => {
  for (const none of ['', 'whsec_', 'whsec_%%']) {
    await assert.rejects(webhooks.testHeaders(body, none), TypeError, none)
  }
})
