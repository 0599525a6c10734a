// `ringproof edge prepare`, and the unit of the Debian package that runs it.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { prepareEdge } from '../../server/src/engine/trunks/prepare-edge.ts'
import { readConfig } from '../../server/src/process/config/config.ts'
import { UsageError } from '../../server/src/process/errors.ts'
import { edgeArguments } from '../../server/src/telephony/edge/config.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const settings = {
  RINGPROOF_DATABASE_URL: 'postgres://127.0.0.1/none',
  RINGPROOF_SECRETS_DIR: '/nonexistent',
  RINGPROOF_ARI_PASSWORD: 'unused',
  RINGPROOF_EDGE_URL: 'udp://127.0.0.1:5070',
  RINGPROOF_EDGE_SIP_HOST: '192.0.2.7',
}

test('with the settings of a node it writes a configuration that only its owner can read', async (t) => {
  installKamailio(t, '6.0.1')
  const directory = join(temporaryDirectory(t), 'edge')
  const file = await prepareEdge(readConfig(settings), directory)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const text = readFileSync(file, 'utf8')
  assert.match(text, /^listen=udp:127\.0\.0\.1:5070 name "inside"$/m)
  assert.match(text, /^listen=udp:192\.0\.2\.7:5060 name "outside"$/m)
  assert.doesNotMatch(text, /\{\{/)
})

test('a Kamailio that loses transactions or is too old is refused, and nothing is written', async (t) => {
  const directory = join(temporaryDirectory(t), 'edge')
  const install = installKamailio(t, '6.1.5')
  const prepare = () => prepareEdge(readConfig(settings), directory)
  const advice = 'Install Kamailio 6.0 of Debian 13 or 5.6 of Debian 12.'
  for (const version of ['6.1.5', '6.1.4']) {
    install(version)
    const message = `Kamailio ${version} loses calls whose INVITE is repeated quickly. ${advice}`
    await assert.rejects(prepare(), new UsageError(message))
  }
  install('5.5.3')
  await assert.rejects(prepare(), /^UsageError: Kamailio 5\.5\.3 is too old: 5\.6\.0 or newer is needed\./)
  assert(!existsSync(directory))
  for (const version of ['5.6.3', '6.0.1', '6.1.6', '6.2.0']) {
    install(version)
    assert(existsSync(await prepare()), version)
  }
})

test('a pair needs both addresses; without them nothing of the pair is written', async (t) => {
  installKamailio(t, '6.0.1')
  const write = async (more: object) =>
    readFileSync(await prepareEdge(readConfig({ ...settings, ...more }), join(temporaryDirectory(t), 'edge')), 'utf8')
  const own = { RINGPROOF_EDGE_PAIR_URL: 'udp://10.0.0.1:5071' }
  const paired = await write({ ...own, RINGPROOF_EDGE_PEER_URL: 'udp://10.0.0.2:5071' })
  assert.match(paired, /^listen=udp:10\.0\.0\.1:5071 name "pair"$/m)
  assert.match(paired, /"notification_address", "sip:10\.0\.0\.2:5071"/)
  assert.match(paired, /KDMQ"\) && \$si == "10\.0\.0\.2"/)
  assert.doesNotMatch(await write({}), /dmq\.so|name "pair"/)
  await assert.rejects(write(own), /^UsageError: Set both RINGPROOF_EDGE_PAIR_URL and RINGPROOF_EDGE_PEER_URL/)
})

test('without an address that carriers reach it says which setting is missing', async (t) => {
  for (const host of ['', '0.0.0.0', '::']) {
    const config = readConfig({ ...settings, RINGPROOF_EDGE_SIP_HOST: host })
    await assert.rejects(prepareEdge(config, temporaryDirectory(t)), /^UsageError: Set RINGPROOF_EDGE_SIP_HOST/)
  }
  const off = readConfig({ ...settings, RINGPROOF_EDGE_URL: '' })
  await assert.rejects(prepareEdge(off, temporaryDirectory(t)), /^UsageError: Set RINGPROOF_EDGE_URL/)
})

test('the unit of the Debian package starts Kamailio as the tests do', () => {
  const unit = readFileSync(new URL('../../deploy/debian/ringproof-edge.service', import.meta.url), 'utf8')
  const command = /^ExecStart=(.*)$/m.exec(unit)?.[1]
  assert.equal(command, ['/usr/sbin/kamailio', ...edgeArguments('/run/ringproof-edge/site')].join(' '))
})

test('so does the image', () => {
  const file = readFileSync(new URL('../../deploy/image/Containerfile.edge', import.meta.url), 'utf8')
  const command = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(file)?.[1] ?? '') as readonly string[]
  assert.deepEqual(command, ['kamailio', ...edgeArguments('/var/lib/ringproof/edge')])
})

// A program that only prints a version. Returns a function that changes it.
function installKamailio(t: TestContext, version: string): (version: string) => void {
  const directory = temporaryDirectory(t)
  const path = process.env['PATH'] ?? ''
  const write = (printed: string) => {
    const text = `#!/bin/sh\necho 'version: kamailio ${printed} (x86_64/linux)'\n`
    writeFileSync(join(directory, 'kamailio'), text, { mode: 0o755 })
  }
  process.env['PATH'] = `${directory}:${path}`
  t.after(() => {
    process.env['PATH'] = path
  })
  write(version)
  return write
}
