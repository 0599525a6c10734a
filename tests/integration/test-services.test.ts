// Test services and virtual phones: who may call which number, that nothing is charged, and how the calls go where no handset
// is real.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPhones, setFault, setPhoneState } from '../../server/src/db/phones/virtual-phone.ts'
import { insertConfirmationNumber } from '../../server/src/db/trunks/confirmation-number.ts'
import { putTrunk, readTrunks } from '../../server/src/db/trunks/trunk.ts'
import { readVerification } from '../../server/src/db/verifications/verification.ts'
import { type ServiceId, slotOfVerification, type VerificationId } from '../../server/src/domain/core/slot.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import { slotOfNth } from '../../server/src/domain/trunks/confirmation-number.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { ringproof, ringproofJson } from '../support/process/cli.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'

const installation = await installPhones(0.1, 2)
const { slots, environment } = installation
const { globalDatabase } = slots
const { base } = await serve(installation)
const live = await makeService(installation)
const own = await makeTestService(live)
const phone = await phoneOf(live)

async function makeTestService({ accountId }: TestService): Promise<TestService> {
  const created = ['services', 'create', '--account', String(accountId), '--name', 'Shop', '--test'] as const
  const made = await ringproofJson<{ service_id: ServiceId; key: string; webhook_secret: string }>(
    environment,
    ...created,
  )
  const { service_id: serviceId, key, webhook_secret: webhookSecret } = made
  return { accountId, serviceId, key, webhookSecret, bearer: { authorization: `Bearer ${key}.${serviceId}` } }
}

async function phoneOf({ accountId }: TestService): Promise<PhoneNumber> {
  const number = await addPhones(globalDatabase, accountId, { count: 1, max: 8 })
  assert(number)
  return number
}

async function call(service: TestService, to: string, more: object = {}) {
  return ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body: { phone: to, ...more } })
}

async function verificationOf(id: unknown) {
  const verificationId = Number(id) as VerificationId
  const verification = await readVerification(slots.databaseOf(slotOfVerification(verificationId)), verificationId)
  assert(verification)
  return verification
}

test('a test service calls its own virtual phones and the test numbers, and is charged nothing', async () => {
  const balance = async () => (await ask(`${base}/v1.0/getBalance`, { headers: own.bearer })).json['rub_balance']
  const before = await balance()
  for (const number of [phone, '79000000001']) {
    const { json } = await call(own, number, { code: '4821' })
    const info = await settled(base, own, json['vendor_id'])
    assert.deepEqual([info['call_status'], info['cost']], [1, 0], number)
    const { isTest, price, trunk, callerNumber, rangAt, reason } = await verificationOf(json['vendor_id'])
    assert.deepEqual([isTest, price, trunk, callerNumber, reason], [true, 0, 'test', 70000004821, 'rang'], number)
    assert(rangAt)
  }
  assert.equal(await balance(), before)
})

test('every other pair of service and number gets code 3 with its reason', async () => {
  const stranger = await makeService(installation)
  const foreign = await phoneOf(stranger)
  const free = phone.endsWith('9999') ? '79000001000' : '79000009999'
  const cases: readonly (readonly [TestService, string, RegExp])[] = [
    [own, freshNumber('180'), /a test service calls only test numbers/],
    [own, foreign, /a test service calls only test numbers/],
    [own, free, /a test service calls only test numbers/],
    [live, phone, /only a test service calls/],
    [stranger, foreign, /only a test service calls/],
  ]
  for (const [service, number, reason] of cases) {
    const refused = await call(service, number)
    assert.deepEqual([refused.status, refused.json['code']], [400, 3], number)
    assert.match(String(refused.json['error']), reason)
    const body = { phone: number, callback_url: 'http://127.0.0.1:9/' }
    const waiting = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: service.bearer, body })
    assert.deepEqual([waiting.status, waiting.json['code']], [400, 3], number)
  }
})

test('the state of a virtual phone and the faults of its account decide the next call', async () => {
  const { accountId } = own
  const next = async (mode: 'flash' | 'voice' = 'flash') => {
    const { json, text } = await call(own, phone, mode === 'voice' ? { voice: 1 } : {})
    assert(json['vendor_id'], text)
    await settled(base, own, json['vendor_id'])
    return verificationOf(json['vendor_id'])
  }
  const expected = [
    ['rings', 'succeeded', 'rang', null],
    ['answers', 'succeeded', 'rang', null],
    ['fails', 'failed', 'refused', 404],
    ['busy', 'failed', 'refused', 486],
    ['off', 'failed', 'refused', 480],
  ] as const
  for (const [state, ...outcome] of expected) {
    assert(await setPhoneState(globalDatabase, accountId, phone, state))
    const ended = await next()
    assert.deepEqual([ended.state, ended.reason, ended.sipStatus], outcome, state)
    assert.equal(ended.rangAt !== null, ended.state === 'succeeded', state)
  }
  await setPhoneState(globalDatabase, accountId, phone, 'answers')
  const spoken = await next('voice')
  assert.deepEqual([spoken.reason, spoken.callerNumber], ['spoken', 70000000000])
  const answeredAt = async () => {
    const database = slots.databaseOf(slotOfVerification(spoken.id))
    return (await database.query('SELECT answered_at FROM verifications WHERE id = $1', [spoken.id])).rows[0]
      ?.answered_at
  }
  assert((await answeredAt()) instanceof Date)

  await setPhoneState(globalDatabase, accountId, phone, 'rings')
  await setFault(globalDatabase, accountId, 'no-ring', true)
  const silent = await next()
  assert.deepEqual([silent.state, silent.reason, silent.rangAt], ['failed', 'no-ringing', null])
  await setFault(globalDatabase, accountId, 'no-ring', false)
  assert.equal((await next()).reason, 'rang')
})

test('a retry with the same idempotency key rings a virtual phone once', async () => {
  const unique = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const [first, second] = [await call(own, phone, { unique }), await call(own, phone, { unique })]
  assert.deepEqual([second.json['vendor_id'], second.json['exists']], [first.json['vendor_id'], true])
  await settled(base, own, first.json['vendor_id'])
})

test('only the test trunk is given a call to a virtual phone, and no second test trunk can be set', async () => {
  const trunks = ['trunks', 'add', 'phones', '--channels', '5', '--calls-per-second', '5', '--test', 'on'] as const
  await ringproofJson(environment, ...trunks)
  const other = (await readTrunks(globalDatabase)).find(({ isTest }) => !isTest)
  assert(other)
  const second = await ringproof(environment, 'trunks', 'set', other.name, '--test', 'on')
  assert.match(second.err, /phones is the test trunk already/)
  await assert.rejects(putTrunk(globalDatabase, { ...other, isTest: true }), /trunks_one_test/)
  const trunkOf = async (service: TestService, number: string) => {
    const { json, text } = await call(service, number)
    assert(json['vendor_id'], text)
    await settled(base, service, json['vendor_id'])
    return (await verificationOf(json['vendor_id'])).trunk
  }
  // Every process applies it within a second.
  await poll('the call to go over the test trunk', async () => (await trunkOf(own, phone)) === 'phones')
  assert.equal(await trunkOf(live, freshNumber('180')), 'first')
  assert.equal(await trunkOf(own, '79000000001'), 'test')
  const tested = await ringproof(environment, 'trunks', 'test', other.name, '--to', phone)
  assert.match(tested.err, /Virtual phones are reached only over the test trunk/)
})

test('over the test trunk a virtual phone matches requests of test services; no other caller matches anything', async () => {
  for (let n = 0; n < 4; n++) await insertConfirmationNumber(globalDatabase, 70000300001 + n, 'phones', slotOfNth(n))
  for (const trunk of (await readTrunks(globalDatabase)).filter(({ isTest }) => !isTest)) {
    await putTrunk(globalDatabase, { ...trunk, isOn: false })
  }
  const wait = async (to: string) => {
    const body = { phone: to, callback_url: 'http://127.0.0.1:9/' }
    const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: own.bearer, body })
    return String(asked.json['confirmation_number'])
  }
  // Without a carrier, a test number is given one of the test trunk too; every process applies that within a second.
  const ofTestNumber = await poll(
    'a number of the test trunk',
    () => wait('79000000002'),
    (to) => to.startsWith('700003'),
  )
  const ofPhone = await wait(phone)
  assert.match(ofPhone, /^700003/)
  const { call: callIn, phones, outcomes } = await createInboundCalls(installation)
  const next = async (calling: Promise<unknown>) => {
    const count = outcomes.length
    await calling
    return (
      await poll(
        'the call to be evaluated',
        () => outcomes,
        (all) => all.length > count,
      )
    ).at(-1)
  }
  assert.equal(await next(callIn('79000000002', ofTestNumber)), 'no-request')
  assert.equal(await next(callIn(freshNumber('180'), ofPhone)), 'no-request')
  assert.equal(await next(phones.callIn({ trunk: 'first', called: `+${ofPhone}`, from: `+${phone}` })), 'wrong-trunk')
  assert.equal(await next(callIn(phone, ofPhone)), 'matched')
  assert.equal(await next(callIn(phone, ofPhone)), 'no-request')
})
