// The actions behind the handsets: phones of an account, their calls with webhooks, states, faults and what needs a real handset.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type WebError, webApi } from '@ringproof/contract/web/api.ts'
import { Value } from 'typebox/value'
import { createService } from '../../server/src/actions/accounts/services.ts'
import { listPhoneCalls } from '../../server/src/actions/phones/list-phone-calls.ts'
import { addPhone, dialFromPhone, setPhone, setPhoneFault } from '../../server/src/actions/phones/phones.ts'
import { actOnCall } from '../../server/src/actions/verifications/calls.ts'
import { putTrunk } from '../../server/src/db/trunks/trunk.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import type { AccountId } from '../../server/src/domain/core/slot.ts'
import type { CommandPhone, PhoneCommand } from '../../server/src/domain/phones/virtual-phone.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { Denial } from '../../server/src/process/errors.ts'
import { namedKeys, readSecrets } from '../../server/src/process/secrets.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd, verified } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones, prices, settled } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'

const installation = await installPhones(0.2, 2)
const { slots, environment, recordKeys } = installation
const keys = namedKeys(readSecrets(String(environment['RINGPROOF_SECRETS_DIR'])))
const deps = { slots, keys, nowSeconds: () => Date.now() / 1_000 }
const changed: string[] = []
const noteChange = (accountId: AccountId, topic: string) => void changed.push(`${accountId} ${topic}`)
const changing = { slots, noteChange }
const { base } = await serve(installation)
const account = await makeService(installation)
const own = await makeTestService()
const receiver = await createReceiverToTheEnd()

async function makeTestService(): Promise<TestService> {
  const { accountId } = account
  const command = { accountId, name: 'Staging', isTest: true }
  const creating = { slots, recordKeys, randomBytes, newServiceCaps: noCaps }
  const made = await createService(creating, { address: 'test', userAgent: '' }, command)
  return { accountId, ...made, bearer: { authorization: `Bearer ${made.key}.${made.serviceId}` } }
}

async function page(accountId = account.accountId) {
  const shown = await listPhoneCalls(deps, accountId)
  assert(Value.Check(webApi.phones.output, shown), JSON.stringify([...Value.Errors(webApi.phones.output, shown)]))
  return shown
}

function denied(error: WebError) {
  return (thrown: unknown) => thrown instanceof Denial && thrown.error === error
}

async function start(method: 'initCall' | 'inboundCallWaiting', service: TestService, body: object): Promise<number> {
  const asked = await ask(`${base}/v1.0/${method}`, { method: 'POST', headers: service.bearer, body })
  assert.equal(asked.status, 200, asked.text)
  return Number(asked.json['vendor_id'])
}

test('without real handsets an account has the two test numbers, and gets its own scenario numbers, up to eight', async () => {
  const fixed = [
    { number: '79000000001', state: 'rings', isReal: false },
    { number: '79000000002', state: 'fails', isReal: false },
  ]
  assert.deepEqual(await page(), { phones: fixed, calls: [], faults: [], areReal: false })
  const other = await makeService(installation)
  const added = await Promise.allSettled(Array.from({ length: 10 }, () => addPhone(changing, account.accountId)))
  const numbers = added.flatMap((one) => (one.status === 'fulfilled' ? one.value.number : []))
  const [refused] = added.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  assert(refused instanceof Denial && refused.error === 'too-many')
  assert.deepEqual([new Set(numbers).size, numbers.length], [8, 8])
  assert(numbers.every((number) => /^7900000[1-9]\d{3}$/.test(number)))
  const foreign = await addPhone(changing, other.accountId)
  assert(!numbers.includes(foreign.number))
  assert.equal((await page()).phones.length, 10)
  assert.equal((await page(other.accountId)).phones.length, 3)
  assert.deepEqual(changed, [...numbers.map(() => `${account.accountId} phones`), `${other.accountId} phones`])
})

test('a call is shown from its start to its end: caller ID, code, times, what it would have cost', async () => {
  const [, , phone] = (await page()).phones
  assert(phone)
  const id = await start('initCall', own, { phone: phone.number, code: '4821' })
  const ringing = await poll(
    'the call to ring',
    async () => (await page()).calls[0],
    (call) => call?.state === 'ringing',
  )
  assert.deepEqual(
    [ringing?.id, ringing?.number, ringing?.mode, ringing?.callerNumber, ringing?.code, ringing?.serviceName],
    [id, phone.number, 'flash', '70000004821', '4821', 'Staging'],
  )
  assert.deepEqual([ringing?.endedMs, ringing?.answeredMs, ringing?.reason], [null, null, null])
  await settled(base, own, id)
  const [ended] = (await page()).calls
  assert(ended)
  assert.deepEqual([ended.state, ended.reason, ended.price], ['succeeded', 'rang', prices.flash / 1e6])
  const { dialledMs, rangMs, endedMs } = ended
  assert(dialledMs !== null && rangMs !== null && endedMs !== null && dialledMs <= rangMs && rangMs < endedMs)
  // Calls to real numbers, and test calls of others, are not on the page.
  const stranger = await makeService(installation)
  await start('initCall', account, { phone: freshNumber('180') })
  await start('initCall', stranger, { phone: '79000000001' })
  assert.deepEqual(
    (await page()).calls.map((call) => call.id),
    [id],
  )
  assert.deepEqual((await page(stranger.accountId)).calls[0]?.number, '79000000001')
})

test('an inbound request waits, succeeds, and shows every delivery of its webhook; a fault delivers it twice', async () => {
  await setPhoneFault(changing, account.accountId, { fault: 'webhook-twice', isOn: true })
  assert.deepEqual((await page()).faults, ['webhook-twice'])
  const before = receiver.received.length
  const body = { phone: '79000000001', callback_url: `${receiver.url}/twice` }
  const id = await start('inboundCallWaiting', own, body)
  const [waiting] = (await page()).calls
  assert.deepEqual([waiting?.id, waiting?.state, waiting?.callerNumber], [id, 'waiting', null])
  assert.match(waiting?.confirmationNumber ?? '', /^\d{11}$/)
  assert(waiting?.expiresMs && waiting.expiresMs > 0)
  await receiver.count(before + 2)
  const both = receiver.received.slice(before)
  for (const received of both) verified(own.webhookSecret, received)
  assert.equal(new Set(both.map(({ headers }) => headers['webhook-id'])).size, 1)
  const ended = await poll(
    'both attempts',
    async () => (await page()).calls[0],
    (call) => call?.webhooks.length === 2,
  )
  assert.deepEqual([ended?.state, ended?.webhooks.map(({ status }) => status)], ['succeeded', [204, 204]])

  await setPhoneFault(changing, account.accountId, { fault: 'webhook-twice', isOn: false })
  const once = await start('inboundCallWaiting', own, body)
  await receiver.count(before + 3)
  const delivered = async () => {
    const database = slots.databaseOf((account.accountId % 64) as never)
    return (await database.query('SELECT state, attempts FROM webhooks WHERE id = $1', [once])).rows
  }
  assert.deepEqual(await poll('it to be recorded', delivered, ([row]) => row?.state !== 'due'), [
    { state: 'delivered', attempts: 1 },
  ])
})

test('a changed caller ID is shown instead of the one that was sent', async () => {
  const [, , phone] = (await page()).phones
  assert(phone)
  await setPhoneFault(changing, account.accountId, { fault: 'changed-caller', isOn: true })
  const id = await start('initCall', own, { phone: phone.number, code: '4821' })
  await settled(base, own, id)
  const [call] = (await page()).calls
  assert.deepEqual([call?.id, call?.callerNumber, call?.code], [id, '70000005932', '4821'])
  await setPhoneFault(changing, account.accountId, { fault: 'changed-caller', isOn: false })
})

test('a phone is set, and acts and dials, only for its own account', async () => {
  const stranger = await makeService(installation)
  const [, , phone] = (await page()).phones
  assert(phone)
  const { number } = phone
  await assert.rejects(setPhone(changing, stranger.accountId, { number, state: 'busy' }), denied('not-found'))
  const fixed = { number: '79000000002', state: 'rings' } as const
  await assert.rejects(setPhone(changing, account.accountId, fixed), denied('not-found'))
  await setPhone(changing, account.accountId, { number, state: 'busy' })
  assert.equal((await page()).phones[2]?.state, 'busy')

  const commands: PhoneCommand[] = []
  const driven =
    (status: number | undefined): CommandPhone =>
    async (command) => {
      commands.push(command)
      return status === undefined ? undefined : { status }
    }
  const act = (accountId: AccountId, status: number | undefined) =>
    actOnCall({ slots, commandPhone: driven(status) }, accountId, { number, action: 'decline' })
  await act(account.accountId, 200)
  await assert.rejects(act(account.accountId, 404), denied('not-found'))
  await assert.rejects(act(account.accountId, undefined), denied('unavailable'))
  assert.equal(commands.length, 3)
  await assert.rejects(act(stranger.accountId, 200), denied('not-found'))
  const dial = (accountId: AccountId, status: number | undefined) =>
    dialFromPhone({ slots, commandPhone: driven(status) }, accountId, {
      number,
      called: '74990000001',
      callerId: 'own',
    })
  assert.deepEqual(await dial(account.accountId, 486), { status: 486 })
  await assert.rejects(dial(account.accountId, undefined), denied('unavailable'))
  await assert.rejects(dial(stranger.accountId, 486), denied('not-found'))
  assert.equal(commands.length, 5, 'no command is sent for a phone of another account')
})

test('where handsets are real, every account has two phones from the first read on', async () => {
  const fresh = await makeService(installation)
  await putTrunk(slots.globalDatabase, {
    ...trunkDefaults,
    name: 'phones',
    isTest: true,
    channels: 5,
    callsPerSecond: 5,
  })
  const [first, second] = await Promise.all([page(fresh.accountId), page(fresh.accountId)])
  assert.equal(first.areReal, true)
  assert.deepEqual(
    first.phones.map(({ isReal }) => isReal),
    [false, false, true, true],
  )
  assert.deepEqual(first.phones, second.phones)
})
