// The kill switch: in effect in every process within a second, also for calls accepted earlier.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resumeAllTrunks, stopAllTrunks } from '../../server/src/actions/protection/stop-calls.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, type Served, serve } from '../support/process/server.ts'

const installation = await installPhones(0.1)
const service = await makeService(installation, 1_000)
const actor = { address: 'test', userAgent: '' }

const initCall = (served: Served, phone: string, { bearer } = service) =>
  ask(`${served.base}/v1.0/initCall?phone=${phone}`, { headers: bearer })

test('stop-all refuses calls in every process within a second; ringing calls, inbound and test numbers continue', async () => {
  // In real time: the second is measured.
  const all = await serve(installation, { RINGPROOF_TIME_SCALE: '1' })
  const api = await serve(installation, { RINGPROOF_TIME_SCALE: '1' }, '--roles', 'api')
  const ringingFromMs = performance.now()
  const ringing = await initCall(all, freshNumber('180'))
  const requestMs = performance.now() - ringingFromMs
  await all.says('"msg":"call dialled"')

  assert.equal(await stopAllTrunks(installation, actor, { reason: 'toll fraud' }), true)
  const stoppedMs = performance.now()
  for (const served of [all, api]) {
    let acceptedMs = stoppedMs
    const tryCall = async () => {
      const askedMs = performance.now()
      const asked = await initCall(served, freshNumber('180'))
      if (asked.status === 200) acceptedMs = askedMs
      return asked
    }
    const refused = await poll('calls to be refused', tryCall, ({ status }) => status !== 200)
    // A slow machine reads its table late, as it is late with a request.
    const lateMs = acceptedMs - stoppedMs
    assert(lateMs < 1_000 + 5 * requestMs, `accepted ${lateMs} ms after the stop; a request took ${requestMs} ms`)
    assert.deepEqual([refused.status, refused.json['code']], [503, 5])
    assert.match(String(refused.json['error']), /stopped all calls/)
    assert.equal(refused.headers.get('retry-after'), '30')
    assert.match(await (await fetch(served.metrics)).text(), /^ringproof_trunks_stopped 1$/m)
  }
  const { json: info } = await ask(`${all.base}/v1.0/getInfo?uid=${String(ringing.json['vendor_id'])}`, {
    headers: service.bearer,
  })
  assert.equal(info['call_status'], -1, 'the call no longer rings')
  assert.equal((await settled(all.base, service, ringing.json['vendor_id']))['call_status'], 1)
  const wait = { phone: freshNumber('180'), callback_url: 'http://127.0.0.1/hook' }
  const inbound = await ask(`${api.base}/v1.0/inboundCallWaiting`, {
    method: 'POST',
    headers: service.bearer,
    body: wait,
  })
  assert.equal(inbound.status, 200, inbound.text)
  assert.equal((await initCall(all, '79000000001')).status, 200)

  assert.equal(await stopAllTrunks(installation, actor, { reason: 'again' }), false)
  assert.equal((await resumeAllTrunks(installation, actor))?.reason, 'toll fraud')
  for (const served of [all, api]) {
    const tryCall = () => initCall(served, freshNumber('180'))
    const asked = await poll('calls to start again', tryCall, ({ json }) => json['code'] !== 5)
    assert.equal(asked.status, 200, asked.text)
  }
})

test('a call accepted before stop-all and not dialled yet is never dialled, and its hold is released', async () => {
  const waiting = await installPhones(0.1)
  const caller = await makeService(waiting, 1_000)
  const api = await serve(waiting, {}, '--roles', 'api')
  const { json } = await initCall(api, freshNumber('180'), caller)
  assert.equal(json['status'], true)
  await stopAllTrunks(waiting, actor, { reason: 'toll fraud' })
  const worker = await serve(waiting, {}, '--roles', 'calls,keeper')
  const info = await settled(api.base, caller, json['vendor_id'])
  assert.deepEqual([info['call_status'], info['cost']], [0, 0])
  assert.doesNotMatch(worker.output(), /"msg":"call dialled"/)
})

test('trunks stop-all and resume-all are shown by trunks list and logged as actions', async () => {
  const cli = createCli(installation.environment)
  const stopped = await cli.run('trunks', 'stop-all', '--reason', 'toll fraud')
  assert.match(stopped.out, /All trunks stopped/, stopped.err)
  const list = await cli.run('trunks', 'list')
  assert.match(list.out, /^ALL TRUNKS STOPPED since .*: toll fraud\nResume: ringproof trunks resume-all\n/)
  const [listed] = await cli.json<Record<string, unknown>[]>('trunks', 'list')
  assert.deepEqual([listed?.['all_stopped'], listed?.['stop_reason']], [true, 'toll fraud'])
  assert.match((await cli.run('trunks', 'stop-all', '--reason', 'x')).out, /already stopped/)
  assert.match((await cli.run('trunks', 'resume-all')).out, /Calls resumed.*toll fraud/)
  assert.match((await cli.run('trunks', 'resume-all')).out, /Calls were not stopped/)
  assert.doesNotMatch((await cli.run('trunks', 'list')).out, /STOPPED/)
  const { rows } = await installation.slots.globalDatabase.query<{ action: string; details: Record<string, unknown> }>(
    `SELECT action, details FROM action_log WHERE action LIKE 'all trunks%' ORDER BY id DESC LIMIT 2`,
  )
  assert.deepEqual(
    rows.map(({ action, details }) => [action, details['reason']]),
    [
      ['all trunks resumed', 'toll fraud'],
      ['all trunks stopped', 'toll fraud'],
    ],
  )
})
