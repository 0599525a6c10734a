// A carrier over TLS is called only if we trust its certificate; its audio is encrypted if the trunk says so.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer } from 'node:tls'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { testAsterisk } from '../support/sip/asterisk.ts'
import { asteriskSwitch, realClock } from '../support/sip/asterisk-switch.ts'
import { keptAlive, said, take } from '../support/suites/switch.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const directory = fileDirectory()
const [trusted, other] = ['trusted', 'other'].map((name) => makeCertificate(name))
const misnamed = makeCertificate('misnamed', 'IP:127.0.0.2')
const caFile = join(directory, 'authorities.pem')
writeFileSync(caFile, readFileSync(`${trusted}.pem`, 'utf8') + readFileSync(`${misnamed}.pem`, 'utf8'))
const [named, otherwiseNamed] = await Promise.all([listenAs(`${trusted}`), listenAs(misnamed)])
const [asterisk, carrier, secure, stranger] = await Promise.all([
  testAsterisk({ site: { caFile } }),
  testAsterisk({ rewrite: (site) => makeCarrier(site, `${trusted}`) }),
  testAsterisk({ rewrite: (site) => makeCarrier(site, `${trusted}`, 'media_encryption = sdes\n') }),
  testAsterisk({ rewrite: (site) => makeCarrier(site, `${other}`) }),
])

const common = { ...trunkDefaults, transport: 'tls', channels: 1, callsPerSecond: 1 } as const
const trunks = [
  { ...common, name: 'trusted', address: `127.0.0.1:${carrier.site.sipTlsPort}` },
  { ...common, name: 'stranger', address: `127.0.0.1:${stranger.site.sipTlsPort}` },
  { ...common, name: 'srtp', address: `127.0.0.1:${secure.site.sipTlsPort}`, srtp: true },
  { ...common, name: 'plain-rtp', address: `127.0.0.1:${secure.site.sipTlsPort}` },
  { ...common, name: 'named', address: named.address },
  { ...common, name: 'misnamed', address: otherwiseNamed.address },
  { ...common, name: 'srtp-refused', address: `127.0.0.1:${carrier.site.sipTlsPort}`, srtp: true },
]
const network = await asteriskSwitch(asterisk, () => trunks)

test('only a carrier whose certificate we trust is called', async () => {
  const [good, bad] = await Promise.all(['trusted', 'stranger'].map((name) => keptAlive(realClock, take(dial(name)))))
  assert.deepEqual(good?.map(said), ['486 them'])
  // Whatever Asterisk reports, nobody was called, and another trunk may be tried.
  assert.equal(bad?.length, 1)
  assert.match(String(bad?.map(said)), /^(nobody|50\d them)$/)
})

test('a trusted certificate with another name gets no byte of SIP', async () => {
  await poll('an OPTIONS over TLS', () => named.received().startsWith('OPTIONS '))
  await poll('a handshake', () => otherwiseNamed.connections() > 0)
  const ends = await keptAlive(realClock, take(dial('misnamed')))
  assert.match(String(ends.map(said)), /^(nobody|50\d them)$/)
  assert.equal(otherwiseNamed.received(), '')
})

test('with SRTP the offer is encrypted or the call refused, never plain', async () => {
  const names = ['srtp', 'plain-rtp', 'srtp-refused']
  const ends = await Promise.all(names.map(async (name) => (await keptAlive(realClock, take(dial(name)))).map(said)))
  // A carrier that requires SRTP accepts the encrypted offer and refuses the plain one; a carrier without SRTP refuses
  // ours.
  assert.deepEqual(ends, [['486 them'], ['488 them'], ['488 them']])
})

function dial(trunk: string) {
  return network.dial({
    channelId: trunk,
    trunk,
    to: '79070000486',
    from: '70000000001',
    originateTimeoutMs: 20_000,
    flashRingMs: 5_000,
  })
}

function makeCertificate(name: string, host = 'IP:127.0.0.1'): string {
  const path = join(directory, name)
  const subject = ['-subj', `/CN=${host.slice('IP:'.length)}`, '-addext', `subjectAltName=${host}`]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', `${path}.key`, '-out', `${path}.pem`], {
    stdio: 'ignore',
  })
  return path
}

// Answers nothing, and keeps what arrives inside TLS.
async function listenAs(certificate: string) {
  let received = ''
  let connections = 0
  const server = createServer({ key: readFileSync(`${certificate}.key`), cert: readFileSync(`${certificate}.pem`) })
  server.on('connection', () => connections++)
  server.on('secureConnection', (socket) => {
    socket.on('data', (text) => (received += text.toString('latin1')))
    socket.on('error', () => undefined)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atEnd(async () => server.close())
  const { port } = server.address() as AddressInfo
  return { address: `127.0.0.1:${port}`, received: () => received, connections: () => connections }
}

// Busy for every call.
function makeCarrier(site: string, certificate: string, more = ''): void {
  const etc = join(site, 'etc')
  writeFileSync(join(etc, 'sorcery.conf'), '; Everything from files.\n')
  writeFileSync(join(etc, 'extensions.conf'), '[busy]\nexten = _X.,1,Hangup(17)\n')
  const endpoint = '[caller]\ntype = endpoint\ncontext = busy\ndisallow = all\nallow = alaw\n' + more
  const identify = '[caller]\ntype = identify\nendpoint = caller\nmatch = 127.0.0.1\n'
  const keys = `[tls](+)\ncert_file = ${certificate}.pem\npriv_key_file = ${certificate}.key\n`
  appendFileSync(join(etc, 'pjsip.conf'), `\n${keys}${endpoint}${identify}`)
}
