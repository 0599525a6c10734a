// What a stranger finds at Asterisk: only the declared ports, no extension, no password, no software name. And the
// effect of malformed messages from a trunk.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { listeningPorts } from '../support/network/listening-ports.ts'
import { poll } from '../support/poll.ts'
import { type TestAsterisk, testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { asteriskSwitch, realClock } from '../support/sip/asterisk-switch.ts'
import { createStranger, sipRequest, sipvicious, strangerAddress } from '../support/sip/stranger.ts'
import { keptAlive, said, take } from '../support/suites/switch.ts'

// The scanner sends from 127.0.0.1, so the trunk of the scanned Asterisk has another address.
const [asterisk, scanned, carrier] = await Promise.all([testAsterisk(), testAsterisk(), testCarrier()])
const { site } = asterisk
const trunk = { ...trunkDefaults, name: 'carrier', address: carrier.address, channels: 10, callsPerSecond: 10 }
const network = await asteriskSwitch(asterisk, () => [trunk])
await asteriskSwitch(scanned, () => [{ ...trunk, address: '127.0.0.2:5060' }])

// A DNS client has a port for each address family, and one more for as long as a name server does not respond.
const clientPortsMax = 4
const isClient = (port: string) => /^udp6? [0.]+:/.test(port)

function undeclaredPorts({ pid, site: { ariPort, sipPort, sipTlsPort } }: TestAsterisk): readonly string[] {
  const declared = new Set([
    `udp 127.0.0.1:${sipPort}`,
    ...[ariPort, sipPort, sipTlsPort].map((n) => `tcp 127.0.0.1:${n}`),
  ])
  const ports = listeningPorts(pid()).filter((port) => !isClient(port))
  const missing = declared.difference(new Set(ports))
  return [...ports.filter((port) => !declared.has(port)), ...[...missing].map((port) => `${port} is missing`)]
}

test('the open ports are ARI, the SIP transports and a few of a DNS client that respond to nobody', async () => {
  assert.deepEqual(undeclaredPorts(asterisk), [])
  const clients = listeningPorts(asterisk.pid()).filter(isClient)
  assert(clients.length <= clientPortsMax, clients.join())
  const stranger = await createStranger()
  for (const port of clients.map((text) => Number(text.split(':').at(-1)))) {
    stranger.send(sipRequest('OPTIONS', '100', { address: strangerAddress, port: stranger.port }), port)
    stranger.send(Buffer.from('000001000001000000000000', 'hex'), port)
  }
  // The last request is answered, so everything sent before it was read.
  stranger.send(sipRequest('OPTIONS', '100', { address: strangerAddress, port: stranger.port }), site.sipPort)
  await poll('a response on the SIP port', () => stranger.received().length > 0)
  assert.equal(stranger.received().length, 1)
  stranger.close()
})

test('the port list shows the manager interface when it is enabled', async () => {
  const port = await freePort()
  const manager = `[general]\nenabled = yes\nport = ${port}\nbindaddr = 127.0.0.1\n`
  const open = await testAsterisk({ rewrite: (directory) => writeFileSync(`${directory}/etc/manager.conf`, manager) })
  assert.deepEqual(undeclaredPorts(open), [`tcp 127.0.0.1:${port}`])
})

test('ARI and its metrics return 401 without a password and with a wrong one', async () => {
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`${site.ariUser}:${password}`).toString('base64')}`,
  })
  for (const path of ['/ari/asterisk/info', '/ari/channels', '/ari/events?app=x', '/metrics']) {
    const statusOf = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${site.ariPort}${path}`, { headers })).status
    assert.equal(await statusOf({}), 401, path)
    assert.equal(await statusOf(basic(`${site.ariPassword}x`)), 401, path)
    assert.notEqual(await statusOf(basic(site.ariPassword)), 401, path)
  }
})

test('a scanner at an address outside all trunks finds no extension and no password', async () => {
  const extensions = ['-e', '100-140', '--force']
  const [invites, registrations, cracked, control] = await Promise.all([
    sipvicious('svwar', scanned.site.sipPort, ['-P', '5170', '-m', 'INVITE', ...extensions]),
    sipvicious('svwar', scanned.site.sipPort, ['-P', '5180', ...extensions]),
    sipvicious('svcrack', scanned.site.sipPort, ['-P', '5190', '-u', '100', '-r', '1-20'], 8_000),
    scanRegistrar(),
  ])
  const found = /^\| \d+ +\|/m
  for (const output of [invites, registrations, cracked]) assert.doesNotMatch(output, found)
  assert.match(control, /^\| 105 +\| reqauth/m, 'the scanner finds an extension where there is one')
})

// A registrar with one extension.
async function scanRegistrar(): Promise<string> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  socket.on('message', (message, from) => {
    const text = message.toString('latin1')
    const kept = text.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line))
    const isKnown = /^To:.*sip:105@/im.test(text)
    const status = isKnown ? '401 Unauthorized' : '404 Not Found'
    const challenge = isKnown ? ['WWW-Authenticate: Digest realm="x", nonce="y"'] : []
    socket.send(
      [`SIP/2.0 ${status}`, ...kept, ...challenge, 'Content-Length: 0', '', ''].join('\r\n'),
      from.port,
      from.address,
    )
  })
  await once(socket, 'listening')
  const output = await sipvicious('svwar', socket.address().port, ['-P', '5160', '-e', '100-140'])
  socket.close()
  return output
}

test('neither a stranger nor a scanner learns the software or its version', async () => {
  const stranger = await createStranger()
  const from = { address: strangerAddress, port: stranger.port }
  const verbs = ['OPTIONS', 'INVITE', 'REGISTER', 'SUBSCRIBE', 'MESSAGE']
  for (const verb of verbs) stranger.send(sipRequest(verb, '100', from), site.sipPort)
  const answered = () => new Set(stranger.received().map(verbOf))
  await poll('a response to every method', answered, ({ size }) => size === verbs.length)
  for (const response of stranger.received()) {
    assert.doesNotMatch(response, /asterisk|pjsip|pjproject|^(server|user-agent):.*\d/im)
    assert.match(response, /^SIP\/2\.0 [3-6]\d\d /, 'a request was accepted')
  }
  stranger.close()
  assert.match(
    await sipvicious('svmap', scanned.site.sipPort, ['-P', '5200']),
    /^\| 127\.0\.0\.1:\d+ +\| Ringproof +\|$/m,
  )
})

function verbOf(response: string): string {
  return /^CSeq: \d+ (\w+)/im.exec(response)?.[1] ?? ''
}

test('malformed messages from a trunk: the same process keeps running, and calls work', async () => {
  const pid = asterisk.pid()
  const peer = await createStranger('127.0.0.1')
  const from = { address: '127.0.0.1', port: peer.port }
  const invite = (more: string) => sipRequest('INVITE', '74950000001', from, more)
  const long = 'x'.repeat(60_000)
  const corpus = [
    invite(`X-Long: ${long}\r\n`),
    invite('Via: SIP/2.0/UDP 127.0.0.1:1;branch=z9hG4bKx\r\n'.repeat(1_000)),
    invite(`P-Asserted-Identity: <sip:${long.slice(0, 30_000)}@x>\r\n`),
    invite('Diversion: <sip:1@x>\r\n'.repeat(1_000)),
    ...['-1', '99999999999999999999', '4294967296', 'x', '65535'].map((length) =>
      invite('').replace('Content-Length: 0', `Content-Length: ${length}`),
    ),
    invite('').replace('CSeq: 1 INVITE', 'CSeq: 99999999999 INVITE'),
    invite('').replace(/^Via:.*\r\n/m, ''),
    invite('').replace('SIP/2.0\r\n', 'SIP/9.9\r\n'),
    invite('Content-Type: application/sdp\r\n').replace(
      'Content-Length: 0\r\n\r\n',
      'Content-Length: 5\r\n\r\nv=0\r\n',
    ),
    invite('').replaceAll('\r\n', '\n'),
    invite('').replaceAll(':', '\0'),
    '\r\n'.repeat(30_000),
    'INVITE',
  ]
  for (const message of corpus) peer.send(Buffer.from(message, 'latin1').subarray(0, 65_507), site.sipPort)
  for (const message of [...corpus, `${invite('').replace('Content-Length: 0', 'Content-Length: 999999999')}${long}`]) {
    const socket = connect(site.sipPort, '127.0.0.1').on('error', () => undefined)
    await once(socket, 'connect')
    socket.end(message, 'latin1')
    await once(socket.resume(), 'close').catch(() => undefined)
  }
  peer.close()
  assert.equal(asterisk.pid(), pid)
  process.kill(pid, 0)
  const leg = network.dial({
    channelId: 'after-1',
    trunk: trunk.name,
    to: '79070000180',
    from: '70000000001',
    originateTimeoutMs: 30_000,
    flashRingMs: 5_000,
  })
  const [first] = await keptAlive(realClock, take(leg, 1))
  assert.equal(first && said(first), 'ringing')
  leg.hangUp()
})
