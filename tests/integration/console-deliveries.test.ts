// Webhooks of all customers in the console and by the command line: a host that fails, what can be sent again, and who did it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createOperator } from '../support/web/operator.ts'

const installation = await installPhones(1)
const settings = { RINGPROOF_MAIL_DIR: `${fileDirectory()}/mail`, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings)
const { visitor: support, email } = await createOperator(installation, base, 'support')
const services = [await makeService(installation), await makeService(installation)] as const
const cli = createCli(installation.environment)
const { call } = await createInboundCalls(installation)
let isRepaired = false
const gone = await createReceiverToTheEnd((response) => {
  response.writeHead(isRepaired ? 204 : 410).end()
})
const well = await createReceiverToTheEnd((response) => {
  response.writeHead(204).end()
})
const phones: string[] = []

// A person asks to be verified and calls.
async function verify({ bearer }: (typeof services)[number], url: string): Promise<number> {
  const phone = freshNumber('180')
  phones.push(phone)
  const body = { phone, callback_url: `${url}/secret-path?token=12` }
  const { json } = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: bearer, body })
  await call(phone, String(json['confirmation_number']))
  return Number(json['vendor_id'])
}

type Shown = WebOutput<'deliveries'>

function shown(is: (shown: Shown) => boolean): Promise<Shown> {
  return poll('the webhooks', () => support.call('deliveries'), is)
}

test('a host that refuses stands first with its cause; only hosts are named', async () => {
  const [one, two] = services
  await verify(one, well.url)
  const ids = [await verify(one, gone.url), await verify(two, gone.url)]
  const page = await shown(({ failed, hosts }) => failed.length === 2 && hosts.some(({ delivered }) => delivered === 1))
  const [first, second] = page.hosts
  assert.equal(first?.host, new URL(gone.url).host)
  assert.deepEqual(
    first?.accountIds,
    [one.accountId, two.accountId].toSorted((a, b) => a - b),
  )
  assert.deepEqual([first?.webhooks, first?.delivered, first?.recoverable, first?.lastStatus], [2, 0, 2, 410])
  assert(first?.failingSince)
  assert.deepEqual([second?.host, second?.delivered, second?.failingSince], [new URL(well.url).host, 1, null])
  assert.deepEqual(
    page.failed.map(({ verificationId, reason }) => [verificationId, reason]),
    ids.toSorted((a, b) => b - a).map((id) => [id, 'gone']),
  )
  const text = JSON.stringify(page)
  assert(!text.includes('secret-path') && phones.every((phone) => !text.includes(phone.slice(1))))
})

test('one press sends what a host refused again, for every customer, with the person in the log', async () => {
  assert.deepEqual(await support.call('recover-host', { host: 'elsewhere.example' }), { count: 0 })
  isRepaired = true
  assert.deepEqual(await support.call('recover-host', { host: new URL(gone.url).host }), { count: 2 })
  const page = await shown(({ hosts }) => hosts.every(({ delivered, webhooks }) => delivered === webhooks))
  assert.deepEqual(
    page.hosts.map(({ failingSince }) => failingSince),
    [null, null],
  )
  assert.deepEqual(page.failed, [])
  const { rows } = await installation.slots.globalDatabase.query<{ accountId: number; who: string }>(
    `SELECT account_id AS "accountId", details ->> 'user' AS who FROM action_log WHERE action = 'webhooks recovered' ORDER BY account_id`,
  )
  assert.deepEqual(
    rows,
    services.map(({ accountId }) => ({ accountId, who: email })).toSorted((a, b) => a.accountId - b.accountId),
  )
})

test('a single one is sent again, once; the command line shows and does the same', async () => {
  isRepaired = false
  const id = await verify(services[0], gone.url)
  await shown(({ failed }) => failed.length === 1)
  const host = new URL(gone.url).host
  const listed = await cli.json<{ hosts: { host: string }[] }>('webhooks', 'list', '--by-host', '--json')
  assert.equal(listed.hosts[0]?.host, host)
  isRepaired = true
  await support.call('send-delivery-again', { verificationId: id })
  await shown(({ failed }) => failed.length === 0)
  assert.equal((await support.refused('send-delivery-again', { verificationId: id })).body.error, 'not-found')
  assert.match((await cli.run('webhooks', 'resend', '--host', host)).out, /^0 webhooks to /)
  assert.match((await cli.run('webhooks', 'resend', '1', '--host', host)).err, /either a verification ID or --host/)
})
