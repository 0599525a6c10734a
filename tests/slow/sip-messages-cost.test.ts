// What the capture of SIP messages costs: CPU of Asterisk and of the process `calls`, per call, with every choice of
// RINGPROOF_SIP_MESSAGES and with an Asterisk that sends no copies at all. Half of the calls are refused, half ring.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { installPhones, settled } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { type TestAsterisk, testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { realClock } from '../support/sip/asterisk-switch.ts'

const callsPerSecond = 20
const callsPerRun = 300
// A process that has just started spends more: its code is not compiled yet.
const warmingCalls = 100
const rounds = 2
const ticksPerSecond = 100

const [copying, silent, carrier] = await Promise.all([testAsterisk(), testAsterisk(), testCarrier(undefined, 'quiet')])
await sendNoCopies(silent)
const installation = await installPhones(1, 1, { address: carrier.address })
const database = installation.slots.globalDatabase
const { base } = await serveProcess(installation, {}, '--roles', 'api,keeper')
const service = await makeService(installation, 100_000)
let called = 0

test('the messages of all calls add at most 30 % to the CPU of calls, and 20 % to that of Asterisk', async () => {
  const runs = [
    { choice: 'off', asterisk: silent, name: 'no copies', rows: 0 },
    { choice: 'off', asterisk: copying, name: 'off', rows: 0 },
    { choice: 'failed', asterisk: copying, name: 'failed', rows: callsPerRun / 2 },
    { choice: 'all', asterisk: copying, name: 'all', rows: callsPerRun },
  ]
  const costs = new Map<string, { asterisk: number; calls: number }>()
  // Alternately, because the speed of a shared machine changes.
  for (let round = 0; round < rounds; round += 1) {
    for (const { choice, asterisk, name, rows } of runs) {
      const cost = await measure(asterisk, choice, rows)
      const before = costs.get(name) ?? { asterisk: 0, calls: 0 }
      costs.set(name, {
        asterisk: before.asterisk + cost.asterisk / rounds,
        calls: before.calls + cost.calls / rounds,
      })
    }
  }
  for (const [name, { asterisk, calls }] of costs) {
    const figures = `Asterisk ${asterisk.toFixed(2)} ms, calls ${calls.toFixed(2)} ms of CPU a call`
    process.stdout.write(`${name.padEnd(9)}: ${figures}\n`)
  }
  const added = (one: string, other: string, of: 'asterisk' | 'calls') =>
    (costs.get(one)?.[of] ?? 0) / (costs.get(other)?.[of] ?? 1)
  assert(added('all', 'off', 'calls') <= 1.3)
  assert(added('all', 'no copies', 'asterisk') <= 1.2)
})

async function measure(asterisk: TestAsterisk, choice: string, rows: number) {
  await database.query('DELETE FROM sip_messages')
  const settings = { ...asterisk.environment, RINGPROOF_SIP_MESSAGES: choice, RINGPROOF_FLASH_RING_SECONDS: '1' }
  const { running } = await serveProcess(installation, settings, '--roles', 'calls')
  await running.says('"msg":"ARI connected"')
  await callAll(warmingCalls)
  const pids = { asterisk: asterisk.pid(), calls: running.process.pid ?? 0 }
  const before = { asterisk: cpuMs(pids.asterisk), calls: cpuMs(pids.calls) }
  await callAll(callsPerRun)
  const count = () => database.query<{ count: number }>('SELECT count(*)::integer AS count FROM sip_messages')
  await poll(
    'all rows',
    async () => (await count()).rows[0]?.count,
    (written) => written === (rows * (callsPerRun + warmingCalls)) / callsPerRun,
  )
  const cost = {
    asterisk: (cpuMs(pids.asterisk) - before.asterisk) / callsPerRun,
    calls: (cpuMs(pids.calls) - before.calls) / callsPerRun,
  }
  running.process.kill('SIGTERM')
  await running.ended
  return cost
}

async function callAll(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => callLater(index)))
}

async function callLater(index: number): Promise<void> {
  await realClock.sleep((index * 1_000) / callsPerSecond, AbortSignal.any([]))
  const phone = `7907${String(called++).padStart(4, '0')}${index % 2 === 0 ? '404' : '180'}`
  const asked = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body: { phone } })
  assert.equal(asked.status, 200, asked.text)
  await settled(base, service, asked.json['vendor_id'])
}

async function sendNoCopies({ site }: TestAsterisk): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${site.ariUser}:${site.ariPassword}`).toString('base64')}`
  const module = `http://127.0.0.1:${site.ariPort}/ari/asterisk/modules/res_hep_pjsip.so`
  const { status } = await fetch(module, { method: 'DELETE', headers: { authorization } })
  assert.equal(status, 204)
}

function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond
}
