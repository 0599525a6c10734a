// Asterisk and a real SIP carrier pass what the scripted network passes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClock } from '../../server/src/clock.ts'
import { plainTrunk } from '../../server/src/domain/routing.ts'
import { openLog } from '../../server/src/log.ts'
import { openAsterisk } from '../../server/src/telephony/asterisk.ts'
import { testAsterisk, testCarrier } from '../support/asterisk.ts'
import { atEnd } from '../support/at-end.ts'
import { callFaults } from '../support/call-fates.ts'

const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
const clock = openClock(1)
const trunk = { ...plainTrunk, name: 'carrier', address: carrier.address, channels: 1_000, callsPerSecond: 1_000 }
const network = openAsterisk({
  url: `http://127.0.0.1:${asterisk.site.ariPort}`,
  user: asterisk.site.ariUser,
  password: asterisk.site.ariPassword,
  node: asterisk.site.node,
  callsPerSecond: 1_000,
  trunks: () => [trunk],
  passwordOf: () => undefined,
  clock,
  log: openLog({ write: (line) => void process.stderr.write(line) }),
  failed: (why) => assert.fail(why),
})
atEnd(() => network.close())
await network.opened

test('every fate comes to the decided verdict, in its time', async () => {
  const side = { trunk: 'carrier', from: '70000000000', prefix: '79070000' }
  assert.deepEqual(await callFaults(network, clock, side), [])
})
