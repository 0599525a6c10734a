// Requests at random, good and broken on purpose, to the first half of the methods of an app with the real actions and a
// real database; fuzz-account.test.ts has the other half. Whatever comes, the answer has a declared form, fits what was
// sent, and is never our fault.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { Method } from '@ringproof/contract/methods.ts'
import {
  type Answer,
  fuzz,
  halves,
  openSend,
  realDeps,
  runSeed,
  type Send,
  testMethods,
  timeout,
} from '../support/fuzz-run.ts'
import { install, makeService } from '../support/served.ts'

const installation = await install()
const services = [await makeService(installation), await makeService(installation)] as const
const deps = await realDeps(installation)
const send = await openSend(deps)

testMethods(halves[0], send, services)

const planted: Readonly<
  Record<string, { readonly method: Method; readonly finds: RegExp; readonly send: () => Promise<Send> }>
> = {
  'an action throws for a certain value': {
    method: 'initCall',
    finds: /^500 .*"code":500/,
    send: () =>
      openSend({
        ...deps,
        actions: {
          ...deps.actions,
          initCall: async (caller, command) => {
            if (/[^ -~]/.test(command.client)) throw new Error('planted')
            return deps.actions.initCall(caller, command)
          },
        },
      }),
  },
  'an action throws for one service': {
    method: 'getBalance',
    finds: /^500 .*"code":500/,
    send: () =>
      openSend({
        ...deps,
        actions: {
          ...deps.actions,
          getBalance: async (caller) => {
            if (caller.serviceId === services[1].serviceId) throw new Error('planted')
            return deps.actions.getBalance(caller)
          },
        },
      }),
  },
  'an action answers without its fields': {
    method: 'getBalance',
    finds: /^500 .*"code":500/,
    send: () =>
      openSend({ ...deps, actions: { ...deps.actions, getBalance: async () => ({ status: true }) as never } }),
  },
  'whoever knows the number of a service is let in': {
    method: 'getBalance',
    finds: /, and not authenticationFailed$/,
    send: () =>
      openSend({
        ...deps,
        authenticate: async ({ serviceId }) => {
          const service = services.find((one) => one.serviceId === serviceId)
          return service && deps.authenticate(service)
        },
      }),
  },
  "another's data": {
    method: 'getAccount',
    finds: /Expected values to be strictly equal/,
    send: () =>
      openSend({
        ...deps,
        actions: {
          ...deps.actions,
          getAccount: (caller) => deps.actions.getAccount({ ...caller, accountId: services[0].accountId }),
        },
      }),
  },
  'an undeclared field': {
    method: 'getService',
    finds: /^not what getService answers: 200 .*secret/,
    send: changed((answer) => (answer.statusCode === 200 ? withField(answer, 'secret', 1) : answer)),
  },
  'a field that is null': {
    method: 'getBalance',
    finds: /^not what getBalance answers: 200 .*null/,
    send: changed((answer) => (answer.statusCode === 200 ? withField(answer, 'tariff', null) : answer)),
  },
  'a code with the status of another': {
    method: 'getInfo',
    finds: /^(no refusal of the contract: )?403 /,
    send: changed((answer) => (answer.statusCode === 400 ? { ...answer, statusCode: 403 } : answer)),
  },
  'a code that nobody knows': {
    method: 'getInfo',
    finds: /^no refusal of the contract: \d+ .*"code":6/,
    send: changed((answer) => withField(answer, 'code', 6)),
  },
  'no request id': { method: 'getInfo', finds: /^\d+ /, send: changed((answer) => ({ ...answer, headers: {} })) },
  'a wrong value is taken': {
    method: 'initCall',
    finds: /^503 .*Planted.*, and not .*phoneWrong/,
    send: changed((answer) => as(answer, 'phoneWrong', 'cannotStart')),
  },
  'a good value is refused': {
    method: 'getInfo',
    finds: /^400 .*Planted.*, and not .*uidUnknown/,
    send: changed((answer) => as(answer, 'uidUnknown', 'parameterWrong')),
  },
}

test('the fuzzer finds every fault that is planted', { timeout }, async (t) => {
  for (const [fault, { method, finds, send: open }] of Object.entries(planted)) {
    const sendPlanted = await open()
    await t.test(fault, async () => {
      const run = fuzz({ method, send: sendPlanted, services, requests: 2_000, seed: runSeed, lanes: 1 })
      await assert.rejects(run, (failure: Error) => {
        assert.match(failure.message, /seed: -?\d+, path: "[\d:]+"/)
        assert.match((failure.cause as Error).message, finds)
        return true
      })
    })
  }
})

function changed(change: (answer: Answer) => Answer): () => Promise<Send> {
  return async () => async (request) => {
    const { statusCode, headers, body } = await send(request)
    return change({ statusCode, headers, body })
  }
}

function withField(answer: Answer, name: string, value: unknown): Answer {
  if (answer.body === '') return answer
  const body = JSON.parse(answer.body) as Record<string, unknown>
  return { ...answer, body: JSON.stringify({ ...body, [name]: value }) }
}

// One refusal in the form of another.
function as(answer: Answer, from: RefusalName, to: RefusalName): Answer {
  if (answer.statusCode !== refusals[from].status || !answer.body.includes(`"code":${refusals[from].code}}`))
    return answer
  const body = JSON.stringify({ status: false, error: 'Planted.', code: refusals[to].code })
  return { headers: { ...answer.headers, 'retry-after': 60 }, statusCode: refusals[to].status, body }
}
