// `ringproof doctor` on a telephony node: Asterisk, its addresses and ports, and trunks as a running process sees them.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { putTrunk } from '../../server/src/db/trunks/trunk.ts'
import { readTrunkStates } from '../../server/src/db/trunks/trunk-state.ts'
import { nonceBytes } from '../../server/src/domain/crypto/sealing.ts'
import { sealTrunkPassword, type Trunk, trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { poll } from '../support/poll.ts'
import { assertFound, badOnes, examined } from '../support/process/doctor.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { testAsterisk } from '../support/sip/asterisk.ts'
import { createRegistrar } from '../support/sip/registrar.ts'

const publicAddress = '192.0.2.7'
const registrar = await createRegistrar(new Map([['ringproof-7', 'right']]))
// One after the other: several at once start slowly on a busy machine.
const asterisk = await testAsterisk()
const hidden = await testAsterisk({ site: { publicAddress } })
// Nodes report more often in scaled time.
const phones = await installPhones(0.2, 1, { address: registrar.address, user: 'ringproof-7' })
const { globalDatabase } = phones.slots
// The edge has its own file.
const withoutEdge = { RINGPROOF_SIP_CA_FILE: '', RINGPROOF_EDGE_URL: '' }
const environment = { ...phones.environment, ...asterisk.environment, ...withoutEdge }
const registering: Trunk = {
  ...trunkDefaults,
  name: 'registering',
  address: registrar.address,
  user: 'ringproof-7',
  outboundRegistration: true,
  passwordSealed: sealed('right'),
  channels: 10,
  callsPerSecond: 10,
}
await serve(phones, { ...asterisk.environment, RINGPROOF_SIP_CA_FILE: '' }, '--roles', 'calls')
await restore()

function sealed(password: string): Buffer {
  return sealTrunkPassword(phones.recordKeys, 'registering', password, randomBytes(nonceBytes))
}

async function restore(): Promise<void> {
  await unregister()
  await putTrunk(globalDatabase, registering)
  await reported('registering', (isUp, reason) => isUp && reason.endsWith(', registered'))
}

// Asterisk registers again only after minutes; a new registration starts at once.
async function unregister(): Promise<void> {
  await putTrunk(globalDatabase, { ...registering, outboundRegistration: false })
  await reported('registering', (isUp, reason) => isUp && !reason.includes('regist'))
}

// Until the node has reported this state of the trunk.
async function reported(trunk: string, isWanted: (isUp: boolean, reason: string) => boolean): Promise<void> {
  const read = async () => (await readTrunkStates(globalDatabase)).find((state) => state.trunk === trunk)
  await poll(`trunk ${trunk}`, read, (state) => state !== undefined && isWanted(state.isUp, state.reason))
}

// Over ARI, as an operator would by mistake.
async function unload(module: string): Promise<void> {
  const { ariPort, ariUser, ariPassword } = hidden.site
  const authorization = `Basic ${Buffer.from(`${ariUser}:${ariPassword}`).toString('base64')}`
  const url = `http://127.0.0.1:${ariPort}/ari/asterisk/modules/${module}`
  assert.equal((await fetch(url, { method: 'DELETE', headers: { authorization } })).status, 204)
}

test('a sound node has no bad finding: carriers confirm its address, trunks are up and registered', async () => {
  const { findings } = await examined(environment)
  assert.deepEqual(badOnes(findings), [])
  const causeOf = (check: string, subject: string) =>
    findings.find((finding) => finding.check === check && finding.subject === subject)?.cause ?? ''
  const { node } = asterisk.site
  assert.match(causeOf('asterisk', node), /^Asterisk 22\./)
  assert.match(causeOf('public-address', node), /; 3 carriers confirmed it\.$/)
  assert.match(causeOf('rtp-ports', node), /20000-29999/)
  assert.match(causeOf('trunks', 'registering'), /answers OPTIONS, registered\.$/)
})

test('a wrong public address: not what Asterisk announces, or not where carriers see us', async () => {
  const changed = await examined({ ...environment, RINGPROOF_SIP_PUBLIC_ADDRESS: publicAddress })
  const prepare = /ringproof asterisk prepare \S+ && asterisk -C \S+\/etc\/asterisk\.conf -rx /
  assertFound(changed, 'bad', 'public-address', /announces its own address .* is 192\.0\.2\.7\.$/, prepare)
  const announced = { ...hidden.environment, ...withoutEdge, RINGPROOF_SIP_PUBLIC_ADDRESS: publicAddress }
  const unseen = await examined({ ...environment, ...announced })
  const cause = /sees us at 127\.0\.0\.1, but Contact and SDP say 192\.0\.2\.7/
  assertFound(
    unseen,
    'bad',
    'public-address',
    cause,
    /^RINGPROOF_SIP_PUBLIC_ADDRESS=127\.0\.0\.1 ringproof asterisk prepare/,
  )
  assert(unseen.findings.some(({ fix }) => fix?.includes(hidden.site.directory)))
})

test('a closed port of the carrier', async (t) => {
  t.after(restore)
  const closed = `127.0.0.1:${await freePort()}`
  await putTrunk(globalDatabase, { ...registering, address: closed, outboundRegistration: false })
  await reported('registering', (isUp, reason) => !isUp && reason.includes(closed))
  const fix = /^ringproof trunks set registering --address HOST:PORT, or open the firewall for SIP$/
  assertFound(await examined(environment), 'bad', 'trunks', /does not answer OPTIONS\.$/, fix)
})

test('a wrong trunk password', async (t) => {
  t.after(restore)
  await unregister()
  await putTrunk(globalDatabase, { ...registering, passwordSealed: sealed('wrong') })
  await reported('registering', (isUp, reason) => !isUp && reason.includes('rejects'))
  const found = await examined(environment)
  const fix = /^ringproof trunks set registering --user NAME --password-file FILE$/
  assertFound(found, 'bad', 'trunks', /answers OPTIONS, the carrier rejects our registration\.$/, fix)
})

test('other RTP ports than the settings say, and a missing module', async () => {
  const ports = await examined({ ...environment, RINGPROOF_RTP_PORTS: '30000-39999' })
  assertFound(ports, 'bad', 'rtp-ports', /uses the RTP ports 20000-29999, but/, /^ringproof asterisk prepare /)
  const announced = { RINGPROOF_SIP_LOCAL_NETWORKS: '127.0.0.0/8', RINGPROOF_SIP_PUBLIC_ADDRESS: publicAddress }
  const other = { ...environment, ...hidden.environment, ...announced, ...withoutEdge }
  assert.deepEqual(badOnes((await examined(other)).findings), [])
  await unload('res_pjsip_rfc3326.so')
  const modules = await examined(other)
  assertFound(
    modules,
    'bad',
    'asterisk-modules',
    /does not run res_pjsip_rfc3326\.so\.$/,
    /^ringproof asterisk prepare /,
  )
})

test('an ARI password that Asterisk rejects, and an Asterisk that is down', async () => {
  const rejected = await examined({ ...environment, RINGPROOF_ARI_PASSWORD: 'SECRET-WORD' })
  assertFound(rejected, 'bad', 'asterisk', /status 401/, /^ringproof asterisk prepare /)
  assert(!rejected.text.includes('SECRET-WORD'))
  await hidden.kill('SIGKILL')
  const down = await examined({ ...environment, ...hidden.environment, ...withoutEdge })
  assertFound(down, 'bad', 'asterisk', /nothing listens on this port/, /^asterisk -f -C /)
})
