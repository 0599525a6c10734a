// The request rates of a deployment with default settings.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, assertRefused } from '../../support/http/ask.ts'
import { type Check, newClient } from './deployment.ts'

export const rateChecks: readonly Check[] = [
  {
    name: 'a hundred requests at once from one address: at least thirty are served, some get 429 with Retry-After',
    run: async (deployment) => {
      const { get } = await newClient(deployment)
      await sleep(1_500)
      const responses = await Promise.all(Array.from({ length: 100 }, () => get('getBalance')))
      const served = responses.filter(({ status }) => status === 200).length
      assert(served >= 30 && served < 90, `${served} of 100 were served`)
      for (const asked of responses.filter(({ status }) => status !== 200)) {
        assertRefused(asked, 429, 429)
        assert(Number(asked.headers.get('retry-after')) >= 1)
      }
    },
  },
  {
    name: 'twenty wrong keys in a row: the first ones get 401, then the address is refused with code 0',
    run: async (deployment) => {
      const { serviceId } = (await newClient(deployment)).service
      await sleep(1_500)
      const guess = (n: number) =>
        ask(`${deployment.base}/v1.0/getBalance`, {
          headers: { authorization: `Bearer ${String(n).padStart(32, 'g')}.${serviceId}` },
        })
      const codes: unknown[] = []
      for (let n = 0; n < 20; n++) {
        const asked = await guess(n)
        assertRefused(asked, asked.json['code'] === 0 ? 0 : 401, asked.json['code'] === 0 ? 403 : 401)
        codes.push(asked.json['code'])
      }
      assert.deepEqual(codes.slice(0, 3), [401, 401, 401])
      assert(codes.includes(0), 'twenty guesses were all looked up')
    },
  },
]
