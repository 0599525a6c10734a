// Methods that only read: the balance, the service, the account, and what is known of a number.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertRefused } from '../../support/http/ask.ts'
import { poll } from '../../support/poll.ts'
import {
  type ApiClient,
  assertAmount,
  assertFields,
  assertPicked,
  type Check,
  newClient,
  succeeded,
  testNumber,
} from './deployment.ts'

const lookupFields = [
  'source',
  'mobile',
  'phone',
  'country_iso',
  'country_code',
  'number',
  'country',
  'phone_format',
  'cost',
  'balance',
]
const lookupOptional = ['mnc', 'provider', 'company', 'region', 'city']

// Read by GET and by POST, which must say the same.
async function bothWays({ get, post }: ApiClient, method: string): Promise<Readonly<Record<string, unknown>>> {
  const [one, other] = [succeeded(await get(method)), succeeded(await post(method))]
  assert.deepEqual(Object.keys(one), Object.keys(other))
  return one
}

export const informationChecks: readonly Check[] = [
  {
    name: 'getBalance returns the balance and the tariff',
    run: async (deployment) => {
      const balance = await bothWays(await newClient(deployment, 70), 'getBalance')
      assertFields(balance, ['status', 'rub_balance', 'tariff', 'tariff_name'])
      assertPicked(balance, { status: true, rub_balance: 70 })
      assert.equal(typeof balance['tariff'], 'string')
      assert.equal(typeof balance['tariff_name'], 'string')
    },
  },
  {
    name: 'getService returns the service and its owner',
    run: async (deployment) => {
      const client = await newClient(deployment)
      const service = await bothWays(client, 'getService')
      assertFields(service, [
        'status',
        'service_status',
        'name',
        'creation_time',
        'last_request',
        'owner',
        'use_direction',
      ])
      assertPicked(service, { status: true, service_status: client.service.serviceId })
      for (const name of ['creation_time', 'last_request']) assert(Number.isInteger(service[name]), name)
      assert.match(String(service['owner']), /^\S+@\S+$/)
    },
  },
  {
    name: 'last_request of getService moves with a call and stays with a replay of it',
    run: async (deployment) => {
      const { get, post } = await newClient(deployment)
      const lastRequest = async () => Number(succeeded(await get('getService'))['last_request'])
      const request = { phone: testNumber, unique: randomUUID() }
      assert.equal(await lastRequest(), 0)
      succeeded(await post('initCall', request))
      // It may be written late.
      await sleep(1_500)
      const before = await lastRequest()
      assert(before > 0)
      await sleep(2_500)
      assert.equal(succeeded(await post('initCall', request))['exists'], true)
      await sleep(1_500)
      const after = await lastRequest()
      assert(after - before <= 2, `moved by ${after - before} s`)
    },
  },
  {
    name: 'getAccount returns the account with at most fifty log entries',
    run: async (deployment) => {
      const account = await bothWays(await newClient(deployment), 'getAccount')
      assertFields(account, ['id', 'telegram_id', 'two_auth', 'email', 'logs', 'updated', 'created'])
      assert.deepEqual([typeof account['telegram_id'], typeof account['two_auth']], ['number', 'boolean'])
      const logs = account['logs'] as Record<string, unknown>[]
      assert(logs.length >= 1 && logs.length <= 50, `${logs.length} entries`)
      for (const entry of logs) {
        assertFields(entry, ['action', 'user_agent', 'ip', 'created'])
        assert.equal(typeof entry['ip'], 'string')
      }
    },
  },
  {
    name: 'updated of getAccount moves with a call and with a lookup, and stays while the account only reads',
    run: async (deployment) => {
      const { get, post } = await newClient(deployment)
      const updated = async () => Number(succeeded(await get('getAccount'))['updated'])
      let before = await updated()
      for (const method of ['initCall', 'checkPhone']) {
        // Times are whole seconds.
        await sleep(1_100)
        assert.equal(await updated(), before, 'a reading moves nothing')
        succeeded(await post(method, { phone: testNumber }))
        const moved = await poll('updated to move', updated, (now) => now > before)
        assert.equal(moved, succeeded(await get('getService'))['last_request'])
        before = moved
      }
    },
  },
  {
    name: 'checkPhone reads a number however it is written',
    run: async (deployment) => {
      const { get, post } = await newClient(deployment)
      const expected = { mobile: 1, phone: 79070000123, country_iso: 'RU', country_code: 7, number: 9070000123 }
      for (const source of ['+7 (907) 000-01-23', '8 907 000 01 23', '79070000123', '0079070000123']) {
        for (const asked of [await get('checkPhone', { phone: source }), await post('checkPhone', { phone: source })]) {
          const lookup = succeeded(asked)
          assertFields(lookup, lookupFields, lookupOptional)
          assertPicked(lookup, { source, ...expected })
          assert(Number(lookup['cost']) > 0)
        }
      }
    },
  },
  {
    name: 'checkPhone distinguishes countries and landlines; company, region and city are for Russia only',
    run: async (deployment) => {
      const { get } = await newClient(deployment)
      const cases = [
        ['+7 700 000 01 23', 'KZ', 77000000123, 1],
        ['8 (495) 000-01-23', 'RU', 74950000123, 0],
        ['+44 20 7946 0123', 'GB', 442079460123, 0],
        ['+375 29 100-00-23', 'BY', 375291000023, 1],
      ] as const
      for (const [source, country, phone, mobile] of cases) {
        const lookup = succeeded(await get('checkPhone', { phone: source }))
        assertPicked(lookup, { source, country_iso: country, phone, mobile })
        if (country === 'RU') continue
        for (const name of ['company', 'region', 'city']) assert.equal(lookup[name] ?? '', '', `${source}: ${name}`)
      }
    },
  },
  {
    name: 'checkPhone of an invalid number reports it and costs nothing',
    run: async (deployment) => {
      const { get, balance } = await newClient(deployment)
      const before = await balance()
      for (const source of ['call me', '7 907', '+7907000012345678', '0']) {
        const lookup = succeeded(await get('checkPhone', { phone: source }))
        assertFields(lookup, ['source', 'error', 'cost', 'balance'], [...lookupFields, ...lookupOptional])
        assertPicked(lookup, { source, cost: 0 })
        assert.equal(typeof lookup['error'], 'string')
      }
      assertRefused(await get('checkPhone'), 2, 400)
      assertAmount(await balance(), before)
    },
  },
  {
    name: 'checkPhone charges what it says, and returns the balance after it',
    run: async (deployment) => {
      const { get, balance } = await newClient(deployment)
      const before = await balance()
      const lookup = succeeded(await get('checkPhone', { phone: '79070000123' }))
      assertAmount(Number(lookup['balance']), before - Number(lookup['cost']))
      assertAmount(await balance(), before - Number(lookup['cost']))
    },
  },
]
