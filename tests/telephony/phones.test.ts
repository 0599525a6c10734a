// Virtual phones as real SIP handsets: a second Asterisk plays the subscribers' network, the server drives it, and the real
// trunk leads to a carrier that must never see one of these calls.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createService } from '../../server/src/actions/accounts/services.ts'
import { listPhoneCalls } from '../../server/src/actions/phones/list-phone-calls.ts'
import { dialFromPhone, setPhone, setPhoneFault } from '../../server/src/actions/phones/phones.ts'
import { actOnCall } from '../../server/src/actions/verifications/calls.ts'
import { insertConfirmationNumber } from '../../server/src/db/trunks/confirmation-number.ts'
import { putTrunk } from '../../server/src/db/trunks/trunk.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import type { PhoneState } from '../../server/src/domain/phones/virtual-phone.ts'
import { slotOfNth } from '../../server/src/domain/trunks/confirmation-number.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { connectBus } from '../../server/src/engine/core/bus.ts'
import { createCommandPhone } from '../../server/src/engine/phones/phone-commands.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { namedKeys, readSecrets } from '../../server/src/process/secrets.ts'
import { atEnd } from '../support/at-end.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd, verified } from '../support/http/webhook-receiver.ts'
import { poll, pollUntilResolved } from '../support/poll.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { readPrompts, spokenDigits } from '../support/sip/spoken-digits.ts'

// A trunk is identified by the IP address of its calls, so the phones have one that no carrier has.
const phonesHost = '127.0.0.2'
const [asterisk, network, carrier] = await Promise.all([
  testAsterisk(),
  testAsterisk({ site: { sipHost: phonesHost, node: 'phones' }, rewrite: makeRecordings }),
  testCarrier(),
])
const installation = await installPhones(1, 1, { address: carrier.address })
const { slots, recordKeys, environment } = installation
const { globalDatabase } = slots
const confirmationNumbers = Array.from({ length: 4 }, (_, n) => 70000300001 + n)
const line = { ...trunkDefaults, name: 'phones', isTest: true, channels: 50, callsPerSecond: 50 }
await putTrunk(globalDatabase, { ...line, address: `${phonesHost}:${network.site.sipPort}`, returnPath: 'enforce' })
for (const [n, number] of confirmationNumbers.entries()) {
  await insertConfirmationNumber(globalDatabase, number, 'phones', slotOfNth(n))
}
const { base, output, says } = await serve(installation, {
  ...asterisk.environment,
  RINGPROOF_FLASH_RING_SECONDS: '3',
  RINGPROOF_PHONES_ARI_URL: `http://127.0.0.1:${network.site.ariPort}`,
  RINGPROOF_PHONES_ARI_PASSWORD: network.site.ariPassword,
  RINGPROOF_PHONES_PEER: `127.0.0.1:${asterisk.inboundPort}`,
})
await says('"node":"phones","msg":"ARI connected"')

const log = createLog({ write: () => undefined })
const bus = await connectBus(
  { natsUrls: [String(environment['RINGPROOF_NATS_URL'])] },
  String(environment['RINGPROOF_NATS_PREFIX']),
  1,
  createClock(1),
  log,
)
atEnd(bus.close)
const keys = namedKeys(readSecrets(String(environment['RINGPROOF_SECRETS_DIR'])))
const live = await makeService(installation)
const own = await makeTestService()
const receiver = await createReceiverToTheEnd()
const deps = {
  slots,
  keys,
  nowSeconds: () => Date.now() / 1_000,
  noteChange: () => undefined,
  commandPhone: createCommandPhone(bus),
}
const page = () => listPhoneCalls(deps, live.accountId)
const phone = String((await page()).phones[2]?.number)

async function makeTestService(): Promise<TestService> {
  const { accountId } = live
  const creating = { slots, recordKeys, randomBytes, newServiceCaps: noCaps }
  const command = { accountId, name: 'Staging', isTest: true }
  const made = await createService(creating, { address: 'test', userAgent: '' }, command)
  return { accountId, ...made, bearer: { authorization: `Bearer ${made.key}.${made.serviceId}` } }
}

async function start(method: 'initCall' | 'inboundCallWaiting', body: object): Promise<Record<string, unknown>> {
  const asked = await ask(`${base}/v1.0/${method}`, { method: 'POST', headers: own.bearer, body })
  assert.equal(asked.status, 200, asked.text)
  return asked.json
}

const callOf = async (id: unknown) => (await page()).calls.find((call) => call.id === id)
const stateOf = async (id: unknown) => (await callOf(id))?.state
const set = (state: PhoneState) => setPhone(deps, live.accountId, { number: phone, state })

async function outcomeOf(id: unknown): Promise<string> {
  await settled(base, own, id)
  const call = await callOf(id)
  return [call?.state, call?.reason, call?.sipStatus ?? '', call?.rangMs === null ? 'silent' : 'rang'].join(' ')
}

// The trunk must have answered OPTIONS first; until then a call fails and is charged nothing.
await pollUntilResolved(
  'the first call to ring',
  async () => {
    const { vendor_id: id } = await start('initCall', { phone, code: '4821' })
    return (await outcomeOf(id)) === 'succeeded rang  rang' ? id : undefined
  },
  { timeoutMs: 60_000 },
)

test('a handset rings, fails, is busy or off over SIP, with the outcome of a real phone', async () => {
  const expected = [
    ['rings', 'succeeded rang  rang'],
    ['fails', 'failed refused 404 silent'],
    ['busy', 'failed refused 486 silent'],
    ['off', 'failed refused 480 silent'],
    ['answers', 'succeeded rang  rang'],
  ] as const
  for (const [state, outcome] of expected) {
    await set(state)
    const { vendor_id: id } = await start('initCall', { phone, code: '4821' })
    assert.equal(await outcomeOf(id), outcome, state)
    assert.equal((await callOf(id))?.answeredMs !== null, state === 'answers', state)
  }
  await set('rings')
})

test('a person declines or is busy while it rings; nothing to act on is not found', async () => {
  const act = (action: 'answer' | 'decline' | 'busy') => actOnCall(deps, live.accountId, { number: phone, action })
  await assert.rejects(act('decline'), /not-found/)
  for (const [action, status] of [
    ['decline', 603],
    ['busy', 486],
  ] as const) {
    const { vendor_id: id } = await start('initCall', { phone })
    await poll('it to ring', async () => (await stateOf(id)) === 'ringing')
    await pollUntilResolved('the handset to act', async () => {
      await act(action)
      return true
    })
    // Over within a second or not, a rejection of a ringing call succeeds.
    assert.match(await outcomeOf(id), new RegExp(`^succeeded (rejected|rang) ${status} rang$`), action)
  }
})

test('a spoken code arrives at the handset that answered, and the page shows that it talks', async () => {
  const { vendor_id: id } = await start('initCall', { phone, code: '4821', voice: 1 })
  await poll('it to ring', async () => (await stateOf(id)) === 'ringing')
  await pollUntilResolved('the handset to answer', async () => {
    await actOnCall(deps, live.accountId, { number: phone, action: 'answer' })
    return true
  })
  const recording = await record()
  await poll('it to talk', async () => (await stateOf(id)) === 'talking')
  assert.equal(await outcomeOf(id), 'succeeded spoken  rang')
  assert.notEqual((await callOf(id))?.answeredMs, null)
  const spoken = spokenDigits(recording, readPrompts(join(asterisk.site.directory, 'data/sounds/ru/digits')))
  assert.match(spoken, /4821/)
})

test('a person hangs up an answered call before the code is read; it can no longer be answered or be busy', async () => {
  const act = (action: 'answer' | 'decline' | 'busy') => actOnCall(deps, live.accountId, { number: phone, action })
  const { vendor_id: id } = await start('initCall', { phone, code: '4821', voice: 1 })
  await poll('it to ring', async () => (await stateOf(id)) === 'ringing')
  await pollUntilResolved('the handset to answer', async () => {
    await act('answer')
    return true
  })
  await poll('it to talk', async () => (await stateOf(id)) === 'talking')
  await assert.rejects(act('answer'), /not-found/)
  await assert.rejects(act('busy'), /not-found/)
  await act('decline')
  assert.match(await outcomeOf(id), /^failed hung-up-early \d* ?rang$/)
})

test('faults: it rings four seconds late, or never', async () => {
  const fault = (name: 'late-ring' | 'no-ring', isOn: boolean) =>
    setPhoneFault(deps, live.accountId, { fault: name, isOn })
  await fault('late-ring', true)
  const { vendor_id: late } = await start('initCall', { phone })
  assert.equal(await outcomeOf(late), 'succeeded rang  rang')
  const { dialledMs, rangMs } = (await callOf(late)) ?? {}
  assert(Number(rangMs) - Number(dialledMs) >= 3_900, `${rangMs} ${dialledMs}`)
  await fault('late-ring', false)
  await fault('no-ring', true)
  const { vendor_id: silent } = await start('initCall', { phone })
  assert.equal(await outcomeOf(silent), 'failed no-ringing  silent')
  await fault('no-ring', false)
})

test('a handset calls a confirmation number: its own number matches and the webhook is signed; others match nothing', async () => {
  const before = receiver.received.length
  const waiting = await start('inboundCallWaiting', { phone, callback_url: `${receiver.url}/phones` })
  const called = String(waiting['confirmation_number'])
  assert(confirmationNumbers.includes(Number(called)), called)
  const dial = (callerId: 'own' | 'withheld' | 'changed', to = called) =>
    dialFromPhone(deps, live.accountId, { number: phone, called: to, callerId })
  const outcomes = () =>
    [...output().matchAll(/"trunk":"phones","transport":"udp","outcome":"([\w-]+)"/g)].map(([, word]) => word)
  const next = async (count: number) => poll(`${count} inbound calls`, outcomes, (all) => all.length === count)

  assert.deepEqual(await dial('withheld'), { status: 486 })
  assert.deepEqual(await next(1), ['withheld'])
  assert.deepEqual(await dial('changed'), { status: 486 })
  assert.deepEqual(await next(2), ['withheld', 'no-request'])
  assert.equal((await callOf(waiting['vendor_id']))?.state, 'waiting')
  assert.deepEqual(await dial('own', '74951234567'), { status: 404 })
  await next(3)
  // Over UDP the test trunk also wants an ACK to our reply; the handset's Asterisk sends one.
  assert.deepEqual(await dial('own'), { status: 486 })
  assert.deepEqual(await next(4), ['withheld', 'no-request', 'not-ours', 'matched'])
  await receiver.count(before + 1)
  const [received] = receiver.received.slice(before)
  assert(received)
  const body = verified(own.webhookSecret, received)
  assert.deepEqual([body['clientNumber'], body['confirmationNumber']], [phone, called])
  const ended = await poll(
    'the webhook',
    () => callOf(waiting['vendor_id']),
    (call) => call?.webhooks.length === 1,
  )
  assert.deepEqual([ended?.state, ended?.confirmationNumber], ['succeeded', called])
})

test('another service gets code 3 for a scenario number, and no real trunk has seen one', async () => {
  const refused = await ask(`${base}/v1.0/initCall?phone=${phone}`, { headers: live.bearer })
  assert.deepEqual([refused.status, refused.json['code']], [400, 3])
  // The carrier does get real calls, so an empty list would prove nothing.
  const number = freshNumber('180')
  const { json } = await ask(`${base}/v1.0/initCall?phone=${number}`, { headers: live.bearer })
  await settled(base, live, json['vendor_id'])
  const invites = carrier.messages().flatMap((message) => /^INVITE sip:\+?(\d+)@/m.exec(message)?.[1] ?? [])
  assert(invites.includes(number))
  assert.deepEqual(
    invites.filter((to) => to.startsWith('7900000')),
    [],
  )
})

function makeRecordings(directory: string): void {
  mkdirSync(join(directory, 'spool/recording'), { recursive: true })
}

// Records what the answered handset receives, over ARI of the phones' Asterisk, and returns the file.
async function record(): Promise<string> {
  const { ariPort, ariUser, ariPassword, directory } = network.site
  const headers = { authorization: `Basic ${Buffer.from(`${ariUser}:${ariPassword}`).toString('base64')}` }
  const ari = `http://127.0.0.1:${ariPort}/ari/channels`
  const [channel] = await poll(
    'an answered handset',
    async () => (await (await fetch(ari, { headers })).json()) as { id: string; state: string }[],
    (channels) => channels.some(({ state }) => state === 'Up'),
  )
  const recording = await fetch(`${ari}/${channel?.id}/record?name=spoken&format=wav&ifExists=overwrite`, {
    method: 'POST',
    headers,
  })
  assert.equal(recording.status, 201, await recording.text())
  return join(directory, 'spool/recording/spoken.wav')
}
