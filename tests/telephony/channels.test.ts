// The channels of a trunk are counted over all nodes: two nodes together never hold more calls than the trunk has.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { putTrunk } from '../../server/src/db/trunks/trunk.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { atEnd } from '../support/at-end.ts'
import { ask } from '../support/http/ask.ts'
import { start } from '../support/process/cli.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'

const channels = 3
const calls = 9

const [one, other, carrier] = await Promise.all([testAsterisk(), testAsterisk(), testCarrier()])
const phones = await installPhones(1, 1, { address: carrier.address })
const { globalDatabase } = phones.slots
const common = { ...trunkDefaults, address: carrier.address, callsPerSecond: 100, ringSeconds: 2 }
await putTrunk(globalDatabase, { ...common, name: 'first', priority: 0, channels })
await putTrunk(globalDatabase, { ...common, name: 'second', priority: 1, channels, isOn: false })
const { base, says } = await serve({ ...phones, environment: { ...phones.environment, ...one.environment } })
const second = start(
  { ...phones.environment, ...other.environment, RINGPROOF_METRICS_PORT: '' },
  'serve',
  '--roles',
  'calls',
)
atEnd(async () => {
  second.process.kill('SIGTERM')
  await second.ended
})
await Promise.all([says('ARI connected'), second.says('ARI connected')])
const service = await makeService(phones, 1_000)

test(`${calls} concurrent calls over ${channels} channels and two nodes: never more than ${channels} ring`, async () => {
  const started = await Promise.all(
    Array.from({ length: calls }, async () => {
      const body = { phone: freshNumber('180') }
      const asked = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body })
      return asked.json['vendor_id']
    }),
  )
  for (const id of started) assert.equal((await settled(base, service, id))['call_status'], 1)
  const open = new Set<string>()
  const nodes = new Set<string>()
  let most = 0
  for (const text of carrier.messages()) {
    const callId = /^Call-ID: (.*)$/m.exec(text)?.[1] ?? ''
    if (text.startsWith('INVITE ')) {
      open.add(callId)
      nodes.add(/^Contact: .*:(\d+)/m.exec(text)?.[1] ?? '')
    }
    if (text.startsWith('CANCEL ')) open.delete(callId)
    most = Math.max(most, open.size)
  }
  assert.equal(most, channels)
  assert.deepEqual(
    [...nodes].toSorted(),
    [one, other].map(({ site, edge }) => String((edge?.site ?? site).sipPort)).toSorted(),
    'both nodes placed calls',
  )
})
