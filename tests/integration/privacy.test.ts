// No dialled number is stored in clear text, even where a customer put it into `client`, `unique` or elsewhere: not in
// PostgreSQL's files and WAL, not in JetStream, not in a log. Its mask, which hides only three digits, is not stored
// either, and JetStream shows nothing of a call order. The same search finds seeded values.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { asOwner } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const stack = new URL('../../.stack/', import.meta.url).pathname
const installation = await installPhones(0.2)
const { base, output } = await serve(installation)
const service = await makeService(installation, 1_000)
const { call, outcomes } = await createInboundCalls(installation)

// As it may be encoded: plain, UTF-16, base64 at any of its three offsets, hexadecimal.
function spellings(number: string): readonly Buffer[] {
  const plain = Buffer.from(number)
  const base64 = ['', 'x', 'xx'].map((pad) => {
    const text = Buffer.from(pad + number).toString('base64')
    return Buffer.from(text.slice(pad.length === 0 ? 0 : 4, -4))
  })
  return [plain, Buffer.from(number, 'utf16le'), Buffer.from(plain.toString('hex')), ...base64]
}

function filesBelow(directory: string): readonly string[] {
  return entriesOf(directory).flatMap((entry) => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
  })
}

// Another test may drop its database meanwhile, with its directory.
function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return []
  }
}

function hits(directory: string, numbers: readonly string[]): readonly string[] {
  const needles = numbers.flatMap((number) => [...spellings(number)])
  return filesBelow(directory).filter((file) => {
    let content: Buffer
    try {
      content = readFileSync(file)
    } catch {
      // Files of a running server come and go.
      return false
    }
    return needles.some((needle) => content.includes(needle))
  })
}

test('a dialled number is nowhere in clear text, and a seeded one is found', async (t) => {
  const numbers = ['180', '404', '200', '503'].map(freshNumber)
  for (const [index, phone] of numbers.entries()) {
    const body = { phone, client: `phone ${phone}`, unique: `key-${phone}`, voice: index === 2 }
    const asked = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body })
    assert.equal(asked.status, 200, asked.text)
    await ask(`${base}/v1.0/initCall?phone=${phone}&unique=key-${phone}`, { headers: service.bearer })
    // The webhook is not deliverable, so the number stays in the vault.
    const waited = await ask(`${base}/v1.0/inboundCallWaiting`, {
      method: 'POST',
      headers: service.bearer,
      body: { phone, callback_url: `http://127.0.0.1:9/${phone}` },
    })
    assert.equal(waited.status, 200, waited.text)
    await call(phone, String(waited.json['confirmation_number']))
    assert.equal(outcomes.at(-1), 'matched')
    const info = await settled(base, service, asked.json['vendor_id'])
    assert.equal(info['client'], `phone ${phone}`, 'the service itself can read it')
  }
  for (const phone of ['180', '404'].map(freshNumber)) {
    numbers.push(phone)
    const headers = { ...service.bearer, 'idempotency-key': `key-${phone}` }
    const body = { phone, reference: `phone ${phone}`, metadata: { phone } }
    const started = await ask(`${base}/v2/verifications`, { method: 'POST', headers, body })
    assert.equal(started.status, 201, started.text)
    const { id, metadata } = started.json['verification'] as Readonly<Record<string, unknown>>
    assert.deepEqual(metadata, { phone }, 'the service itself can read it')
    await ask(`${base}/v2/verifications/${String(id)}/cancel`, { method: 'POST', headers, body: {} })
  }
  await asOwner((client) => client.query('CHECKPOINT').catch(() => undefined), installation.database.ownerUrl)
  execFileSync('sync')

  // A failed crash test or fault case keeps its own list of requests, with numbers from the same small range.
  const histories = ['crash/', 'faults/'].map((name) => join(stack, name))
  const found = hits(stack, numbers).filter((file) => !histories.some((start) => file.startsWith(start)))
  assert.deepEqual(found, [])
  const masks = numbers.map((number) => `${number.slice(0, 4)}***${number.slice(-4)}`)
  assert.deepEqual(hits(join(stack, 'postgres'), masks), [], 'masks')
  for (const number of numbers) assert(!output().includes(number), 'the number is in the server log')
  assert(output().includes('"call dialled"'), 'the log was not read')

  const directory = temporaryDirectory(t)
  for (const [index, spelling] of spellings(numbers[0] ?? '').entries()) {
    writeFileSync(join(directory, 'seeded'), Buffer.concat([Buffer.from('before '), spelling, Buffer.from(' after')]))
    assert.equal(hits(directory, numbers).length, 1, `spelling ${index}`)
  }
  // And in the database itself, through PostgreSQL's own files.
  const seeded = '70000012345'
  await asOwner(async (client) => {
    await client.query(`CREATE TABLE seeded AS SELECT '${seeded}' AS number`)
  }, installation.database.ownerUrl)
  assert(hits(join(stack, 'postgres'), [seeded]).length >= 1, 'the seeded number is not in the WAL')
})

test('a queued call order shows neither its code nor the caller number', async () => {
  const waiting = await installPhones(1)
  const api = await serve(waiting, { RINGPROOF_SWITCH: '' }, '--roles', 'api')
  const { bearer: headers } = await makeService(waiting, 10)
  const phone = freshNumber('180')
  const asked = await ask(`${api.base}/v1.0/initCall`, { method: 'POST', headers, body: { phone } })
  assert.equal(asked.status, 200, asked.text)
  const code = String(asked.json['code'])
  const shown = ['first', 'second'].map((_, nth) => `700000${nth}${code}`)
  const inStore = (word: string) => hits(join(stack, 'nats'), [word])

  const { host, username, password } = new URL(String(waiting.environment['RINGPROOF_NATS_URL']))
  const connection = await connect({ servers: host, user: username, pass: password })
  const prefix = String(waiting.environment['RINGPROOF_NATS_PREFIX'])
  const manager = await jetstreamManager(connection)
  const { messages } = (await manager.streams.info(`${prefix}-calls-0`)).state
  assert.equal(messages, 1, 'the order is not in the stream')
  for (const word of [phone, ...shown, `"code":"${code}"`]) assert.deepEqual(inStore(word), [], word)

  const order = JSON.stringify({ routes: [{ callerNumber: Number(shown[0]) }], code })
  await jetstream(connection).publish(`${prefix}.calls.0.seeded`, order)
  await connection.close()
  for (const word of [shown[0] ?? '', `"code":"${code}"`]) assert.equal(inStore(word).length, 1, `${word} was seeded`)
})
