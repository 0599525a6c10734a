import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pcapOf } from '../../server/src/domain/verifications/pcap.ts'

const text = [
  'INVITE sip:7907***1234@203.0.113.4 SIP/2.0',
  'From: "<name>" <sip:<user>@192.0.2.5>;tag=1',
  'Content-Length: 999',
  '',
  'v=0',
  's=<removed>',
].join('\n')

test('a message is one UDP datagram with its addresses, its time and the length of its masked body', () => {
  const [packet] = packetsOf(
    pcapOf([{ atMs: 1_500.25, source: '192.0.2.5:5060', destination: '203.0.113.4:5080', text }]),
  )
  assert(packet)
  assert.equal(packet.seconds, 1)
  assert.equal(packet.micros, 500_250)
  assert.deepEqual([...packet.bytes.subarray(12, 20)], [192, 0, 2, 5, 203, 0, 113, 4])
  assert.equal(packet.bytes.readUInt16BE(20), 5_060)
  assert.equal(packet.bytes.readUInt16BE(22), 5_080)
  assert.equal(sumOf(packet.bytes.subarray(0, 20)), 0xff_ff)
  const pseudo = Buffer.concat([packet.bytes.subarray(12, 20), Buffer.from([0, 17]), packet.bytes.subarray(24, 26)])
  assert.equal(sumOf(Buffer.concat([pseudo, packet.bytes.subarray(20)])), 0xff_ff)
  assert.equal(
    packet.bytes.subarray(28).toString(),
    [
      'INVITE sip:7907***1234@203.0.113.4 SIP/2.0',
      'From: "name" <sip:user@192.0.2.5>;tag=1',
      'Content-Length: 16',
      '',
      'v=0',
      's=removed',
      '',
    ].join('\r\n'),
  )
})

test('IPv6 has its header; an address of another kind leaves the message out', () => {
  const [packet, ...others] = packetsOf(
    pcapOf([
      { atMs: 0, source: '[2001:db8::5]:5060', destination: '[2001:db8::4]:5060', text },
      { atMs: 0, source: '[2001:db8::5]:5060', destination: '192.0.2.5:5060', text },
      { atMs: 0, source: 'carrier.example:5060', destination: '192.0.2.5:5060', text },
    ]),
  )
  assert(packet)
  assert.equal(others.length, 0)
  assert.equal(packet.bytes[0], 0x60)
  assert.equal(packet.bytes.subarray(8, 24).toString('hex'), '20010db8000000000000000000000005')
  assert.equal(packet.bytes.readUInt16BE(4), packet.bytes.length - 40)
})

function packetsOf(file: Buffer): { seconds: number; micros: number; bytes: Buffer }[] {
  assert.equal(file.readUInt32LE(0), 0xa1_b2_c3_d4)
  assert.equal(file.readUInt32LE(20), 101)
  const packets: { seconds: number; micros: number; bytes: Buffer }[] = []
  for (let at = 24; at < file.length; ) {
    const length = file.readUInt32LE(at + 8)
    packets.push({
      seconds: file.readUInt32LE(at),
      micros: file.readUInt32LE(at + 4),
      bytes: file.subarray(at + 16, at + 16 + length),
    })
    at += 16 + length
  }
  return packets
}

// With a right checksum in it: all ones.
function sumOf(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  while (sum > 0xff_ff) sum = (sum & 0xff_ff) + (sum >> 16)
  return sum
}
