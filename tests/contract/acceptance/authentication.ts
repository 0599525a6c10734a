// Who may ask, by which of the three schemes, and what is refused before anything else is looked at.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { methods } from '@ringproof/contract/methods.ts'
import { ask, assertRefused } from '../../support/http/ask.ts'
import { assertFields, type Check, newClient, succeeded, unhurried } from './deployment.ts'

export const authenticationChecks: readonly Check[] = [
  {
    name: 'key and service ID are accepted in the query of a GET, in the body of a POST and in the header',
    run: async (deployment) => {
      const { service, get, post } = await newClient(deployment)
      const { key, serviceId } = service
      const url = `${deployment.base}/v1.0/getBalance`
      succeeded(await ask(`${url}?key=${key}&service_id=${serviceId}`))
      for (const id of [serviceId, String(serviceId)]) {
        succeeded(await ask(url, { method: 'POST', body: { key, service_id: id } }))
      }
      succeeded(await get('getBalance'))
      succeeded(await post('getBalance'))
    },
  },
  {
    name: 'every method without a key: 401',
    failsAuthentication: true,
    run: async ({ base }) => {
      for (const method of methods) assertRefused(await unhurried(() => ask(`${base}/v1.0/${method}`)), 401, 401)
    },
  },
  {
    name: 'a wrong key, the key of another service, an unknown service, a malformed header: 401',
    failsAuthentication: true,
    run: async (deployment) => {
      const [{ service: own }, { service: other }] = [await newClient(deployment), await newClient(deployment)]
      const { key, serviceId } = own
      const headers = [
        `Bearer ${'0'.repeat(32)}.${serviceId}`,
        `Bearer ${other.key}.${serviceId}`,
        `Bearer ${key}.${other.serviceId}`,
        `Bearer ${key}.2147483646`,
        `Bearer ${key}`,
        `Bearer ${key}.`,
        `Bearer .${serviceId}`,
        `Bearer ${key}.${serviceId}.${serviceId}`,
        `Digest ${key}.${serviceId}`,
        'Bearer',
      ]
      for (const authorization of headers) {
        const asked = await unhurried(() => ask(`${deployment.base}/v1.0/getBalance`, { headers: { authorization } }))
        assertRefused(asked, 401, 401)
      }
    },
  },
  {
    name: 'a key in the query of a POST does not count: 401',
    failsAuthentication: true,
    run: async (deployment) => {
      const { key, serviceId } = (await newClient(deployment)).service
      const url = `${deployment.base}/v1.0/getBalance?key=${key}&service_id=${serviceId}`
      assertRefused(await unhurried(() => ask(url, { method: 'POST', body: {} })), 401, 401)
    },
  },
  {
    name: 'two schemes that agree are accepted, two that contradict each other: 401',
    failsAuthentication: true,
    run: async (deployment) => {
      const [own, other] = [await newClient(deployment), await newClient(deployment)]
      const inBody = ({ key, serviceId }: typeof own.service) => ({ key, service_id: serviceId })
      const inQuery = ({ key, serviceId }: typeof own.service) => ({ key, service_id: String(serviceId) })
      succeeded(await own.post('getBalance', inBody(own.service)))
      succeeded(await own.get('getBalance', inQuery(own.service)))
      assertRefused(await unhurried(() => own.post('getBalance', inBody(other.service))), 401, 401)
      assertRefused(await unhurried(() => own.get('getBalance', inQuery(other.service))), 401, 401)
      const mixed = { key: own.service.key, service_id: String(other.service.serviceId) }
      assertRefused(await unhurried(() => own.get('getBalance', mixed)), 401, 401)
    },
  },
  {
    name: 'an unknown method is 401 without a key and 404 with one; names are case-sensitive',
    failsAuthentication: true,
    run: async (deployment) => {
      const { get } = await newClient(deployment)
      assertRefused(await unhurried(() => ask(`${deployment.base}/v1.0/getEverything`)), 401, 401)
      for (const method of ['getEverything', 'GetBalance', 'getbalance']) assertRefused(await get(method), 404, 404)
    },
  },
  {
    name: 'the root path names the product to a client, and is 401 to anyone else',
    failsAuthentication: true,
    run: async (deployment) => {
      const { service } = await newClient(deployment)
      assertRefused(await unhurried(() => ask(`${deployment.base}/`)), 401, 401)
      const root = succeeded(await ask(`${deployment.base}/`, { headers: service.bearer }))
      assertFields(root, ['status', 'name', 'version', 'docs'])
      assert.equal(root['status'], true)
    },
  },
  {
    name: 'HEAD requests and unknown paths without a key are not counted as failed authentications',
    failsAuthentication: true,
    run: async (deployment) => {
      const { get } = await newClient(deployment)
      // What earlier checks failed with lies more than a second back.
      await sleep(1_100)
      for (let n = 0; n < 10; n++) {
        assert.equal((await fetch(`${deployment.base}/health`, { method: 'HEAD' })).status, 200)
        await (await fetch(`${deployment.base}/favicon-${n}.ico`)).arrayBuffer()
      }
      succeeded(await get('getBalance'))
    },
  },
]
