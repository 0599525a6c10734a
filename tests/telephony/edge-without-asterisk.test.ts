// Asterisk is down, the edge is not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edgeKeys } from '../../server/src/telephony/edge/key.ts'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { testEdge } from '../support/sip/edge.ts'

const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
const keys = edgeKeys(String(asterisk.environment['RINGPROOF_ARI_PASSWORD']))
const edge = await testEdge({ hepPort: 9, hepKey: 'none', keys })
const phones = await installPhones(1, 1, { address: carrier.address, ringSeconds: 5 })
const settings = { ...asterisk.environment, RINGPROOF_EDGE_URL: `udp://127.0.0.1:${edge.site.insidePort}` }
const { base, says } = await serve(phones, settings)
const service = await makeService(phones, 10_000)

test('flash calls go on while Asterisk is down', async () => {
  await says('"msg":"edge connected"')
  await asterisk.kill('SIGKILL')
  await says('"msg":"ARI connection failed"')
  const body = { phone: freshNumber('586') }
  const asked = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body })
  assert.equal((await settled(base, service, asked.json['vendor_id']))['call_status'], 1)
})
