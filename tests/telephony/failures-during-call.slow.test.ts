// Failures during a call: the process that dialled, its connection to Asterisk, Asterisk itself, by TERM and by KILL.
// Nobody is called twice, nothing stays held, and the next call works.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { atEnd } from '../support/at-end.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { createBreakableProxy } from '../support/network/breakable-proxy.ts'
import { poll } from '../support/poll.ts'
import { type Running, start } from '../support/process/cli.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { realClock } from '../support/sip/asterisk-switch.ts'

// A quarter of real time: a flash call rings for 5 s, and everything ends within 14 s.
const timeScale = 0.25
const ringSeconds = 20

const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
const line = await createBreakableProxy(asterisk.site.ariPort)
const phones = await installPhones(timeScale, 1, { address: carrier.address, ringSeconds })
const ariUrl = { RINGPROOF_ARI_URL: `http://127.0.0.1:${line.port}` }
const ports = { RINGPROOF_METRICS_PORT: '', RINGPROOF_REQUESTS_PER_SECOND: '1000' }
const port = await freePort()
const environment = {
  ...phones.environment,
  ...asterisk.environment,
  ...ariUrl,
  ...ports,
  RINGPROOF_HTTP_PORT: String(port),
}
const base = `http://127.0.0.1:${port}`
const service = await makeService(phones, 10_000)

const started: Running[] = []
atEnd(async () => {
  for (const { process: child } of started) child.kill('SIGTERM')
  await Promise.all(started.map(({ ended }) => ended))
})
let calling = await startRole('calls')
await startRole('api,keeper')

test('the process that dialled is killed: its successor stops the ringing, and the call counts as rung', async () => {
  const call = await begin('180', 'rings')
  calling.process.kill('SIGKILL')
  await calling.ended
  calling = await startRole('calls')
  await poll('the phone to stop ringing', () => received('CANCEL', call.phone) > 0)
  await assertEnd(call, 1)
  await assertNextCall()
})

test('the ARI connection is cut while it rings: the call continues and ends on time', async () => {
  const call = await begin('180', 'rings')
  line.cut()
  await assertEnd(call, 1)
  assert.equal(received('CANCEL', call.phone), 1)
  await assertNextCall()
})

test('the ARI connection is cut before it rings: ringing meanwhile is discovered', async () => {
  const call = await begin('180', 'dialled')
  line.cut()
  await assertEnd(call, 1)
  await assertNextCall()
})

test('the ARI connection is cut while a code is spoken: the code is spoken to the end', async () => {
  const speaking = line.passed('"PlaybackStarted"')
  const call = await order('200', true)
  await speaking
  line.cut()
  await assertEnd(call, 1)
  await assertNextCall()
})

test('the ARI connection is cut before the order to speak arrives: it is given again', async () => {
  const lost = line.loseReplyTo('"StasisStart"')
  const call = await order('200', true)
  await lost
  // A code is spoken twice.
  let spoken = 0
  const speaking = (async () => {
    for (; spoken < 2; spoken++) await line.passed('"PlaybackFinished"')
  })()
  await Promise.race([speaking, assertEnd(call, 1)])
  assert.equal(spoken, 2)
  await assertEnd(call, 1)
  await assertNextCall()
})

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`Asterisk gets ${signal} while it rings: the call counts as rung`, async () => {
    const call = await begin('180', 'rings')
    await asterisk.kill(signal)
    await asterisk.start()
    await assertEnd(call, 1)
    // A killed Asterisk sends nothing; the carrier lets the phone ring until its own timeout.
    if (signal === 'SIGTERM') assert.equal(received('CANCEL', call.phone), 1)
    await assertNextCall()
  })

  test(`Asterisk gets ${signal} before it rings: the call fails and is not retried`, async () => {
    const call = await begin('100', 'dialled')
    await asterisk.kill(signal)
    await asterisk.start()
    await assertEnd(call, 0)
    await assertNextCall()
  })
}

type Call = { readonly phone: string; readonly id: unknown }

// A call up to the given moment.
async function begin(scenario: string, moment: 'dialled' | 'rings'): Promise<Call> {
  const call = await order(scenario)
  await poll('the INVITE', () => received('INVITE', call.phone) > 0)
  if (moment === 'rings') await poll('the ringing', () => isNoted(call, 'rang_at'))
  // The outcome requires one second of ringing.
  if (moment === 'rings') await realClock.sleep(1_000 * timeScale + 100, AbortSignal.any([]))
  return call
}

async function assertEnd({ phone, id }: Call, status: 0 | 1): Promise<void> {
  const info = await settled(base, service, id)
  assert.equal(info['call_status'], status)
  assert.equal(received('INVITE', phone), 1, 'the phone was not called exactly once')
  const held = await query(`SELECT held::float8 AS value FROM accounts`)
  assert.deepEqual(held, [0])
}

// A new call works, so no channel and no lease was lost.
async function assertNextCall(): Promise<void> {
  await assertEnd(await order('586'), 1)
}

async function order(scenario: string, voice = false): Promise<Call> {
  const phone = freshNumber(scenario)
  const asked = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body: { phone, voice } })
  assert.equal(asked.status, 200, asked.text)
  return { phone, id: asked.json['vendor_id'] }
}

// How many dialogs the carrier received this method for; a UDP retransmission is not counted.
function received(verb: string, user: string): number {
  const texts = carrier.messages().filter((text) => text.startsWith(`${verb} sip:${user}`))
  return new Set(texts.map((text) => /^Call-ID: (.*)$/m.exec(text)?.[1])).size
}

async function isNoted({ id }: Call, column: 'rang_at'): Promise<boolean> {
  const rows = await query(`SELECT (${column} IS NOT NULL)::int AS value FROM verifications WHERE id = ${String(id)}`)
  return rows[0] === 1
}

async function query(sql: string): Promise<unknown[]> {
  return asOwner(async (client) => (await client.query<{ value: unknown }>(sql)).rows, phones.database.ownerUrl).then(
    (rows) => rows.map(({ value }) => value),
  )
}

async function startRole(roles: string): Promise<Running> {
  const running = start(environment, 'serve', '--roles', roles)
  started.push(running)
  await running.says('"msg":"ready"')
  if (roles === 'calls') await running.says('ARI connected')
  return running
}
