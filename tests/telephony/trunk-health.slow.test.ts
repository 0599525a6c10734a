// A trunk that fails in the carrier is red on the wallboard within ten seconds, with the right cause, for each of eight carriers; and it
// is healthy again when the carrier is. The process beside Asterisk writes what it sees; this test reads it as the console does.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { putTrunk } from '../../server/src/db/trunks/trunk.ts'
import { readTrunkReports } from '../../server/src/db/trunks/trunk-state.ts'
import { nonceBytes } from '../../server/src/domain/crypto/sealing.ts'
import { sealTrunkPassword, type Trunk, trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { type TrunkCause, trunkHealth } from '../../server/src/domain/trunks/trunk-health.ts'
import { ask } from '../support/http/ask.ts'
import { testAuthority } from '../support/network/certificates.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { testAsterisk } from '../support/sip/asterisk.ts'
import { createMoodyCarrier, type Mood } from '../support/sip/moody-carrier.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { operatorAs } from '../support/web/people.ts'

const directory = fileDirectory()
const trusted = testAuthority(directory, 'trusted')
const other = testAuthority(directory, 'other')
const asterisk = await testAsterisk({ site: { caFile: trusted.certFile, sipTransports: ['udp', 'tcp', 'tls'] } })
const phones = await installPhones(1)
const { globalDatabase } = phones.slots
const settings = {
  ...asterisk.environment,
  RINGPROOF_SIP_CA_FILE: trusted.certFile,
  RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
}
const { base, says, stop } = await serve(phones, settings)
await says('"msg":"ARI connected"')
const service = await makeService(phones, 1_000)
const cli = createCli({ ...phones.environment, RINGPROOF_PUBLIC_URL: base })
const operator = await operatorAs(base, cli, 'viewer')

const redMsMax = 10_000
const certificate = trusted.issue('IP:127.0.0.1')

await useTrunk({ name: 'second', isOn: false })

test('a carrier that falls silent', async () => {
  const carrier = await createMoodyCarrier('udp')
  await healthyTrunk({ address: carrier.address })
  carrier.setMood({ options: undefined, invite: undefined })
  await assertDown('silent', null)
  carrier.setMood({})
  await assertHealthy()
})

test('a carrier whose TCP port is closed', async () => {
  const carrier = await createMoodyCarrier('tcp')
  await healthyTrunk({ address: carrier.address, transport: 'tcp' })
  await carrier.closePort()
  await assertDown('port-closed', null)
  await carrier.openPort()
  await assertHealthy()
})

test('a carrier with a certificate that we do not trust', async () => {
  const carrier = await createMoodyCarrier('tls', certificate)
  await healthyTrunk({ address: carrier.address, transport: 'tls' })
  await carrier.closePort()
  await carrier.openPort(other.issue('IP:127.0.0.1'))
  await assertDown('certificate', null)
  await carrier.closePort()
  await carrier.openPort(certificate)
  await assertHealthy()
})

test('a carrier that no longer accepts our password', async () => {
  const carrier = await createMoodyCarrier('udp')
  const passwordSealed = sealTrunkPassword(phones.recordKeys, 'first', 'right', randomBytes(nonceBytes))
  const registering = { user: 'ringproof-7', passwordSealed, outboundRegistration: true }
  await healthyTrunk({ address: carrier.address, ...registering })
  carrier.setMood({ register: (hasPassword) => (hasPassword ? '403 Forbidden' : '401 Unauthorized') })
  await assertDown('wrong-password', 403)
})

test('a carrier that has taken our address off its list', async () => {
  await assertCallsFail({ options: '403 Forbidden', invite: '403 Forbidden' }, 'address-refused', 403)
})

test('an overloaded carrier', async () => {
  await assertCallsFail({ options: '503 Service Unavailable', invite: '503 Service Unavailable' }, 'overloaded', 503)
})

test('a carrier that expects another number format', async () => {
  await assertCallsFail({ invite: '404 Not Found' }, 'number-format', 404)
})

test('a carrier that accepts none of our codecs', async () => {
  await assertCallsFail({ invite: '488 Not Acceptable Here' }, 'codec', 488)
})

test('a process that no longer reports: the last state is not shown as health', async () => {
  await stop()
  await globalDatabase.query(`UPDATE trunk_states SET seen_at = seen_at - interval '40 seconds'`)
  const health = await healthNow()
  assert.equal(health.cause, 'no-report')
  assert(Number(health.reportAgeMs) >= 40_000)
})

async function assertCallsFail(mood: Partial<Mood>, cause: TrunkCause, status: number): Promise<void> {
  const carrier = await createMoodyCarrier('udp')
  await healthyTrunk({ address: carrier.address })
  // A phone rings first: before that nothing is known about calls over this carrier.
  await assertCallsEnd(1, 1)
  carrier.setMood(mood)
  await Promise.all([assertDown(cause, status), assertCallsEnd(12, 0)])
  carrier.setMood({})
  await assertCallsEnd(1, 1)
  await assertHealthy()
}

async function assertCallsEnd(count: number, callStatus: 0 | 1): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async () => {
      const { json } = await ask(`${base}/v1.0/initCall?phone=${freshNumber('180')}`, { headers: service.bearer })
      const info = await settled(base, service, json['vendor_id'])
      assert.equal(info['call_status'], callStatus, JSON.stringify(json))
    }),
  )
}

async function assertDown(cause: TrunkCause, status: number | null): Promise<void> {
  const startedMs = performance.now()
  const health = await poll(`trunk to be down: ${cause}`, healthNow, ({ state }) => state === 'down')
  const tookMs = performance.now() - startedMs
  const shown = await poll('the wallboard to be red', onWallboard, ({ state }) => state === 'down')
  const shownMs = performance.now() - startedMs
  assert.deepEqual([health.cause, shown.cause, shown.status], [cause, cause, status])
  assert(tookMs <= redMsMax && shownMs <= redMsMax, `down after ${tookMs} ms, red after ${shownMs} ms`)
}

async function assertHealthy(): Promise<void> {
  await poll('trunk to be healthy', healthNow, ({ state, cause }) => state === 'healthy' && cause === 'fine')
  await poll('the wallboard to be calm', onWallboard, ({ state }) => state === 'healthy')
}

async function healthyTrunk(changes: Partial<Trunk>): Promise<void> {
  // Another trunk to Asterisk, with nothing known about it.
  await useTrunk({ name: 'first', isOn: false })
  await globalDatabase.query('DELETE FROM trunk_states')
  await useTrunk({ name: 'first', ...changes })
  await assertHealthy()
}

async function useTrunk(changes: Partial<Trunk> & { readonly name: string }): Promise<void> {
  await putTrunk(globalDatabase, { ...trunkDefaults, channels: 100, callsPerSecond: 100, ...changes })
}

async function onWallboard() {
  const { trunks } = await operator.call('wallboard')
  const shown = trunks.find(({ name }) => name === 'first')
  assert(shown)
  return shown.health
}

async function healthNow() {
  const reports = (await readTrunkReports(globalDatabase)).filter(({ trunk }) => trunk === 'first')
  const trunk = { isOn: true, isDraining: false, address: 'carrier' }
  return trunkHealth({ trunk, reports, isStopped: false, isCallerIdChanged: false })
}
