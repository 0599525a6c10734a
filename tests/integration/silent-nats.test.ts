// The connections to NATS go silent, as when a firewall drops every packet. Starts are refused quickly and free of
// charge, a redelivered message dials no phone twice, and everything recovers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { type Asked, ask, assertRefused } from '../support/http/ask.ts'
import { createBreakableProxy } from '../support/network/breakable-proxy.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { stackSetting } from '../support/stack-settings.ts'

const installation = await installPhones(0.5)
const nats = new URL(stackSetting('RINGPROOF_NATS_URL'))
const [apiLine, workerLine] = [
  await createBreakableProxy(Number(nats.port)),
  await createBreakableProxy(Number(nats.port)),
]
const through = (port: number) => {
  const url = new URL(nats)
  url.port = String(port)
  return { RINGPROOF_NATS_URL: url.href }
}
const api = await serve(installation, through(apiLine.port), '--roles', 'api')
const cutOff = await serve(installation, through(workerLine.port), '--roles', 'calls,keeper')
const other = await serve(installation, {}, '--roles', 'calls')
const service = await makeService(installation, 1_000)

// Two pings of five seconds without a response; the third round detects it.
const noticedMsMax = 17_000
// Three seconds for JetStream's response. Both besides what a start takes on this machine.
const refusedMsMax = 4_500
const refusedAtOnceMsMax = 1_000

async function start(): Promise<{ readonly asked: Asked; readonly ms: number }> {
  const from = performance.now()
  const body = { phone: freshNumber('180') }
  const asked = await ask(`${api.base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body })
  return { asked, ms: performance.now() - from }
}

const dialledIn = (text: string) =>
  [...text.matchAll(/"vendor_id":(\d+).*"msg":"call dialled"/g)].map((match) => Number(match[1]))

test('silent NATS connections: code 5 within seconds, detected within 17 s, no phone rings twice, all recovers', async (t) => {
  const accepted: number[] = []
  const startsFromMs = performance.now()
  for (let n = 0; n < 30; n++) accepted.push(Number((await start()).asked.json['vendor_id']))
  const slackMs = (10 * (performance.now() - startsFromMs)) / 30
  // Both workers have calls in flight.
  const dialledBy = () => [cutOff, other].map(({ output }) => dialledIn(output()).length)
  await poll('three calls at each worker', dialledBy, (counts) => Math.min(...counts) >= 3, { intervalMs: 5 })
  apiLine.silence()
  workerLine.silence()
  const silentFrom = performance.now()

  const first = await Promise.all(Array.from({ length: 5 }, () => start()))
  for (const { asked, ms } of first) {
    assertRefused(asked, 5, 503)
    assert(ms < refusedMsMax + slackMs, `refused after ${ms} ms`)
  }
  const isNoticed = () => [api, cutOff].every(({ output }) => output().includes('"event":"disconnect"'))
  await poll('both processes to notice', isNoticed, Boolean, { timeoutMs: noticedMsMax })
  const noticedMs = performance.now() - silentFrom
  const { asked, ms } = await start()
  assertRefused(asked, 5, 503)
  assert(ms < refusedAtOnceMsMax + slackMs, `refused after ${ms} ms`)
  t.diagnostic(
    `noticed after ${Math.round(noticedMs)} ms, refused after at most ${Math.round(Math.max(...first.map((one) => one.ms)))} ms before and ${Math.round(ms)} ms after`,
  )

  apiLine.restore()
  workerLine.restore()
  const restoredFrom = performance.now()
  const again = await poll(
    'calls to start again',
    async () => {
      const response = (await start()).asked
      if (response.status !== 200) assertRefused(response, 5, 503)
      return response
    },
    ({ status }) => status === 200,
    { timeoutMs: 10_000, intervalMs: 100 },
  )
  accepted.push(Number(again.json['vendor_id']))
  t.diagnostic(`a call started ${Math.round(performance.now() - restoredFrom)} ms after the links were back`)
  for (const id of accepted) await settled(api.base, service, id)
  const dialled = [...dialledIn(cutOff.output()), ...dialledIn(other.output())]
  assert.equal(new Set(dialled).size, dialled.length, 'a phone rang twice')
  assert(accepted.every((id) => dialled.includes(id)))
  const { rows } = await installation.slots.globalDatabase.query('SELECT held FROM accounts WHERE id = $1', [
    service.accountId,
  ])
  assert.deepEqual(rows, [{ held: 0 }])
  assert.deepEqual((await auditLedger(installation)).faults, [])
})
