// The screen "Webhooks" behind its endpoints: attempts, sending again, recovering, an example, a new secret.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type WebInput, type WebOutput, webApi } from '@ringproof/contract/web/api.ts'
import { webhooks as signing } from '../../sdk/src/client.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd, type Received, verified } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { signUp } from '../support/web/people.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.2)
const { base } = await serve(installation, { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
const owner = (await signUp({ base, mailDir })).visitor
const stranger = (await signUp({ base, mailDir })).visitor
const { serviceId, key } = await owner.call('create-service', {
  name: 'Shop',
  isTest: true,
  isMovingFromUcaller: false,
})
const repaired = new Set<string>()
const receiver = await createReceiverToTheEnd((response, { url }) => {
  if (repaired.has(url)) response.writeHead(204).end()
  else if (url === '/gone') response.writeHead(410).end('gone 410 or 7900000')
  else if (url === '/down') response.writeHead(503).end('out of order')
  else response.writeHead(204).end()
})
const phone = '79000000001'

// A test number calls a moment after the request.
async function request(path: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}.${serviceId}` }
  const body = { phone, callback_url: `${receiver.url}${path}` }
  const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers, body })
  assert.equal(asked.status, 200, asked.text)
  return Number(asked.json['vendor_id'])
}

type Webhook = WebOutput<'webhooks'>['webhooks'][number]

function waitFor(id: number, is: (webhook: Webhook) => boolean): Promise<Webhook | undefined> {
  return poll(
    `webhook ${id}`,
    async () => {
      const { webhooks } = await owner.call('webhooks', { traffic: 'test' })
      return webhooks.find(({ verificationId }) => verificationId === id)
    },
    (webhook) => webhook !== undefined && is(webhook),
  )
}

test('a receiver that is down is shown with every attempt and the next one; sent again, it is delivered', async () => {
  const id = await request('/down')
  const waiting = await waitFor(id, ({ attempts }) => attempts.length >= 2)
  assert.equal(waiting?.state, 'waiting')
  assert.equal(waiting?.host, new URL(receiver.url).host)
  assert.deepEqual(waiting?.attempts.map(({ status, response, failure }) => [status, response, failure]).slice(0, 2), [
    [503, 'out of order', ''],
    [503, 'out of order', ''],
  ])
  assert(waiting && waiting.nextAt !== null && waiting.numberUntil !== null && waiting.nextAt < waiting.numberUntil)
  const page = await owner.call('webhooks', { traffic: 'test' })
  assert.equal(page.hosts[0]?.lastStatus, 503)
  assert.notEqual(page.hosts[0]?.failingSince, null)
  assert.doesNotMatch(JSON.stringify(page), new RegExp(phone))
  assert.deepEqual((await owner.call('webhooks', { traffic: 'live' })).webhooks, [])
  assert.equal((await stranger.refused('resend-webhook', { verificationId: id })).body.error, 'not-found')
  repaired.add('/down')
  await owner.call('resend-webhook', { verificationId: id })
  const delivered = await waitFor(id, ({ state }) => state === 'delivered')
  assert.equal(delivered?.attempts.at(-1)?.status, 204)
  assert.equal(delivered?.numberUntil, null)
  // A retry may deliver it just before the button is pressed: that is no error, and nothing is sent.
  await owner.call('resend-webhook', { verificationId: id })
})

test('failed webhooks since a moment are recovered, older ones and those of others are not', async () => {
  const id = await request('/gone')
  const failed = await waitFor(id, ({ state }) => state === 'failed')
  assert.deepEqual([failed?.reason, failed?.attempts[0]?.response], ['gone', 'gone 410 or #######'])
  repaired.add('/gone')
  const recover = (since: number, isTest = true) => owner.call('recover-webhooks', { since, isTest })
  assert.deepEqual(await recover(Date.now() + 60_000), { count: 0 })
  assert.deepEqual(await recover(0, false), { count: 0 })
  assert.deepEqual(await stranger.call('recover-webhooks', { since: 0, isTest: true }), { count: 0 })
  assert.deepEqual(await recover(Date.now() - 60_000), { count: 1 })
  await waitFor(id, ({ state }) => state === 'delivered')
})

test('a filter changes the webhooks and the hosts alike', async () => {
  const samples: Required<Omit<WebInput<'webhooks'>, 'before'>> = { traffic: 'live' }
  const whole = { traffic: 'test' } as const
  const all = await owner.call('webhooks', whole)
  const hostsIn = (of: readonly { readonly host: string }[]) => new Set(of.map(({ host }) => host))
  assert.deepEqual(hostsIn(all.hosts), hostsIn(all.webhooks))
  const fields = Object.keys(webApi.webhooks.input.properties).filter((field) => field !== 'before')
  for (const field of fields as readonly (keyof typeof samples)[]) {
    const page = await owner.call('webhooks', { ...whole, [field]: samples[field] })
    assert.notDeepEqual(page.webhooks, all.webhooks, `${field} changes nothing`)
    assert.deepEqual(hostsIn(page.hosts), hostsIn(page.webhooks), field)
  }
})

test('an example is signed and goes where webhooks may go; a rotated secret signs beside the old one', async () => {
  const send = (url: string) => owner.call('send-example-webhook', { serviceId, url })
  const { secret } = await owner.call('rotate-webhook-secret', { serviceId, overlapHours: 24 })
  const { attempt, body } = await send(`${receiver.url}/example`)
  assert.deepEqual([attempt.status, attempt.failure], [204, ''])
  const received = receiver.received.find(({ url }) => url === '/example') as Received
  assert.equal(received.body, body)
  assert.equal(verified(secret, received)['clientNumber'], phone)
  assert.equal(String(received.headers['webhook-signature']).split(' ').length, 2)
  const [shown] = (await owner.call('webhooks', { traffic: 'test' })).services
  assert.equal(shown?.secretEnd, secret.slice(-4))
  assert(shown?.oldSecretEnd !== null && (shown?.oldSecretUntil ?? 0) > Date.now() + 23 * 3_600_000)
  for (const url of ['http://10.0.0.1/', 'ftp://example.org/', 'http://[::1]:80/']) {
    assert.equal((await owner.refused('send-example-webhook', { serviceId, url })).body.error, 'invalid', url)
  }
  assert.equal((await send('http://127.0.0.1:1/')).attempt.failure, 'unreachable')
  assert.equal((await stranger.refused('send-example-webhook', { serviceId, url: receiver.url })).status, 404)
  assert.equal((await stranger.refused('rotate-webhook-secret', { serviceId, overlapHours: 0 })).status, 404)
})

test('examples/curl/verify.sh accepts a signed body, and nothing else', async () => {
  const directory = fileDirectory()
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = '{"callId":"1","regionName":"Пермь"}'
  const file = join(directory, 'body.json')
  const verify = async (text: string, timestampSeconds?: number) => {
    writeFileSync(file, text)
    const headers = await signing.testHeaders(body, secret, timestampSeconds === undefined ? {} : { timestampSeconds })
    const values = { ID: headers['webhook-id'], TIMESTAMP: headers['webhook-timestamp'] }
    const env = {
      ...process.env,
      ...values,
      SIGNATURE: `v1,b2xk ${headers['webhook-signature']}`,
      WEBHOOK_SECRET: secret,
    }
    const script = join(import.meta.dirname, '../../examples/curl/verify.sh')
    return execFileSync('sh', [script, file], { env, encoding: 'utf8' })
  }
  assert.equal(await verify(body), 'Genuine\n')
  await assert.rejects(verify(body.replace('1', '2')))
  await assert.rejects(verify(body, Math.floor(Date.now() / 1_000) - 400))
})
