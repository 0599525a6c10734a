// An ARI that answers nothing for half a minute, while a trunk changes: the process logs it, the trunk and the doctor are red, and the
// change is in Asterisk soon after it answers again. In real time.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { putTrunk } from '../../server/src/db/trunks/trunk.ts'
import { readTrunkStates } from '../../server/src/db/trunks/trunk-state.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { poll } from '../support/poll.ts'
import { badOnes, examined } from '../support/process/doctor.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { testAsterisk } from '../support/sip/asterisk.ts'
import { createMoodyCarrier } from '../support/sip/moody-carrier.ts'
import { createSilentAri } from '../support/sip/silent-ari.ts'

const silentMs = 30_000
const upMsMax = 15_000
const slow = /no result within|did not respond within|no response in time/

const asterisk = await testAsterisk({ hasEdge: false })
const ari = await createSilentAri(asterisk.site.ariPort)
const carriers = await Promise.all([createMoodyCarrier('udp'), createMoodyCarrier('udp'), createMoodyCarrier('udp')])
const [first, second, third] = carriers.map(({ address }) => address)
const phones = await installPhones(1)
const { globalDatabase } = phones.slots
const environment = {
  ...phones.environment,
  ...asterisk.environment,
  RINGPROOF_ARI_URL: ari.url,
  RINGPROOF_SIP_CA_FILE: '',
}
const { says, output } = await serve(phones, environment, '--roles', 'calls')
await moveTo(second)
await upAt(second)
// What a change takes on this machine while Asterisk answers.
const usualFromMs = performance.now()
await moveTo(first)
await upAt(first)
const usualMs = performance.now() - usualFromMs

test('an ARI that answers pings but no request', async (t) => {
  ari.silence()
  const silentUntil = sleep(silentMs)
  await moveTo(second)
  await says('"msg":"ARI request unanswered"')
  await assertRed(slow)
  await silentUntil
  ari.answer()
  await assertUpAt(second, t.diagnostic.bind(t))
})

test('an Asterisk that is stopped', async (t) => {
  process.kill(asterisk.pid(), 'SIGSTOP')
  const silentUntil = sleep(silentMs)
  await moveTo(third)
  await says('"msg":"ARI connection lost"')
  await assertRed(slow)
  await silentUntil
  process.kill(asterisk.pid(), 'SIGCONT')
  await assertUpAt(third, t.diagnostic.bind(t))
})

test('an attempt to connect that was given up, and that Asterisk serves after a newer one', async () => {
  const { length } = output()
  ari.silence()
  await moveTo(first)
  const hasGivenUp = (text: string) => text.includes('"msg":"ARI connection failed"')
  await poll('an attempt to be given up', async () => output().slice(length), hasGivenUp)
  ari.answer()
  await upAt(first)
  const earlier = new WebSocket(`ws://127.0.0.1:${asterisk.site.ariPort}/ari/events?app=${asterisk.site.node}`, {
    headers: { authorization: `Basic ${btoa(`${asterisk.site.ariUser}:${asterisk.site.ariPassword}`)}` },
  })
  await once(earlier, 'open')
  earlier.terminate()
  await assert.doesNotReject(says('"msg":"ARI connection replaced"'))
  await moveTo(second)
  await upAt(second)
})

async function moveTo(address: string | undefined): Promise<void> {
  await putTrunk(globalDatabase, {
    ...trunkDefaults,
    name: 'first',
    address: address ?? '',
    channels: 10,
    callsPerSecond: 10,
  })
}

async function assertRed(cause: RegExp): Promise<void> {
  await poll(
    'the trunk to be down',
    trunkNow,
    (state) => state?.isUp === false && state.reason === 'Asterisk does not respond',
  )
  // On a loaded machine other checks may run out of time, too.
  const read = async () => badOnes((await examined(environment)).findings)
  const isRed = (bad: Awaited<ReturnType<typeof read>>) =>
    ['asterisk', 'trunks'].every((name) => bad.some(({ check }) => check === name))
  const bad = await poll('doctor to be red', read, isRed)
  for (const { check, cause: said, fix } of bad) {
    if (check === 'asterisk') assert.match(said, cause)
    if (check === 'asterisk' || check === 'trunks')
      assert.match(fix ?? '', /^asterisk -C \S+\/etc\/asterisk\.conf -rx "core restart now"$/)
  }
}

async function assertUpAt(address: string | undefined, report: (text: string) => void): Promise<void> {
  const startedMs = performance.now()
  await upAt(address)
  const tookMs = performance.now() - startedMs
  report(`up after ${(tookMs / 1_000).toFixed(1)} s`)
  assert(tookMs <= Math.max(upMsMax, 3 * usualMs), `up after ${tookMs} ms, usually ${usualMs} ms`)
}

async function upAt(address: string | undefined): Promise<void> {
  await poll(
    `the trunk to be up at ${address}`,
    trunkNow,
    (state) => state?.isUp === true && state.reason.includes(`${address}`),
    {
      timeoutMs: 60_000,
    },
  )
}

async function trunkNow() {
  const states = await readTrunkStates(globalDatabase).catch(() => [])
  return states.find(({ trunk }) => trunk === 'first')
}
