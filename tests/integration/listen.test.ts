// `npx @ringproof/client listen`: webhooks reach a program on a developer's machine, signed, and its response is the result of
// the delivery.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { ask } from '../support/http/ask.ts'
import { type Got, startListener, startProgram } from '../support/http/listening-program.ts'
import { createReceiverToTheEnd } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { signUp } from '../support/web/people.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.2)
const { base } = await serve(installation, { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
const owner = (await signUp({ base, mailDir })).visitor
const { serviceId } = await owner.call('create-service', { name: 'Shop', isTest: true, isMovingFromUcaller: false })
const newKey = async (name: string, ...scopes: ('start' | 'read' | 'listen')[]) =>
  (await owner.call('add-service-key', { serviceId, name, scopes, days: null })).key
const startKey = await newKey('start', 'start')
const readKey = await newKey('read', 'start', 'read')
const listenKey = await newKey('listen', 'listen')
const { secret } = await owner.call('rotate-webhook-secret', { serviceId, overlapHours: 0 })
// Where webhooks go while nobody listens.
const receiver = await createReceiverToTheEnd()
const port = await freePort()

type Attempted = WebOutput<'webhooks'>['webhooks'][number]

async function request(): Promise<number> {
  const headers = { authorization: `Bearer ${startKey}.${serviceId}` }
  const body = { phone: '79000000001', callback_url: receiver.url }
  const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers, body })
  assert.equal(asked.status, 200, asked.text)
  return Number(asked.json['vendor_id'])
}

function waitFor(id: number, is: (webhook: Attempted) => boolean): Promise<Attempted | undefined> {
  return poll(
    `webhook ${id}`,
    async () => {
      const page = await owner.call('webhooks', { traffic: 'test' })
      return page.webhooks.find(({ verificationId }) => verificationId === id)
    },
    (webhook) => webhook !== undefined && is(webhook),
  )
}

test('listen forwards; a stopped program fails the attempt, and sending again delivers', async (t) => {
  const got: Got[] = []
  let program = await startProgram(port, secret, got)
  const listener = startListener(base, { serviceId, key: listenKey }, '--forward-to', `http://127.0.0.1:${port}/ring`)
  t.after(() => {
    listener.stop()
    program.close()
    program.closeAllConnections()
  })
  await poll('the stream', () => listener.said.out.includes('Listening for webhooks'))
  const first = await request()
  const delivered = await waitFor(first, ({ state }) => state === 'delivered')
  assert.deepEqual(got, [{ callId: String(first), isTamperedRejected: true }])
  assert.deepEqual(
    delivered?.attempts.map(({ status }) => status),
    [204],
  )
  await poll('the line', () => new RegExp(`verification ${first}: 204 in \\d+ ms`).test(listener.said.out))
  program.close()
  program.closeAllConnections()
  const second = await request()
  const waiting = await waitFor(second, ({ attempts }) => attempts.length > 0)
  assert.deepEqual([waiting?.state, waiting?.attempts[0]?.failure], ['waiting', 'unreachable'])
  assert((waiting?.nextAt ?? 0) > 0)
  await poll('the line', () => listener.said.out.includes(`verification ${second}: not delivered`))
  program = await startProgram(port, secret, got)
  await owner.call('resend-webhook', { verificationId: second })
  await waitFor(second, ({ state }) => state === 'delivered')
  assert.equal(got.at(-1)?.callId, String(second))
  // Nothing went to the public address meanwhile.
  assert.equal(receiver.received.length, 0)
  listener.stop()
  assert.equal(await listener.ended, 0)
  const third = await request()
  await waitFor(third, ({ state }) => state === 'delivered')
  assert.equal(receiver.received.length, 1)
})

// A listener that is not refused would not end.
test('only a key with the scope "listen" listens, five at most in an account, and a result needs a delivery of the service', {
  timeout: 60_000,
}, async (t) => {
  const forwardTo = ['--forward-to', `http://127.0.0.1:${port}/ring`]
  for (const key of ['no-such-key', startKey, readKey]) {
    const listener = startListener(base, { serviceId, key }, ...forwardTo)
    t.after(() => listener.stop())
    assert.equal(await listener.ended, 1)
    assert.match(listener.said.out, /refused with 40[13]/)
  }
  const usage = startListener(base, { serviceId, key: listenKey })
  assert.equal(await usage.ended, 1)
  assert.match(usage.said.out, /^Usage:/)
  const headers = { authorization: `Bearer ${listenKey}.${serviceId}` }
  // Another service of the account takes its streams from the same five.
  const other = await owner.call('create-service', { name: 'Other', isTest: true, isMovingFromUcaller: false })
  const otherHeaders = { authorization: `Bearer ${other.key}.${other.serviceId}` }
  const url = `${base}/test/v1/webhooks/listen`
  const aborts = Array.from({ length: 5 }, () => new AbortController())
  t.after(() => aborts.forEach((abort) => abort.abort()))
  const open = await Promise.all(
    aborts.map(({ signal }, at) => fetch(url, { headers: at < 2 ? otherHeaders : headers, signal })),
  )
  assert.deepEqual(
    open.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  const sixth = new AbortController()
  t.after(() => sixth.abort())
  for (const sent of [headers, otherHeaders]) {
    assert.equal((await fetch(url, { headers: sent, signal: sixth.signal })).status, 503)
  }
  for (const abort of aborts) abort.abort()
  await poll('a place', async () => {
    const abort = new AbortController()
    const again = await fetch(url, { headers, signal: abort.signal })
    abort.abort()
    return again.status === 200
  })
  const refused = await ask(url, { method: 'POST', headers, body: { delivery: 'AAAA', status: 200 } })
  assert.equal(refused.json['status'], false)
})

// A stream that does not end would hang the test.
test('a stream ends when its key is revoked', { timeout: 30_000 }, async () => {
  const key = await newKey('short', 'read', 'listen')
  const headers = { authorization: `Bearer ${key}.${serviceId}` }
  // The server has cached the keys since a wrong one was sent, and is notified of a new one a moment after the commit.
  await poll('the key to be known', async () => (await ask(`${base}/v1.0/getBalance`, { headers })).status === 200)
  const { body } = await fetch(`${base}/test/v1/webhooks/listen`, { headers })
  await owner.call('revoke-service-key', { serviceId, name: 'short' })
  const chunks: string[] = []
  // The loop ends with the stream.
  for await (const chunk of body ?? []) chunks.push(new TextDecoder().decode(chunk as Uint8Array))
  assert.match(chunks.join(''), /^: listening/)
})

test('the first key of a test service listens, that of a live service does not until an owner adds one that does', async () => {
  const made = async (isTest: boolean) =>
    owner.call('create-service', { name: 'New', isTest, isMovingFromUcaller: false })
  const headersOf = (key: string, service: number) => ({ authorization: `Bearer ${key}.${service}` })
  const listens = async (key: string, service: number) => {
    const abort = new AbortController()
    const url = `${base}/test/v1/webhooks/listen`
    const { ok } = await fetch(url, { headers: headersOf(key, service), signal: abort.signal })
    abort.abort()
    return ok
  }
  const [developed, live] = [await made(true), await made(false)]
  assert.equal(await listens(developed.key, developed.serviceId), true)
  const balance = await ask(`${base}/v1.0/getBalance`, { headers: headersOf(live.key, live.serviceId) })
  assert.deepEqual([balance.status, await listens(live.key, live.serviceId)], [200, false])
  const scopes: ('start' | 'read' | 'listen')[] = ['listen']
  const added = await owner.call('add-service-key', { serviceId: live.serviceId, name: 'desk', scopes, days: 1 })
  await poll('the key to be known', () => listens(added.key, live.serviceId))
})
