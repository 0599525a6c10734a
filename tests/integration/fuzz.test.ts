// Random requests, valid and deliberately broken, to the first half of the methods of an app with real actions and a
// real database; fuzz-account.test.ts has the other half. Every response has a declared shape, fits the request, and is
// never a 500.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { Method } from '@ringproof/contract/methods.ts'
import {
  type ApiResponse,
  createSend,
  fuzz,
  halves,
  realDeps,
  runSeed,
  type Send,
  testMethods,
  timeout,
} from '../support/fuzz/run.ts'
import { install, makeService } from '../support/process/server.ts'

const installation = await install()
const services = [await makeService(installation), await makeService(installation)] as const
const deps = await realDeps(installation)
const send = await createSend(deps)

testMethods(halves[0], send, services)

const seeded: Readonly<
  Record<string, { readonly method: Method; readonly finds: RegExp; readonly send: () => Promise<Send> }>
> = {
  'an action throws for a certain value': {
    method: 'initCall',
    finds: /^500 .*"code":500/,
    send: () =>
      createSend({
        ...deps,
        actions: {
          ...deps.actions,
          initCall: async (caller, command) => {
            if (/[^ -~]/.test(command.client)) throw new Error('seeded')
            return deps.actions.initCall(caller, command)
          },
        },
      }),
  },
  'an action throws for one service': {
    method: 'getBalance',
    finds: /^500 .*"code":500/,
    send: () =>
      createSend({
        ...deps,
        actions: {
          ...deps.actions,
          getBalance: async (caller) => {
            if (caller.serviceId === services[1].serviceId) throw new Error('seeded')
            return deps.actions.getBalance(caller)
          },
        },
      }),
  },
  'an action returns no fields': {
    method: 'getBalance',
    finds: /^500 .*"code":500/,
    send: () =>
      createSend({ ...deps, actions: { ...deps.actions, getBalance: async () => ({ status: true }) as never } }),
  },
  'the ID of a service is enough to authenticate': {
    method: 'getBalance',
    finds: /, and not authenticationFailed( or keyInJsonSentAsForm)?$/,
    send: () =>
      createSend({
        ...deps,
        authenticate: async ({ serviceId }) => {
          const service = services.find((one) => one.serviceId === serviceId)
          return service ? deps.authenticate(service) : { apiClient: undefined, key: undefined }
        },
      }),
  },
  "another's data": {
    method: 'getAccount',
    finds: /Expected values to be strictly equal/,
    send: () =>
      createSend({
        ...deps,
        actions: {
          ...deps.actions,
          getAccount: (caller) => deps.actions.getAccount({ ...caller, accountId: services[0].accountId }),
        },
      }),
  },
  'an undeclared field': {
    method: 'getService',
    finds: /^not what getService returns: 200 .*secret/,
    send: changed((response) => (response.statusCode === 200 ? withField(response, 'secret', 1) : response)),
  },
  'a null field': {
    method: 'getBalance',
    finds: /^not what getBalance returns: 200 .*null/,
    send: changed((response) => (response.statusCode === 200 ? withField(response, 'tariff', null) : response)),
  },
  'a code with the status of another code': {
    method: 'getInfo',
    finds: /^(no refusal of the contract: )?403 /,
    send: changed((response) => (response.statusCode === 400 ? { ...response, statusCode: 403 } : response)),
  },
  'an undocumented error code': {
    method: 'getInfo',
    finds: /^no refusal of the contract: \d+ .*"code":6/,
    send: changed((response) => withField(response, 'code', 6)),
  },
  'no request ID': { method: 'getInfo', finds: /^\d+ /, send: changed((response) => ({ ...response, headers: {} })) },
  'an invalid value is accepted': {
    method: 'initCall',
    finds: /^503 .*Seeded.*, and not .*invalidPhone/,
    send: changed((response) => as(response, 'invalidPhone', 'unavailable')),
  },
  'a valid value is refused': {
    method: 'getInfo',
    finds: /^400 .*Seeded.*, and not .*uidUnknown/,
    send: changed((response) => as(response, 'uidUnknown', 'invalidParameter')),
  },
}

test('the fuzzer finds every seeded fault', { timeout }, async (t) => {
  for (const [fault, { method, finds, send: open }] of Object.entries(seeded)) {
    const sendSeeded = await open()
    await t.test(fault, async () => {
      const run = fuzz({ method, send: sendSeeded, services, requests: 2_000, seed: runSeed, lanes: 1 })
      await assert.rejects(run, (failure: Error) => {
        assert.match(failure.message, /seed: -?\d+, path: "[\d:]+"/)
        assert.match((failure.cause as Error).message, finds)
        return true
      })
    })
  }
})

function changed(change: (response: ApiResponse) => ApiResponse): () => Promise<Send> {
  return async () => async (request) => {
    const { statusCode, headers, body } = await send(request)
    return change({ statusCode, headers, body })
  }
}

function withField(response: ApiResponse, name: string, value: unknown): ApiResponse {
  if (response.body === '') return response
  const body = JSON.parse(response.body) as Record<string, unknown>
  return { ...response, body: JSON.stringify({ ...body, [name]: value }) }
}

// One refusal in the shape of another.
function as(response: ApiResponse, from: RefusalName, to: RefusalName): ApiResponse {
  if (response.statusCode !== refusals[from].status || !response.body.includes(`"code":${refusals[from].code}}`))
    return response
  const body = JSON.stringify({ status: false, error: 'Seeded.', code: refusals[to].code })
  return { headers: { ...response.headers, 'retry-after': 60 }, statusCode: refusals[to].status, body }
}
