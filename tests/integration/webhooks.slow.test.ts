// From a matched inbound call to the receiver's 2xx, or to a dead webhook. A sealed number lives for 54 seconds here.

import assert from 'node:assert/strict'
import { globSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Kvm } from '@nats-io/kv'
import { connect } from '@nats-io/transport-node'
import { slotOfVerification, type VerificationId } from '../../server/src/domain/core/slot.ts'
import { unseal } from '../../server/src/domain/crypto/sealing.ts'
import { readSecrets } from '../../server/src/process/secrets.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd, type Received, verified } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { ringproof, ringproofJson } from '../support/process/cli.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'

const timeScale = 0.03
const installation = await installPhones(timeScale)
const { slots, environment } = installation
const { base, output } = await serve(installation)
const { call, vault } = await createInboundCalls(installation)
const service = await makeService(installation)
await slots.globalDatabase.query('UPDATE services SET inbound_seconds = 300')

const receiver = await createReceiverToTheEnd((response, { url, body }, nth) => {
  if (url === '/gone') response.writeHead(410).end()
  else if (url === '/moved' && nth === 1) response.writeHead(307, { location: '/elsewhere' }).end()
  else if (url === '/echo' && nth === 1) response.writeHead(400).end(`what is ${body}`)
  else if (url === '/lost') response.writeHead(500).end('out of order')
  else if (url === '/endless') response.writeHead(200).end(Buffer.alloc(1_000_000, 'x'))
  else response.writeHead(204).end()
})

type Proved = { readonly id: VerificationId; readonly phone: string; readonly path: string }

// A request is pending, and the subscriber calls.
async function proved(path: string, of: TestService = service): Promise<Proved> {
  const phone = freshNumber('180')
  const body = { phone, callback_url: `${receiver.url}${path}` }
  const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: of.bearer, body })
  assert.equal(asked.status, 200, asked.text)
  await call(phone, String(asked.json['confirmation_number']))
  return { id: asked.json['vendor_id'] as VerificationId, phone, path }
}

const receivedAt = (path: string): readonly Received[] => receiver.received.filter(({ url }) => url === path)

type Row = { state: string; reason: string | null; attempts: number; vault_name: string }
async function rowOf({ id }: Proved): Promise<Row> {
  const { rows } = await slots
    .databaseOf(slotOfVerification(id))
    .query<Row>('SELECT * FROM webhooks WHERE id = $1', [id])
  assert(rows[0])
  return rows[0]
}

const inState = (one: Proved, state: string) =>
  poll(
    `webhook ${one.id} to be ${state}`,
    () => rowOf(one),
    (row) => row.state === state,
  )

test('delivered webhooks are erased, non-2xx ones are retried, and redirects are not followed', async () => {
  const [good, moved, endless] = [await proved('/good'), await proved('/moved'), await proved('/endless')]
  for (const one of [good, moved, endless]) {
    const { vault_name } = await inState(one, 'delivered')
    await poll('the number to be erased', async () => (await vault.read(vault_name)) === undefined)
  }
  assert.deepEqual(
    [receivedAt('/good').length, receivedAt('/moved').length, receivedAt('/elsewhere').length],
    [1, 2, 0],
  )
  const [received] = receivedAt('/good')
  assert.deepEqual([received?.method, received?.headers['content-type']], ['POST', 'application/json'])
  assert.equal((await rowOf(endless)).attempts, 1, 'a 2xx counts however long its body')
})

test('the stored response of a receiver does not contain the number it echoes', async () => {
  const echo = await proved('/echo')
  await inState(echo, 'delivered')
  const { rows } = await slots.globalDatabase.query('SELECT * FROM webhook_attempts WHERE id = $1 ORDER BY attempt', [
    echo.id,
  ])
  assert.deepEqual(
    rows.map(({ attempt, status }) => [attempt, status]),
    [
      [1, 400],
      [2, 204],
    ],
  )
  assert.match(rows[0].response_start, /^what is \{"callId":"/)
  assert(!/\d/.test(rows[0].response_start))
  assert(rows[0].duration_ms >= 0)
  assert(!output().includes(echo.phone))
})

test('during secret rotation both secrets sign, then the new one alone', async () => {
  const rotating = await makeService(installation)
  const rotate = (hours: string) =>
    ringproofJson<{ webhook_secret: string }>(
      environment,
      'services',
      'rotate-webhook-secret',
      String(rotating.serviceId),
      '--overlap-hours',
      hours,
    )
  const receivedBy = async (path: string) => {
    await inState(await proved(path, rotating), 'delivered')
    const [received] = receivedAt(path)
    assert(received)
    return received
  }
  const next = (await rotate('1')).webhook_secret
  const both = await receivedBy('/both')
  for (const secret of [rotating.webhookSecret, next]) assert(verified(secret, both))
  const last = (await rotate('0')).webhook_secret
  const alone = await receivedBy('/alone')
  assert(verified(last, alone))
  for (const secret of [rotating.webhookSecret, next]) assert.throws(() => verified(secret, alone))
})

test('410 stops at once; after its life the number is erased, and destroying the key makes its bytes unreadable', async () => {
  const gone = await proved('/gone')
  const { vault_name: name, attempts, reason } = await inState(gone, 'dead')
  assert.deepEqual([attempts, reason], [1, 'gone'])
  const ring = readSecrets(String(environment['RINGPROOF_SECRETS_DIR']))['seal-numbers']
  const sealed = await sealedBytes(name)
  const blocks = blocksWith(sealed)
  assert(blocks.length > 0, 'the bytes are not in the stream')
  const opened = (keys: typeof ring) =>
    blocks.map((block) =>
      unseal(keys, `vault:${name}`, 0, block.subarray(block.indexOf(sealed)).subarray(0, sealed.length)),
    )
  assert.deepEqual(
    opened(ring),
    Array.from(blocks, () => gone.phone),
    'the bytes cannot be decrypted with the key',
  )

  const lost = await proved('/lost')
  await vault.erase((await rowOf(lost)).vault_name)
  assert.equal((await inState(lost, 'dead')).reason, 'erased')

  await poll('the number to be erased', async () => (await vault.read(name)) === undefined)
  const tooLate = await poll(
    'the resend to be refused',
    () => ringproof(environment, 'webhooks', 'resend', String(gone.id)),
    ({ err }) => err.includes('has been erased'),
  )
  assert.equal(tooLate.status, 1)
  assert.equal(receivedAt('/gone').length, 1)

  const secretsDir = String(environment['RINGPROOF_SECRETS_DIR'])
  const secrets = (...args: readonly string[]) => ringproof(environment, 'secrets', ...args)
  const destroy = () => secrets('destroy', 'seal-numbers', '--on-every-host')
  assert.match((await secrets('add', 'seal-numbers')).out, /Created seal-numbers-2\.key/)
  const twoHoursAgo = Date.now() / 1_000 - 7_200
  utimesSync(join(secretsDir, 'seal-numbers-2.key'), twoHoursAgo, twoHoursAgo)
  assert.match((await secrets('activate', 'seal-numbers', '--on-every-host')).out, /seal-numbers-2\.key is active/)
  assert.match((await destroy()).err, /must be active for an hour first/)
  assert.deepEqual(new Set(readSecrets(secretsDir)['seal-numbers'].keys.keys()), new Set([1, 2]))
  utimesSync(join(secretsDir, 'seal-numbers.active'), twoHoursAgo, twoHoursAgo)
  assert.match((await destroy()).out, /Destroyed seal-numbers-1\.key/)
  assert.throws(() => opened(readSecrets(secretsDir)['seal-numbers']), /ring key 1 is not there/)
})

async function sealedBytes(name: string): Promise<Buffer> {
  const { host, username, password } = new URL(String(environment['RINGPROOF_NATS_URL']))
  const connection = await connect({ servers: host, user: username, pass: password })
  const bucket = await new Kvm(connection).open(`${environment['RINGPROOF_NATS_PREFIX']}-vault`)
  const entry = await bucket.get(name)
  await connection.close()
  assert(entry)
  return Buffer.from(entry.value)
}

// As somebody with the stolen disk would have them.
function blocksWith(bytes: Buffer): readonly Buffer[] {
  const stack = new URL('../../.stack/nats/', import.meta.url).pathname
  // Unlike readdir, glob passes over folders that are deleted meanwhile: other tests end.
  return globSync('**/*.blk', { cwd: stack })
    .map((path) => readWhatIsThere(join(stack, path)))
    .filter((block) => block.includes(bytes))
}

// Blocks of a running server come and go.
function readWhatIsThere(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}
