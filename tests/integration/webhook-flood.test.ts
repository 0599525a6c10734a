// Many webhooks to one address delay no others, whichever account they belong to, and do not flood the address. All
// names resolve to loopback.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { createService } from '../../server/src/actions/accounts/services.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import { receiverDigest } from '../../server/src/domain/crypto/keyed-digest.ts'
import { nonceBytes, seal } from '../../server/src/domain/crypto/sealing.ts'
import { testVaultName } from '../../server/src/domain/verifications/inbound-request.ts'
import { atEnd } from '../support/at-end.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { createReceiver } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'
import { stackSetting } from '../support/stack-settings.ts'

const installation = await installPhones(1)
const { slots, recordKeys } = installation
const { base } = await serve(installation)

const wait = ({ bearer: headers }: TestService, phone: string, callback_url = 'http://127.0.0.1:9/', at = base) =>
  ask(`${at}/v1.0/inboundCallWaiting`, { method: 'POST', headers, body: { phone, callback_url } })

// As many webhooks as URLs, all due now.
async function makeDue({ serviceId }: TestService, urls: readonly string[]): Promise<void> {
  await slots.globalDatabase.query(
    `INSERT INTO webhooks (id, service_id, is_test, callback_sealed, receiver_digest, confirmation_number, vault_name,
       number_until)
     SELECT next_id($1 % 64), $1, false, c.sealed, c.digest, 70000100001, $4, now() + interval '30 minutes'
     FROM unnest($2::bytea[], $3::bytea[]) AS c(sealed, digest)`,
    [
      serviceId,
      urls.map((url) => seal(recordKeys, 'callback', serviceId, url, randomBytes(nonceBytes))),
      urls.map((url) => receiverDigest(recordKeys, new URL(url).host)),
      testVaultName,
    ],
  )
}

// Never responds, and counts requests in total and in parallel.
async function createTarpit(): Promise<{ port: number; asked: () => number; most: () => number; server: Server }> {
  let [asked, open, most] = [0, 0, 0]
  const server = createServer(({ socket }) => {
    asked += 1
    open += 1
    most = Math.max(most, open)
    socket.once('close', () => (open -= 1))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as AddressInfo).port, asked: () => asked, most: () => most, server }
}

test('a thousand webhooks to one address under different names: sixteen in parallel, and others are not delayed', async () => {
  const tarpit = await createTarpit()
  const evils = await Promise.all(Array.from({ length: 4 }, () => makeService(installation)))
  for (const [nth, evil] of evils.entries()) {
    const names = Array.from({ length: 250 }, (_, n) => `http://h${nth * 250 + n}.localhost:${tarpit.port}/`)
    await makeDue(evil, names)
  }
  await poll('sixteen requests to the tarpit', tarpit.asked, (count) => count >= 16)
  const good = await makeService(installation)
  // Another address than the tarpit's, queued behind a thousand earlier webhooks.
  const receiver = await createReceiver(undefined, '127.0.0.2')
  await makeDue(
    good,
    Array.from({ length: 20 }, (_, n) => `${receiver.url}/${n}`),
  )
  await receiver.count(20, 8_000)
  await receiver.close()
  assert.equal(tarpit.most(), 16)
  // Each hangs for ten seconds, so there was time for hardly one round.
  assert(tarpit.asked() <= 3 * 16, `${tarpit.asked()} requests`)
})

test('free test requests are limited to a burst of ten and one a second per service; beyond that code 5', async () => {
  const [one, other] = [await makeService(installation, 0), await makeService(installation, 0)]
  const asked = await Promise.all(Array.from({ length: 40 }, () => wait(one, '79000000002')))
  const refused = asked.filter(({ status }) => status !== 200)
  assert.equal(asked.length - refused.length, 10)
  for (const each of refused) {
    assertRefused(each, 5, 503)
    assert.equal(each.headers.get('retry-after'), '1')
  }
  assert.equal((await wait(other, '79000000002')).status, 200)
})

test('the webhook of a test number is real and signed, and stores nothing in the vault', async () => {
  const service = await makeService(installation, 0)
  const receiver = await createReceiver(undefined, '127.0.0.3')
  assert.equal((await wait(service, '79000000001', `${receiver.url}/`)).status, 200)
  await receiver.count(1)
  assert.equal(JSON.parse(receiver.received[0]?.body ?? '')['clientNumber'], '79000000001')
  await receiver.close()
  const { host, username, password } = new URL(stackSetting('RINGPROOF_NATS_URL'))
  const connection = await connect({ servers: host, user: username, pass: password })
  const streams = await (await jetstreamManager(connection)).streams.list().next()
  const prefix = installation.environment['RINGPROOF_NATS_PREFIX'] ?? ''
  const vault = streams.filter(({ config }) => config.name.startsWith('KV_') && config.name.includes(prefix))
  assert.deepEqual(
    vault.map(({ state }) => state.last_seq),
    // Of webhooks, of repeats and of verifications of /v2.
    [0, 0, 0],
  )
  await connection.close()
})

test('an account gets at most ten of the numbers for one subscriber, however many services it has', async () => {
  const account = await makeService(installation, 100)
  const actor = { address: 'test', userAgent: '' }
  const more = await Promise.all(
    Array.from({ length: 3 }, async (_, n) => {
      const deps = { slots, recordKeys, randomBytes, newServiceCaps: noCaps }
      const { serviceId, key } = await createService(deps, actor, { accountId: account.accountId, name: `s${n}` })
      return { ...account, serviceId, key, bearer: { authorization: `Bearer ${key}.${serviceId}` } }
    }),
  )
  const phone = freshNumber('180')
  const asked = await Promise.all([account, ...more].flatMap((of) => Array.from({ length: 5 }, () => wait(of, phone))))
  const refused = asked.filter(({ status }) => status !== 200)
  assert.equal(asked.length - refused.length, 10)
  for (const each of refused) assertRefused(each, 18, 429)
  assert.equal((await wait(await makeService(installation), phone)).status, 200)
})

test('where numbers are scarce, an account leaves a third of them to others', async () => {
  await slots.globalDatabase.query(
    'DELETE FROM confirmation_numbers WHERE number NOT IN (70000100001, 70000100002, 70000100003)',
  )
  const [one, other] = [await makeService(installation), await makeService(installation)]
  const phone = freshNumber('180')
  // A process reads them at start.
  const fresh = await serve(installation, {}, '--roles', 'api')
  const waitThere = (of: TestService) => wait(of, phone, undefined, fresh.base)
  assert.deepEqual(
    (await Promise.all([waitThere(one), waitThere(one)])).map(({ status }) => status),
    [200, 200],
  )
  assertRefused(await waitThere(one), 5, 503)
  assert.equal((await waitThere(other)).status, 200, 'another account gets the reserved third')
})
