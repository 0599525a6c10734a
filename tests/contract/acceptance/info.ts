// getInfo: a verification as its service sees it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertRefused } from '../../support/http/ask.ts'
import { freshNumber } from '../../support/process/phones.ts'
import {
  assertAmount,
  assertFields,
  assertPicked,
  assertRecent,
  type Check,
  failingTestNumber,
  newClient,
  succeeded,
  testNumber,
} from './deployment.ts'

const infoFields = [
  'status',
  'vendor_id',
  'init_time',
  'call_status',
  'is_repeated',
  'repeatable',
  'client',
  'phone',
  'code',
  'country_code',
  'phone_info',
  'cost',
  'balance',
]
const repeatFields = ['first_vendor_id', 'repeat_times', 'repeated_vendor_ids']

export const infoChecks: readonly Check[] = [
  {
    name: 'getInfo of a call to the first test number: everything that was asked for, status 1, free of charge',
    run: async (deployment) => {
      const { post, ended, balance } = await newClient(deployment)
      const request = { phone: testNumber, unique: randomUUID(), client: 'Ольга', code: '0360' }
      const started = succeeded(await post('initCall', request))
      const info = await ended(started)
      assertFields(info, [...infoFields, 'unique'], repeatFields)
      assertPicked(info, {
        status: true,
        vendor_id: started['vendor_id'],
        call_status: 1,
        is_repeated: false,
        repeatable: false,
        unique: request.unique,
        client: 'Ольга',
        phone: '7900***0001',
        code: '0360',
        country_code: 'RU',
        cost: 0,
      })
      assert(Array.isArray(info['phone_info']))
      assertRecent(info['init_time'])
      assertAmount(Number(info['balance']), 100)
      assertAmount(await balance(), 100)
    },
  },
  {
    name: 'getInfo is -1 at first; the outcome never changes afterwards; no field is null',
    run: async (deployment) => {
      const { get, post, ended } = await newClient(deployment)
      const started = succeeded(await post('initCall', { phone: failingTestNumber }))
      const uid = started['vendor_id']
      assert.equal(succeeded(await get('getInfo', { uid: String(uid) }))['call_status'], -1)
      const info = await ended(started)
      assertFields(info, infoFields, repeatFields)
      assertPicked(info, { call_status: 0, cost: 0, client: '' })
      assert(!Object.values(info).includes(null))
      await sleep(1_500)
      for (const spelling of [uid, String(uid)]) {
        assert.deepEqual(succeeded(await post('getInfo', { uid: spelling })), info)
      }
    },
  },
  {
    name: 'phone_info has operator, region and mnp at most',
    run: async (deployment) => {
      const { post, ended } = await newClient(deployment)
      const info = await ended(succeeded(await post('initCall', { phone: freshNumber('404') })))
      const found = info['phone_info'] as Record<string, unknown>[]
      assert(found.length <= 1)
      for (const one of found) assertFields(one, [], ['operator', 'region', 'mnp'])
    },
  },
  {
    name: 'the ID of another service and an ID of nobody get the same response, byte for byte',
    run: async (deployment) => {
      const [own, other] = [await newClient(deployment), await newClient(deployment)]
      const uid = Number(succeeded(await own.post('initCall', { phone: testNumber }))['vendor_id'])
      const foreign = await other.get('getInfo', { uid: String(uid) })
      const unknown = await other.get('getInfo', { uid: String(uid + 3 * 2 ** 23) })
      assertRefused(foreign, 10, 404)
      assertRefused(unknown, 10, 404)
      assert.equal(foreign.text, unknown.text)
    },
  },
  {
    name: 'uid is a positive integer in plain digits that a double holds exactly',
    run: async (deployment) => {
      const { get, post } = await newClient(deployment)
      assertRefused(await get('getInfo'), 2, 400)
      for (const uid of ['9007199254740992', '12e5', '0x1f', '-12', '12.0', ' 12', '0', '012', 'uid', '١٢']) {
        assertRefused(await get('getInfo', { uid }), 2, 400)
      }
      for (const uid of [-12, 12.5, false, [12], {}, '']) assertRefused(await post('getInfo', { uid }), 2, 400)
    },
  },
]
