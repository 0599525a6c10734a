// The parameters of initCall: phone, code, client, unique, voice, mix.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { assertRefused } from '../../support/http/ask.ts'
import { freshNumber } from '../../support/process/phones.ts'
import {
  assertFields,
  assertPicked,
  assertVerificationId,
  type Check,
  failingTestNumber,
  newClient,
  succeeded,
  testNumber,
} from './deployment.ts'

const startFields = ['status', 'vendor_id', 'phone', 'code', 'client']

export const startChecks: readonly Check[] = [
  {
    name: 'initCall returns ID, masked number and code, by GET and POST, for a number and a string',
    run: async (deployment) => {
      const { get, post } = await newClient(deployment)
      const responses = [
        await get('initCall', { phone: testNumber }),
        await get('initCall', { phone: `+${testNumber}` }),
        await post('initCall', { phone: testNumber }),
        await post('initCall', { phone: Number(testNumber) }),
      ]
      for (const started of responses.map(succeeded)) {
        assertFields(started, startFields)
        assertVerificationId(started['vendor_id'])
        assertPicked(started, { status: true, phone: '7900***0001', client: '' })
        assert.match(String(started['code']), /^(?!0000)\d{4}$/)
      }
    },
  },
  {
    name: 'initCall takes a code of four digits or a number up to 9999, and nothing else',
    run: async (deployment) => {
      const { post } = await newClient(deployment)
      const start = (code: unknown) => post('initCall', { phone: testNumber, code })
      for (const [code, expected] of [
        ['0360', '0360'],
        [360, '0360'],
        [1, '0001'],
        [9_999, '9999'],
      ] as const) {
        assert.equal(succeeded(await start(code))['code'], expected)
      }
      const wrong = [
        '0000',
        0,
        '36',
        '03600',
        10_000,
        -7,
        36.5,
        '3 60',
        'four',
        '３６０１',
        false,
        [360],
        { code: 360 },
      ]
      for (const code of wrong) assertRefused(await start(code), 2, 400)
    },
  },
  {
    name: 'initCall draws codes that differ',
    run: async (deployment) => {
      const { post } = await newClient(deployment)
      const codes = new Set<unknown>()
      for (let n = 0; n < 30; n++) codes.add(succeeded(await post('initCall', { phone: testNumber }))['code'])
      assert(codes.size > 20, `${codes.size} codes in 30 calls`)
    },
  },
  {
    name: 'initCall returns client as it was sent, up to 64 characters',
    run: async (deployment) => {
      const { post } = await newClient(deployment)
      const start = (client: string) => post('initCall', { phone: testNumber, client })
      for (const client of ['Ольга & Ко 🙂', 'щ'.repeat(64)]) {
        assert.equal(succeeded(await start(client))['client'], client)
      }
      assertRefused(await start('c'.repeat(65)), 2, 400)
    },
  },
  {
    name: 'initCall without a phone: code 2; with what cannot be called: code 3',
    run: async (deployment) => {
      const { post } = await newClient(deployment)
      const start = (phone: unknown) => post('initCall', { phone })
      assertRefused(await post('initCall'), 2, 400)
      const wrong = [
        'phone',
        '790700',
        '+7 907 000-01-80',
        '7907000018012345',
        '079070000180',
        '79070000180\t',
        '79070000180;1',
        '７９０７００００１８０',
        0.79,
      ]
      for (const phone of wrong) assertRefused(await start(phone), 3, 400)
      for (const phone of [null, false, [], { phone: testNumber }]) {
        const asked = await start(phone)
        assertRefused(asked, asked.json['code'] === 2 ? 2 : 3, 400)
      }
    },
  },
  {
    name: 'premium and satellite numbers are never called',
    run: async (deployment) => {
      const { post } = await newClient(deployment)
      for (const phone of ['78090000180', '881600000180']) {
        const asked = await post('initCall', { phone })
        assert([3, 9].includes(Number(asked.json['code'])), asked.text)
        assertRefused(asked, Number(asked.json['code']), asked.json['code'] === 3 ? 400 : 403)
      }
    },
  },
  {
    name: 'a country outside the geography of the service: code 9',
    run: async (deployment) => {
      const { post } = await newClient(deployment)
      assertRefused(await post('initCall', { phone: '442079460123' }), 9, 403)
    },
  },
  {
    name: 'voice and mix take the usual spellings of a boolean, and nothing else',
    run: async (deployment) => {
      const { get, post } = await newClient(deployment)
      for (const voice of ['true', 'True', '1', 'false', 'False', '0']) {
        succeeded(await get('initCall', { phone: testNumber, voice }))
        succeeded(await post('initCall', { phone: testNumber, voice }))
      }
      for (const voice of [true, false, 1, 0]) succeeded(await post('initCall', { phone: testNumber, voice }))
      for (const wrong of ['on', 2, -1, [], {}]) {
        assertRefused(await post('initCall', { phone: testNumber, voice: wrong }), 2, 400)
        assertRefused(await post('initCall', { phone: testNumber, mix: wrong }), 2, 400)
      }
    },
  },
  {
    name: 'mix is refused where it is not available, even together with voice: code 20',
    run: async (deployment) => {
      const { post } = await newClient(deployment)
      for (const more of [{}, { voice: true }]) {
        assertRefused(await post('initCall', { phone: '77000009180', mix: true, ...more }), 20, 400)
      }
    },
  },
  {
    name: 'a request with a used idempotency key returns the first verification, whatever else it asks for',
    run: async (deployment) => {
      const [own, other] = [await newClient(deployment), await newClient(deployment)]
      const unique = randomUUID()
      const first = succeeded(await own.post('initCall', { phone: testNumber, unique, client: 'first' }))
      assertFields(first, [...startFields, 'unique_request_id', 'exists'])
      assertPicked(first, { unique_request_id: unique, exists: false, client: 'first' })
      const replay = { ...first, exists: true }
      assert.deepEqual(succeeded(await own.post('initCall', { phone: testNumber, unique })), replay)
      const different = { phone: failingTestNumber, unique, code: '2222' }
      assert.deepEqual(succeeded(await own.get('initCall', different)), replay)
      const foreign = succeeded(await other.post('initCall', { phone: testNumber, unique }))
      assert.equal(foreign['exists'], false)
      assert.notEqual(foreign['vendor_id'], first['vendor_id'])
    },
  },
  {
    name: 'an idempotency key has 1 to 64 printable characters',
    run: async (deployment) => {
      const { post } = await newClient(deployment)
      const start = (unique: string) => post('initCall', { phone: testNumber, unique })
      succeeded(await start(randomUUID().padEnd(64, '-')))
      for (const wrong of ['', '-'.repeat(65), 'one\u0000two', 'one\ntwo']) assertRefused(await start(wrong), 2, 400)
    },
  },
  {
    name: 'an empty code or client is absent; an empty unique or flag is wrong, whatever else is empty',
    run: async (deployment) => {
      const { get, post } = await newClient(deployment)
      const empty = { phone: testNumber, code: '', client: '' }
      for (const started of [succeeded(await get('initCall', empty)), succeeded(await post('initCall', empty))]) {
        assert.match(String(started['code']), /^\d{4}$/)
        assert.equal(started['client'], '')
        assert(!('unique_request_id' in started))
      }
      for (const others of [{ phone: testNumber }, { phone: testNumber, code: '' }, empty]) {
        for (const name of ['unique', 'voice', 'mix']) {
          assertRefused(await get('initCall', { ...others, [name]: '' }), 2, 400)
          assertRefused(await post('initCall', { ...others, [name]: '' }), 2, 400)
        }
      }
    },
  },
  {
    name: 'verification IDs are unique, carry their second and stay in one shard for one account',
    run: async (deployment) => {
      const { post } = await newClient(deployment)
      const responses = await Promise.all(Array.from({ length: 30 }, () => post('initCall', { phone: testNumber })))
      const ids = responses.map((asked) => Number(succeeded(asked)['vendor_id']))
      assert.equal(new Set(ids).size, ids.length)
      const epochSeconds = Date.UTC(2026, 0) / 1_000
      for (const id of ids) {
        assertVerificationId(id)
        const ageSeconds = Date.now() / 1_000 - epochSeconds - Math.floor(id / 2 ** 23)
        assert(Math.abs(ageSeconds) < 120, `${id} is ${ageSeconds} s old`)
      }
      assert.equal(new Set(ids.map((id) => Math.floor(id / 2 ** 17) % 64)).size, 1)
    },
  },
  {
    name: 'a retired initRepeat is 405, with Deprecation and Sunset',
    run: async (deployment) => {
      const { get, post } = await newClient(deployment)
      const { vendor_id: uid } = succeeded(await post('initCall', { phone: freshNumber('404') }))
      for (const asked of [await get('initRepeat', { uid: String(uid) }), await post('initRepeat', { uid })]) {
        assertRefused(asked, 405, 405)
        assert(asked.headers.has('deprecation') && asked.headers.has('sunset'))
      }
    },
  },
]
