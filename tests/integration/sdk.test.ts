// The SDK against the real server.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import * as client from '../../sdk/src/client.ts'
import { blockAccount } from '../../server/src/actions/accounts/accounts.ts'
import { setService } from '../../server/src/actions/accounts/services.ts'
import type { ServiceSettingName } from '../../server/src/domain/accounts/service.ts'
import { atEnd } from '../support/at-end.ts'
import { asOwner } from '../support/database/test-database.ts'
import { createLostResponse } from '../support/http/lost-response.ts'
import { createReceiver } from '../support/http/webhook-receiver.ts'
import { freshNumber, installPhones, prices } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'

const installation = await installPhones(0.3)
const served = await serve(installation)
const network = await createLostResponse(served.base)
const receiver = await createReceiver()
atEnd(receiver.close)
const { slots } = installation
const actor = { address: 'test', userAgent: '' }

const clientOf = ({ key, serviceId }: TestService, rest: Partial<client.RingproofOptions> = {}) =>
  new client.Ringproof({ baseUrl: served.base, key, serviceId, ...rest })
const set = ({ serviceId }: TestService, texts: Partial<Record<ServiceSettingName, string>>) =>
  setService({ slots }, actor, { serviceId, texts })

// What the database has for a service: verifications, dials, charges.
async function record({
  accountId,
  serviceId,
}: TestService): Promise<{ calls: number; dialled: number; cost: number }> {
  return asOwner(async (database) => {
    const { rows } = await database.query<{ calls: number; dialled: number }>(
      'SELECT count(*)::int AS calls, coalesce(sum(attempt), 0)::int AS dialled FROM verifications WHERE service_id = $1',
      [serviceId],
    )
    const paid = await database.query<{ cost: string }>(
      `SELECT coalesce(sum(amount), 0) AS cost FROM ledger WHERE account_id = $1 AND from_account = 'available'`,
      [accountId],
    )
    return { calls: rows[0]?.calls ?? 0, dialled: rows[0]?.dialled ?? 0, cost: Number(paid.rows[0]?.cost) }
  }, installation.database.ownerUrl)
}

test('start and wait return a call that succeeded and one that failed', async () => {
  const ringproof = clientOf(await makeService(installation))
  for (const [phone, status, cost] of [
    [freshNumber('180'), 1, prices.flash / 1e6],
    [freshNumber('404'), 0, 0],
    ['79000000001', 1, 0],
    ['79000000002', 0, 0],
  ] as const) {
    const started = await ringproof.initCall({ phone, client: 'user-17' })
    assert.match(started.code, /^\d{4}$/)
    assert.equal(started.exists, false)
    const result = await ringproof.waitForResult(started.vendor_id)
    assert.deepEqual([result.call_status, result.cost, result.client], [status, cost, 'user-17'], phone)
  }
})

test('a connection cut after sending gives one call and one charge, and the retry returns the existing call', async () => {
  const service = await makeService(installation)
  const ringproof = clientOf(service, { baseUrl: network.base })
  const lostBefore = network.lost()
  network.cut(1)
  const started = await ringproof.initCall({ phone: freshNumber('180') })
  assert.equal(network.lost() - lostBefore, 1)
  assert.equal(started.exists, true)
  assert.equal((await ringproof.waitForResult(started.vendor_id)).call_status, 1)
  assert.deepEqual(await record(service), { calls: 1, dialled: 1, cost: prices.flash })
  assert.equal((await ringproof.getBalance()).rub_balance, 100 - prices.flash / 1e6)
})

test('a retry with the idempotency key of a failed request does not start a second call', async () => {
  const service = await makeService(installation)
  const ringproof = clientOf(service, { baseUrl: network.base })
  const phone = freshNumber('180')
  network.cut(3)
  const failure = await ringproof.initCall({ phone }).catch((error: unknown) => error)
  assert(failure instanceof client.ConnectionError)
  const started = await ringproof.initCall({ phone, unique: failure.unique })
  assert.equal(started.exists, true)
  assert.equal(started.unique_request_id, failure.unique)
  await ringproof.waitForResult(started.vendor_id)
  assert.deepEqual(await record(service), { calls: 1, dialled: 1, cost: prices.flash })
})

test('a lost lookup is not retried, because it would be charged twice', async () => {
  const service = await makeService(installation)
  const ringproof = clientOf(service, { baseUrl: network.base })
  const before = await record(service)
  network.cut(1)
  await assert.rejects(ringproof.checkPhone({ phone: '79070000001' }), client.ConnectionError)
  const after = await record(service)
  assert.equal(after.cost - before.cost, 100_000)
})

test('the information methods return their typed fields', async () => {
  const service = await makeService(installation)
  const ringproof = clientOf(service)
  assert.equal((await ringproof.getService()).service_status, service.serviceId)
  assert.equal((await ringproof.getAccount()).id, service.accountId)
  assert.deepEqual((await ringproof.getBalance()).rub_balance, 100)
  const checked = await ringproof.checkPhone({ phone: '8 (900) 000-00-01' })
  assert(!('error' in checked))
  assert.equal(checked.phone, 79000000001)
  const none = await ringproof.checkPhone({ phone: 'not a number' })
  assert('error' in none && none.cost === 0)
})

test('a blocked address is bypassed by the alternative one, if configured and allowed', async () => {
  const [service, careful] = [await makeService(installation), await makeService(installation)]
  await set(careful, { 'plain-http': 'off' })
  const blocked = { baseUrl: `http://127.0.0.1:${await freePort()}` }
  const passed = { ...blocked, plainHttpUrl: served.alternative }
  await assert.rejects(clientOf(service, blocked).getBalance(), client.ConnectionError)
  assert.equal((await clientOf(service, passed).getBalance()).status, true)
  await assertThrown(client.AddressNotAllowedError, () => clientOf(careful, passed).getBalance())
})

// The compiler requires every field of the type, and the test every field that is sent.
const inboundCallFields = Object.keys({
  callId: true,
  callbackLink: true,
  clientNumber: true,
  confirmationNumber: true,
  isMnp: true,
  operatorName: true,
  operatorNameMnp: true,
  regionName: true,
} satisfies Record<keyof client.InboundCall, true>)

test('an inbound verification: its webhook is accepted, a changed one is not', async () => {
  const service = await makeService(installation)
  const ringproof = clientOf(service)
  const request = { phone: '79000000001', callback_url: receiver.url }
  const { vendor_id: id, confirmation_number: number } = await ringproof.inboundCallWaiting(request)
  const { call_status: status, code } = await ringproof.waitForResult(id)
  assert.deepEqual([status, code], [1, undefined])
  await receiver.count(1)
  const [received] = receiver.received
  assert(received)
  const call = await client.webhooks.verify(received.body, received.headers, service.webhookSecret)
  assert.deepEqual([call.callId, call.clientNumber, call.confirmationNumber], [String(id), '79000000001', number])
  assert.deepEqual(Object.keys(call), inboundCallFields)
  const forged = received.body.replace('79000000001', '79000000002')
  const unbelieved = client.WebhookVerificationError
  await assert.rejects(client.webhooks.verify(forged, received.headers, service.webhookSecret), unbelieved)
  const { webhookSecret: another } = await makeService(installation)
  await assert.rejects(client.webhooks.verify(received.body, received.headers, another), unbelieved)
})

// A setting, and the error class that every call then throws.
const switches: [refused: typeof client.ApiError, change: (service: TestService) => Promise<unknown>][] = [
  [client.ServiceOffError, (service) => set(service, { state: 'off' })],
  [client.ServiceArchivedError, (service) => set(service, { state: 'archived' })],
  [client.AddressNotAllowedError, (service) => set(service, { addresses: '203.0.113.0/24' })],
  [client.AccountBlockedError, ({ accountId }) => blockAccount({ slots }, actor, { accountId, blocked: true })],
  [client.PhoneNotVerifiedError, mustVerifyPhone],
  [client.CountryNotAllowedError, (service) => set(service, { geography: 'KZ' })],
  [client.CapReachedError, (service) => set(service, { 'spend-day-max': '0.01' })],
]
for (const [refused, change] of switches) {
  test(`the setting throws ${refused.name}, in either status style`, async () => {
    for (const style of ['class', 'ok']) {
      const service = await makeService(installation)
      await set(service, { 'status-style': style })
      await change(service)
      await assertThrown(refused, () => clientOf(service).initCall({ phone: freshNumber('180') }))
    }
  })
}

test('each invalid request throws its error class', async () => {
  const service = await makeService(installation)
  const ringproof = clientOf(service)
  const phone = freshNumber('180')
  await ringproof.initCall({ phone })
  const ways: [refused: typeof client.ApiError, call: () => Promise<unknown>][] = [
    [client.ParameterError, () => ringproof.initCall({ phone, code: '0000' })],
    [client.PhoneNumberError, () => ringproof.initCall({ phone: '12' })],
    [client.CooldownError, () => ringproof.initCall({ phone })],
    [client.UnknownVerificationError, () => ringproof.getInfo({ uid: 1 })],
    [client.NotSupportedError, () => ringproof.initRepeat({ uid: 1 })],
    [
      client.InsufficientFundsError,
      async () => clientOf(await makeService(installation, 0)).initCall({ phone: freshNumber('180') }),
    ],
    [client.AuthenticationError, () => clientOf({ ...service, key: randomUUID().replaceAll('-', '') }).getBalance()],
  ]
  for (const [refused, call] of ways) await assertThrown(refused, call)
})

// No CLI command sets this yet.
async function mustVerifyPhone({ accountId }: TestService): Promise<void> {
  await asOwner(
    (database) => database.query('UPDATE accounts SET must_verify_phone = true WHERE id = $1', [accountId]),
    installation.database.ownerUrl,
  )
}

async function assertThrown(refused: typeof client.ApiError, call: () => Promise<unknown>): Promise<void> {
  const error = await call().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert(error instanceof refused, `${refused.name}, and not ${String(error)}`)
  assert.match(error.requestId, /^[0-9a-f-]{36}$/)
  assert(error.message.length > 0)
}
