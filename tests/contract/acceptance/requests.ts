// How a request may be written: verbs, paths, bodies, languages. And what every response has.

import assert from 'node:assert/strict'
import { ask, assertRefused } from '../../support/http/ask.ts'
import { assertFields, type Check, newClient, succeeded, testNumber } from './deployment.ts'

const bodyBytesMax = 16 * 1024

export const requestChecks: readonly Check[] = [
  {
    name: 'every response has a unique request ID and forbids caching',
    run: async (deployment) => {
      const { get } = await newClient(deployment)
      // ask() looks at both headers of every response; here is only that IDs differ.
      const ids = await Promise.all([1, 2].map(async () => (await get('getBalance')).headers.get('x-request-id') ?? ''))
      assert.equal(new Set(ids).size, 2)
    },
  },
  {
    name: 'verbs other than GET and POST: 405 with Allow',
    run: async (deployment) => {
      const { bearer: headers } = (await newClient(deployment)).service
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const asked = await ask(`${deployment.base}/v1.0/getBalance`, { method, headers })
        assertRefused(asked, 405, 405)
        assert.match(asked.headers.get('allow') ?? '', /\bGET\b.*\bPOST\b/)
      }
    },
  },
  {
    name: 'slashes at the end of a path and doubled ones are ignored',
    run: async (deployment) => {
      const { bearer: headers } = (await newClient(deployment)).service
      for (const path of ['/v1.0/getBalance/', '//v1.0/getBalance', '/v1.0//getBalance//']) {
        succeeded(await ask(deployment.base + path, { headers }))
      }
      succeeded(await ask(`${deployment.base}//health`))
    },
  },
  {
    name: '/health needs no key and reports the database and the providers',
    run: async ({ base }) => {
      const health = succeeded(await ask(`${base}/health`))
      assertFields(health, ['status', 'database', 'providers'])
      assert.deepEqual([health['status'], health['database']], [true, true])
    },
  },
  {
    name: 'a form, JSON without a content type, JSON with a charset and no body at all are read',
    run: async (deployment) => {
      const { service, get } = await newClient(deployment)
      const send = (method: string, type: string | undefined, body: string | Uint8Array | undefined) =>
        ask(`${deployment.base}/v1.0/${method}`, {
          method: 'POST',
          headers: { ...service.bearer, ...(type === undefined ? {} : { 'content-type': type }) },
          body,
        })
      const form = succeeded(
        await send('initCall', 'application/x-www-form-urlencoded', `phone=${testNumber}&code=0815`),
      )
      assert.equal(form['code'], '0815')
      succeeded(await send('getBalance', undefined, Buffer.from('{}')))
      succeeded(await send('getBalance', 'application/json; charset=utf-8', '{}'))
      succeeded(await send('getBalance', undefined, undefined))
      succeeded(await get('getBalance'))
    },
  },
  {
    name: 'a body that is no JSON object: code 1; another media type: 415',
    run: async (deployment) => {
      const { service } = await newClient(deployment)
      const send = (type: string, body: string) =>
        ask(`${deployment.base}/v1.0/initCall`, {
          method: 'POST',
          headers: { ...service.bearer, 'content-type': type },
          body,
        })
      for (const body of ['{', '{"phone"', '[]', '"phone"', 'null', '12']) {
        assertRefused(await send('application/json', body), 1, 400)
      }
      assertRefused(await send('text/plain', 'phone'), 1, 415)
    },
  },
  {
    name: 'a body of 16 KiB is read, one byte more: 413',
    run: async (deployment) => {
      const { service } = await newClient(deployment)
      const send = (bytes: number) => {
        const frame = JSON.stringify({ filler: '' })
        return ask(`${deployment.base}/v1.0/getBalance`, {
          method: 'POST',
          headers: { ...service.bearer, 'content-type': 'application/json' },
          body: JSON.stringify({ filler: '.'.repeat(bytes - frame.length) }),
        })
      }
      succeeded(await send(bodyBytesMax))
      assertRefused(await send(bodyBytesMax + 1), 1, 413)
    },
  },
  {
    name: 'unknown parameters are ignored; __proto__ changes nothing; a parameter given twice is refused',
    run: async (deployment) => {
      const { service, get, post } = await newClient(deployment)
      succeeded(await post('initCall', { phone: testNumber, referrer: 'newsletter' }))
      const polluting = await ask(`${deployment.base}/v1.0/initCall`, {
        method: 'POST',
        headers: { ...service.bearer, 'content-type': 'application/json' },
        body: `{"phone":"${testNumber}","__proto__":{"isAdmin":true}}`,
      })
      if (polluting.status !== 200) assertRefused(polluting, 1, 400)
      succeeded(await get('getBalance'))
      const twice = `${deployment.base}/v1.0/initCall?phone=${testNumber}&client=one&client=two`
      assertRefused(await ask(twice, { headers: service.bearer }), 2, 400)
    },
  },
  {
    name: 'error sentences are English, and Russian for clients that prefer it',
    run: async (deployment) => {
      const { get } = await newClient(deployment)
      const [english, russian] = [await get('getInfo'), await get('getInfo', {}, { 'accept-language': 'ru, en;q=0.7' })]
      for (const asked of [english, russian]) {
        assertRefused(asked, 2, 400)
        assert.match(String(asked.json['error']), /\buid\b/)
      }
      assert.match(String(english.json['error']), /^[ -~]+$/)
      assert.match(String(russian.json['error']), /[а-яё]{3}/i)
    },
  },
]
