// What an operator sees of an outgoing call: one log line and one count for every attempt, and gauges while it lasts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'

// In real time: a call must start within ten seconds, and a slow machine is late with a tenth of them.
const installation = await installPhones(1)
const service = await makeService(installation, 1_000)
const slow = await startSlow()

type Line = Readonly<Record<string, unknown>>

test('every attempt ends with one `call ended` line and one count: rung, refused, failed over, test number', async () => {
  const { base, metrics, stop, output } = await serve(installation)
  const ids: unknown[] = []
  for (const phone of [freshNumber('180'), freshNumber('404'), freshNumber('503'), '79000000001']) {
    const { json } = await ask(`${base}/v1.0/initCall?phone=${phone}`, { headers: service.bearer })
    await settled(base, service, json['vendor_id'])
    ids.push(json['vendor_id'])
  }
  // A call is counted when its end is written, a moment after a client can read it.
  const text = await poll(
    'the last call to be counted',
    async () => (await fetch(metrics)).text(),
    (exposition) => exposition.includes('ringproof_call_settle_seconds_count{mode="flash"} 4\n'),
  )
  await stop()

  const lines = output()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg === 'call ended')
  assert.deepEqual(
    lines.map(({ vendor_id: id, attempt, trunk, mode, outcome, reason, sip_status: status, price }) =>
      [ids.indexOf(id), attempt, trunk, mode, outcome, reason, status, price].join(' '),
    ),
    [
      '0 1 first flash succeeded rang  0.4',
      '1 1 first flash failed refused 404 0.4',
      '2 1 first flash next-trunk refused 503 0.4',
      '2 2 second flash failed refused 503 0.4',
      '3 1 test flash succeeded rang  0',
    ],
  )
  const [rung, ...others] = lines
  const simulated = others.pop()
  assert.deepEqual([simulated?.['post_dial_ms'], simulated?.['ring_ms']], [400, 5_000])
  // The scripted phone rings after 100 ms. A timer of Node may fire a millisecond early.
  const earlyMs = 1
  const [postDialMs, ringMs] = [Number(rung?.['post_dial_ms']), Number(rung?.['ring_ms'])]
  assert(postDialMs >= 100 - earlyMs && ringMs >= 5_000 - earlyMs, JSON.stringify(rung))
  assert(others.every((line) => !('post_dial_ms' in line || 'ring_ms' in line)))

  const counts = [
    ...text.matchAll(/^ringproof_calls_total\{trunk="(.*)",mode="(.*)",outcome="(.*)",sip_status="(.*)"\} (\d+)$/gm),
  ]
  assert.deepEqual(
    counts.map((count) => count.slice(1).join(' ')),
    [
      'first flash succeeded none 1',
      'first flash failed 404 1',
      'first flash next-trunk 503 1',
      'second flash failed 503 1',
      'test flash succeeded none 1',
    ],
  )
  for (const name of ['post_dial_delay', 'ring']) {
    assert(text.includes(`ringproof_call_${name}_seconds_count{trunk="first",mode="flash"} 1\n`), name)
  }
  // Settled once for each call, however many trunks were tried: that is what `text` waited for.
})

test('gauges show what is in progress: channels, queue, money, verifications, inbound requests', async () => {
  const { base, metrics } = slow
  const { bearer: headers } = slow.service
  const gauges = async () => gaugesOf(await (await fetch(metrics)).text())
  const start = async (method: string, body: object) => {
    const asked = await ask(`${base}/v1.0/${method}`, { method: 'POST', headers, body })
    assert.equal(asked.status, 200, asked.text)
    return asked.json['vendor_id']
  }
  const idle = await gauges()
  assert.deepEqual(
    ['ringproof_trunk_channels_max{trunk="first"}', 'ringproof_caller_codes_missing{country="RU"}'].map((name) =>
      idle.get(name),
    ),
    [1_000, 0],
  )
  const ids = [
    await start('initCall', { phone: freshNumber('180') }),
    await start('initCall', { phone: freshNumber('180') }),
  ]
  await start('inboundCallWaiting', { phone: freshNumber('180'), callback_url: 'http://127.0.0.1:9/' })
  await poll('both calls to be in the gauges', gauges, (now) =>
    ['ringproof_trunk_channels_active', 'ringproof_call_queue_depth'].every(
      (name) => now.get(`${name}{trunk="first"}`) === 2,
    ),
  )
  for (const id of ids) await settled(base, slow.service, id)
  await poll(
    'no channel to be in use',
    gauges,
    (now) => now.get('ringproof_trunk_channels_active{trunk="first"}') === 0,
  )
  // The inbound request is still pending.
  const pending = {
    'ringproof_held_amount{database="0"}': 0.3,
    'ringproof_verifications_active{database="0"}': 1,
    'ringproof_inbound_requests_active{database="0"}': 1,
    'ringproof_keeper_overdue_verifications{database="0"}': 0,
    'ringproof_keeper_lag_seconds{database="0"}': 0,
    'ringproof_webhooks_due{database="0"}': 0,
    'ringproof_webhook_delay_seconds{database="0"}': 0,
  }
  const after = await poll('the gauges of the database', gauges, (now) =>
    Object.entries(pending).every(([name, value]) => now.get(name) === value),
  )
  const connections = [...after].filter(([name]) => name.startsWith('ringproof_database_connections{role="api"'))
  assert.deepEqual(connections.length, 3)
  assert(connections.reduce((sum, [, count]) => sum + count, 0) >= 1)
  // A round with a failed step does not count: on a busy machine a connection may time out.
  const hasFailed = (now: ReadonlyMap<string, number>) =>
    [...now.keys()].some((name) => name.startsWith('ringproof_keeper_housekeeping_failures_total{'))
  const keptAt = 'ringproof_keeper_last_housekeeping_timestamp_seconds{database="0"}'
  const kept = await poll('a round of housekeeping', gauges, (now) => Number(now.get(keptAt)) > 0 || hasFailed(now))
  assert.equal(Number(kept.get(keptAt)) > 1_700_000_000, !hasFailed(kept))
})

function gaugesOf(text: string): ReadonlyMap<string, number> {
  return new Map(
    [...text.matchAll(/^(ringproof_\w+(?:\{.*\})?) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
  )
}

async function startSlow() {
  const installed = await installPhones(0.5)
  const own = await makeService(installed)
  return { ...(await serve(installed)), service: own }
}
