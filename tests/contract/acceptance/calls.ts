// What becomes of a call, what it costs, and the limits of one number.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertRefused } from '../../support/http/ask.ts'
import { freshNumber } from '../../support/process/phones.ts'
import { assertAmount, assertPicked, type Check, newClient, succeeded, testNumber } from './deployment.ts'

const masked = (phone: string) => `${phone.slice(0, 4)}***${phone.slice(-4)}`

export const callChecks: readonly Check[] = [
  {
    name: 'a call that rings succeeds and is charged; no response shows the number',
    run: async (deployment) => {
      const { post, ended, balance } = await newClient(deployment)
      const before = await balance()
      const phone = freshNumber('180')
      const started = succeeded(await post('initCall', { phone, client: 'paying' }))
      const info = await ended(started)
      assertPicked(info, { call_status: 1, phone: masked(phone), client: 'paying' })
      assert(Number(info['cost']) > 0)
      assertAmount(Number(info['balance']), before)
      assertAmount(await balance(), before - Number(info['cost']))
      assert.doesNotMatch(JSON.stringify([started, info]), new RegExp(phone))
    },
  },
  {
    name: 'a call that is rejected without ringing fails and costs nothing',
    run: async (deployment) => {
      const { post, ended, balance } = await newClient(deployment)
      const before = await balance()
      const starts = await Promise.all(
        ['404', '486'].map((scenario) => post('initCall', { phone: freshNumber(scenario) })),
      )
      for (const started of starts) assertPicked(await ended(succeeded(started)), { call_status: 0, cost: 0 })
      assertAmount(await balance(), before)
    },
  },
  {
    name: 'voice succeeds when the call is answered, in Kazakhstan too; mix has its own price',
    run: async (deployment) => {
      const { post, ended } = await newClient(deployment)
      const [flash, mix, kazakh] = await Promise.all([
        post('initCall', { phone: freshNumber('180') }),
        post('initCall', { phone: freshNumber('200'), mix: true }),
        post('initCall', { phone: `7700${freshNumber('200').slice(4)}`, voice: true }),
      ])
      const infos = await Promise.all([flash, mix, kazakh].map((asked) => ended(succeeded(asked))))
      assert.deepEqual(
        infos.map((info) => info['call_status']),
        [1, 1, 1],
      )
      assert.equal(infos[2]?.['country_code'], 'KZ')
      assert.notEqual(infos[0]?.['cost'], infos[1]?.['cost'])
    },
  },
  {
    name: 'twenty calls at once: the balance falls by exactly the sum of their costs',
    run: async (deployment) => {
      const { post, ended, balance } = await newClient(deployment)
      const scenarios = Array.from({ length: 5 }, () => ['180', '404', '486', '200']).flat()
      const before = await balance()
      const starts = await Promise.all(scenarios.map((scenario) => post('initCall', { phone: freshNumber(scenario) })))
      const infos = await Promise.all(starts.map((asked) => ended(succeeded(asked))))
      assert.deepEqual(
        infos.map((info) => info['call_status']),
        scenarios.map((scenario) => (scenario === '180' || scenario === '200' ? 1 : 0)),
      )
      assertAmount(await balance(), before - infos.reduce((sum, info) => sum + Number(info['cost']), 0))
    },
  },
  {
    name: 'fifty requests at once with one idempotency key: one verification, one charge',
    run: async (deployment) => {
      const { post, ended, balance } = await newClient(deployment)
      const before = await balance()
      const request = { phone: freshNumber('180'), unique: randomUUID() }
      const responses = await Promise.all(Array.from({ length: 50 }, () => post('initCall', request)))
      const starts = responses.map(succeeded)
      assert.equal(new Set(starts.map(({ vendor_id, code }) => `${String(vendor_id)} ${String(code)}`)).size, 1)
      assert.equal(starts.filter(({ exists }) => exists === false).length, 1)
      const info = await ended(starts[0] ?? {})
      assert.equal(info['call_status'], 1)
      assertAmount(await balance(), before - Number(info['cost']))
    },
  },
  {
    name: 'an account without money: code 1002, and test numbers still work',
    run: async (deployment) => {
      const { post } = await newClient(deployment, 0)
      assertRefused(await post('initCall', { phone: freshNumber('180') }), 1002, 402)
      succeeded(await post('initCall', { phone: testNumber }))
    },
  },
  {
    name: 'a refused request uses up neither its idempotency key nor money nor the limit of the number',
    run: async (deployment) => {
      const [poor, rich] = [await newClient(deployment, 0), await newClient(deployment)]
      const phone = freshNumber('180')
      const unique = randomUUID()
      assertRefused(await poor.post('initCall', { phone, unique }), 1002, 402)
      assertAmount(await poor.balance(), 0)
      assert.equal(succeeded(await poor.post('initCall', { phone: testNumber, unique }))['exists'], false)
      succeeded(await rich.post('initCall', { phone }))
      const second = randomUUID()
      assertRefused(await rich.post('initCall', { phone, unique: second }), 19, 429)
      assert.equal(succeeded(await rich.post('initCall', { phone: testNumber, unique: second }))['exists'], false)
    },
  },
  {
    name: 'the cooldown of a number holds over accounts and spellings, and Retry-After is enough to wait',
    run: async (deployment) => {
      const [own, other] = [await newClient(deployment), await newClient(deployment)]
      const phone = freshNumber('180')
      const started = succeeded(await own.get('initCall', { phone: `+${phone}` }))
      for (const { post } of [own, other]) {
        const asked = await post('initCall', { phone: Number(phone) })
        assertRefused(asked, 19, 429)
        const retryAfter = Number(asked.headers.get('retry-after'))
        assert(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 15, `Retry-After: ${retryAfter}`)
      }
      await own.ended(started)
      const last = await other.post('initCall', { phone })
      assertRefused(last, 19, 429)
      await sleep(Number(last.headers.get('retry-after')) * 1_000 + 200)
      succeeded(await other.post('initCall', { phone }))
    },
  },
  {
    name: 'thirty requests of two accounts at once to one number: one call, the others code 19',
    run: async (deployment) => {
      const clients = [await newClient(deployment), await newClient(deployment)]
      const phone = freshNumber('180')
      const responses = await Promise.all(
        Array.from({ length: 15 }, () => clients.map(({ post }) => post('initCall', { phone }))).flat(),
      )
      assert.equal(responses.filter(({ status }) => status === 200).length, 1)
      for (const asked of responses) if (asked.status !== 200) assertRefused(asked, 19, 429)
    },
  },
]
