// A stranger sends a thousand INVITEs a second for half a minute, while we make five calls a second.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { asteriskSwitch, realClock } from '../support/sip/asterisk-switch.ts'
import { createStranger, sipRequest, strangerAddress } from '../support/sip/stranger.ts'
import { keptAlive, take } from '../support/suites/switch.ts'

const seconds = 30
const floodPerSecond = 1_000
const callsPerSecond = 5
const never = AbortSignal.any([])

test('1 000 INVITEs a second from a stranger: at least 99 % of our calls ring', async () => {
  const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier(undefined, 'quiet')])
  const trunk = { ...trunkDefaults, name: 'carrier', address: carrier.address, channels: 100, callsPerSecond: 100 }
  const network = await asteriskSwitch(asterisk, () => [trunk])
  const stranger = await createStranger()
  const from = { address: strangerAddress, port: stranger.port }
  const startedMs = performance.now()
  const calls: Promise<{ hasRung: boolean; ms: number }>[] = []
  let sent = 0
  for (;;) {
    const passed = (performance.now() - startedMs) / 1000
    if (passed > seconds) break
    for (; sent < passed * floodPerSecond; sent++) {
      stranger.send(sipRequest('INVITE', `7495${String(sent).padStart(7, '0')}`, from), asterisk.inboundPort)
    }
    while (calls.length < passed * callsPerSecond) calls.push(ring(calls.length))
    await realClock.sleep(5, never)
  }
  const done = await keptAlive(realClock, Promise.all(calls))
  const rung = done.filter(({ hasRung }) => hasRung)
  const times = rung.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const p99 = Math.round(times[Math.floor(times.length * 0.99)] ?? Number.NaN)
  process.stdout.write(
    `# ${sent} INVITEs from a stranger in ${seconds} s, ${stranger.received().length} answers; ` +
      `${rung.length} of ${done.length} calls rang, p99 ${p99} ms until it rang\n`,
  )
  assert(sent >= 0.99 * seconds * floodPerSecond, `only ${sent} were sent`)
  assert(stranger.received().length > 0, 'the flood did not reach Asterisk')
  assert(rung.length >= 0.99 * done.length && done.length >= seconds * callsPerSecond)
  // The flood creates no channel: strangers get none.
  stranger.close()

  async function ring(index: number): Promise<{ hasRung: boolean; ms: number }> {
    const dialledMs = performance.now()
    const to = `790700${String(index % 100).padStart(2, '0')}180`
    const leg = network.dial({
      channelId: `flood-${index}`,
      trunk: trunk.name,
      to,
      from: '70000000001',
      originateTimeoutMs: 20_000,
    })
    const [first] = await take(leg, 1)
    const ms = performance.now() - dialledMs
    leg.hangUp()
    return { hasRung: first?.type === 'ringing', ms }
  }
})
