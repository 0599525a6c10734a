// `ringproof doctor` on a telephony node with a signalling edge: sound, and with one fault at a time.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { edgeKeys } from '../../server/src/telephony/edge/key.ts'
import type { Environment } from '../support/process/cli.ts'
import { assertFound, badOnes, examined } from '../support/process/doctor.ts'
import { installPhones } from '../support/process/phones.ts'
import { testAsterisk } from '../support/sip/asterisk.ts'
import { testEdge } from '../support/sip/edge.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const [asterisk, phones] = await Promise.all([testAsterisk(), installPhones(1)])
const keys = edgeKeys(asterisk.environment['RINGPROOF_ARI_PASSWORD'] ?? '')
const edge = await testEdge({ hepPort: 9, hepKey: 'none', keys })
const { insidePort, sipPort } = edge.site
const environment: Environment = {
  ...phones.environment,
  ...asterisk.environment,
  RINGPROOF_SIP_CA_FILE: '',
  RINGPROOF_EDGE_URL: `udp://127.0.0.1:${insidePort}`,
  RINGPROOF_EDGE_SIP_HOST: '127.0.0.1',
  RINGPROOF_EDGE_SIP_PORT: String(sipPort),
}

test('a sound edge has no bad finding', async (t) => {
  installKamailio(t, '6.0.1')
  const { findings } = await examined(environment)
  assert.deepEqual(badOnes(findings), [])
  const causeOf = (check: string) => findings.find((finding) => finding.check === check)?.cause
  assert.equal(causeOf('edge'), 'Kamailio 6.0.1 responds.')
  assert.equal(causeOf('edge-address'), `Carriers reach the edge at 127.0.0.1:${sipPort}.`)
})

test('without the setting nothing is said about an edge', async () => {
  const { findings } = await examined({ ...environment, RINGPROOF_EDGE_URL: '' })
  assert.deepEqual(
    findings.filter(({ check }) => check.startsWith('edge')),
    [],
  )
})

test('a closed port, and one that never responds', async (t) => {
  const closed = { RINGPROOF_EDGE_URL: `udp://127.0.0.1:${await freePort()}` }
  const refused = await examined({ ...environment, ...closed })
  assertFound(refused, 'bad', 'edge', /nothing listens on this port/, /^systemctl start ringproof-edge$/)
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  t.after(() => silent.close())
  await once(silent, 'listening')
  const unheard = { RINGPROOF_EDGE_URL: `udp://127.0.0.1:${silent.address().port}` }
  const waited = await examined({ ...environment, ...unheard })
  assertFound(waited, 'bad', 'edge', /so calls wait: no re\w+ /, /^correct RINGPROOF_EDGE_URL, or allow UDP/)
})

test('a version that loses calls', async (t) => {
  installKamailio(t, '6.1.5')
  const fix = /^install Kamailio 6\.0 of Debian 13 or 5\.6 of Debian 12, then: systemctl restart ringproof-edge$/
  assertFound(await examined(environment), 'bad', 'edge', /^Kamailio 6\.1\.5 loses calls/, fix)
})

test('no address for carriers, every address, and one that this machine does not have', async () => {
  const fix = /^RINGPROOF_EDGE_SIP_HOST=[\d.a-f:]+, then: systemctl restart ringproof-edge$/
  for (const [host, cause] of [
    ['', /^RINGPROOF_EDGE_SIP_HOST is empty: /],
    ['0.0.0.0', /^RINGPROOF_EDGE_SIP_HOST is 0\.0\.0\.0: /],
    ['192.0.2.7', /^This machine has no address 192\.0\.2\.7, /],
  ] as const) {
    const found = await examined({ ...environment, RINGPROOF_EDGE_SIP_HOST: host })
    assertFound(found, 'bad', 'edge-address', cause, fix)
  }
})

test('a port that Asterisk has, and an edge that runs with other settings', async () => {
  const shared = await examined({ ...environment, RINGPROOF_SIP_PORT: String(sipPort) })
  const port = new RegExp(`^RINGPROOF_EDGE_SIP_PORT=${sipPort + 20}, then: systemctl restart ringproof-edge$`)
  assertFound(shared, 'bad', 'edge-address', /^Asterisk listens on port \d+ of 127\.0\.0\.1, too/, port)
  const changed = await examined({ ...environment, RINGPROOF_EDGE_SIP_PORT: String(sipPort + 1) })
  const cause = new RegExp(`writes 127\\.0\\.0\\.1:${sipPort} into calls, but .* 127\\.0\\.0\\.1:${sipPort + 1}\\.$`)
  assertFound(changed, 'bad', 'edge-address', cause, /^systemctl restart ringproof-edge$/)
})

// A program that only prints a version.
function installKamailio(t: TestContext, version: string): void {
  const directory = temporaryDirectory(t)
  const path = process.env['PATH']
  t.after(() => {
    process.env['PATH'] = path
  })
  writeFileSync(`${directory}/kamailio`, `#!/bin/sh\necho version: kamailio ${version}\n`, { mode: 0o755 })
  process.env['PATH'] = `${directory}:${path}`
}
