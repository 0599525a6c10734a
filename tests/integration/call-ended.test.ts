// What an operator sees of an outgoing call: one log line and one count for every attempt.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'

const installation = await installPhones(0.1)
const service = await makeService(installation, 1_000)

type Line = Readonly<Record<string, unknown>>

test('every attempt ends with one `call ended` line and one count: rung, refused, failed over, test number', async () => {
  const { base, metrics, running, output } = await serve(installation)
  const ids: unknown[] = []
  for (const phone of [freshNumber('180'), freshNumber('404'), freshNumber('503'), '79000000001']) {
    const { json } = await ask(`${base}/v1.0/initCall?phone=${phone}`, { headers: service.bearer })
    await settled(base, service, json['vendor_id'])
    ids.push(json['vendor_id'])
  }
  const text = await (await fetch(metrics)).text()
  running.process.kill('SIGTERM')
  await running.ended

  const lines = output()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg === 'call ended')
  assert.deepEqual(
    lines.map(({ vendor_id: id, attempt, trunk, mode, outcome, reason, sip_status: status }) =>
      [ids.indexOf(id), attempt, trunk, mode, outcome, reason, status].join(' '),
    ),
    [
      '0 1 first flash succeeded rang ',
      '1 1 first flash failed refused 404',
      '2 1 first flash next-trunk refused 503',
      '2 2 second flash failed refused 503',
      '3 1 test flash succeeded rang ',
    ],
  )
  const [rung, ...others] = lines
  assert(Number(rung?.['post_dial_ms']) >= 100 && Number(rung?.['ring_ms']) >= 5_000, JSON.stringify(rung))
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
  assert.match(text, /^ringproof_call_post_dial_delay_seconds_count\{trunk="first",mode="flash"\} 1$/m)
})
