import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { createClock } from '../../server/src/process/clock.ts'
import type { SipCopy } from '../../server/src/telephony/sip/hep.ts'
import { createSignalReader } from '../../server/src/telephony/sip/trunk-signals.ts'

const trunk = { ...trunkDefaults, name: 'first', address: '192.0.2.1:5060', channels: 1, callsPerSecond: 1 }
const [us, carrier] = [
  { host: '127.0.0.1', port: 5060 },
  { host: '192.0.2.1', port: 5060 },
]
const same = 'Call-ID: one\r\nCSeq: 1 OPTIONS\r\n\r\n'
const vias = 'Via: SIP/2.0/UDP 127.0.0.1;received=198.51.100.7\r\nVia: SIP/2.0/UDP 127.0.0.1;received=127.0.0.1\r\n'
const request = copyOf(us, carrier, `OPTIONS sip:192.0.2.1:5060 SIP/2.0\r\n${same}`)
const reply = copyOf(carrier, us, `SIP/2.0 200 OK\r\n${vias}${same}`)

for (const [order, copies] of [
  ['after', [request, reply]],
  ['before', [reply, request]],
] as const) {
  test(`a reply copied ${order} its OPTIONS: the carrier is not silent, and its first Via says where it sees us`, () => {
    const reader = createSignalReader(createClock(1))
    for (const copy of copies) reader.add(copy)
    const { optionsStatus, silentMs, ourAddress } = reader.of(trunk)
    assert.deepEqual([optionsStatus, silentMs, ourAddress], [200, undefined, '198.51.100.7'])
  })
}

test('a reply to no OPTIONS of ours says nothing', () => {
  const reader = createSignalReader(createClock(1))
  reader.add(reply)
  assert.equal(reader.of(trunk).optionsStatus, undefined)
})

function copyOf(source: SipCopy['source'], destination: SipCopy['destination'], text: string): SipCopy {
  return { protocol: 'udp', source, destination, atMs: 0, callId: 'one', text }
}
