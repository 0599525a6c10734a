// A telephony node: prepared by CLI, and one process per node name.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asteriskTree } from '../../scripts/stack/parts/asterisk.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { poll } from '../support/poll.ts'
import { ringproof, start } from '../support/process/cli.ts'
import { installPhones } from '../support/process/phones.ts'
import { runAsterisk, testAsterisk } from '../support/sip/asterisk.ts'
import { asteriskSwitch } from '../support/sip/asterisk-switch.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const asterisk = await testAsterisk()
const trunk = { ...trunkDefaults, name: 'carrier', address: '127.0.0.1:9', channels: 1, callsPerSecond: 1 }
const failures: string[] = []
const first = await asteriskSwitch(asterisk, () => [trunk], { failed: (why) => failures.push(why) })
const phones = await installPhones(1)
const directory = fileDirectory()

test('`asterisk prepare` writes an Asterisk configuration that works with the current password', async () => {
  const [ariPort, sipPort, sipTlsPort] = await Promise.all([freePort(), freePort(), freePort()])
  const settings = {
    ...phones.environment,
    RINGPROOF_ARI_URL: `http://127.0.0.1:${ariPort}`,
    RINGPROOF_ARI_PASSWORD: 'of-this-node',
    RINGPROOF_SIP_HOST: '127.0.0.1',
    RINGPROOF_SIP_PORT: String(sipPort),
    RINGPROOF_SIP_TLS_PORT: String(sipTlsPort),
    RINGPROOF_SIP_PUBLIC_ADDRESS: '192.0.2.7',
    RINGPROOF_SIP_LOCAL_NETWORKS: '127.0.0.0/8',
    RINGPROOF_SIP_CA_FILE: '',
  }
  const said = await ringproof(settings, 'asterisk', 'prepare', directory, '--programs', `${asteriskTree}/usr`)
  assert.equal(said.err, '')
  assert.match(said.out, /asterisk -f -C .*asterisk\.conf/)
  const server = await runAsterisk(`${directory}/etc/asterisk.conf`, ariPort, 'of-this-node')
  await server.kill('SIGTERM')
})

test('of two processes with one node name the second takes over, and the first stops', async () => {
  const running = start(
    { ...phones.environment, ...asterisk.environment, RINGPROOF_METRICS_PORT: '' },
    'serve',
    '--roles',
    'calls',
  )
  await running.says('ARI connected')
  await poll('the first process to stop', () => failures.length > 0)
  assert.deepEqual(failures, [
    `another process uses this node's name, ${asterisk.site.node}: set a different RINGPROOF_NODE`,
  ])
  assert.equal(first.isReady('spoken'), false)
  // And the reverse: a whole process stops, and says why.
  await asteriskSwitch(asterisk, () => [trunk])
  const { status, out } = await running.ended
  assert.equal(status, 1)
  assert.match(out, /"level":"fatal".*another process uses this node's name/)
})
