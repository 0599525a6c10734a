// What a deployment responds to every kind of request of the contract, gathered once for the table of conformity.

import { randomUUID } from 'node:crypto'
import { type Asked, ask } from '../support/http/ask.ts'
import type { Receiver } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { freshNumber } from '../support/process/phones.ts'
import type { Served, TestService } from '../support/process/server.ts'

export type Json = Readonly<Record<string, unknown>>

export type World = {
  readonly served: Served
  // With the default request rates.
  readonly rated: Served
  // Created on the command line, as an operator does.
  readonly service: TestService
  // Created with --compatible-with ucaller.
  readonly compatible: TestService
  readonly receiver: Receiver
  // `verifications show --json`.
  readonly show: (id: unknown) => Promise<Json>
}

export function clientOf({ served }: World, { bearer, key, serviceId }: TestService) {
  const { base } = served
  return {
    get: (method: string, query: Record<string, string> = {}) =>
      ask(`${base}/v1.0/${method}?${new URLSearchParams(query).toString()}`, { headers: bearer }),
    post: (method: string, body: Json = {}) => ask(`${base}/v1.0/${method}`, { method: 'POST', headers: bearer, body }),
    byQuery: (method: string) => ask(`${base}/v1.0/${method}?key=${key}&service_id=${serviceId}`),
    byBody: (method: string) => ask(`${base}/v1.0/${method}`, { method: 'POST', body: { key, service_id: serviceId } }),
  }
}

// Everything that takes the time of a call runs at once.
export async function gatherFacts(world: World) {
  const { get, post } = clientOf(world, world.service)
  const compatible = clientOf(world, world.compatible)
  const start = async (body: Json, by = { get, post }) => {
    const started = (await by.post('initCall', body)).json
    const first = (await by.get('getInfo', { uid: String(started['vendor_id']) })).json
    const ended = await poll(
      'a call to end',
      async () => (await by.get('getInfo', { uid: String(started['vendor_id']) })).json,
      ({ call_status: status }) => status !== -1,
      { timeoutMs: 90_000, intervalMs: 100 },
    )
    return { started, first, ended }
  }
  const unique = randomUUID()
  const flashPhone = freshNumber('180')
  const balanceBefore = (await get('getBalance')).json
  const [flash, generated, voice, mix, refused, kazakh, test1, test2, numberCode, repeats, webhook] = await Promise.all(
    [
      start({ phone: flashPhone, code: '0042', client: 'user-17', unique }),
      start({ phone: freshNumber('180') }),
      start({ phone: freshNumber('200'), voice: true }),
      start({ phone: freshNumber('180'), mix: true }),
      start({ phone: freshNumber('404') }),
      start({ phone: `7707${freshNumber('180').slice(4)}` }),
      start({ phone: '79000000001' }),
      start({ phone: '79000000002' }),
      start({ phone: freshNumber('180'), code: 42 }),
      repeatedCall(world, start),
      receivedWebhook(world),
    ],
  )
  const replayed = await post('initCall', { phone: flashPhone, unique })
  const uid = String(flash.started['vendor_id'])
  const texts = ['+7 909 100-00-00', 'hello', '+44 20 7946 0958', '79000000001']
  const checked = new Map<string, Json>()
  for (const phone of texts) checked.set(phone, (await get('checkPhone', { phone })).json)
  const answers = new Map<string, Asked>()
  for (const method of ['getAccount', 'getService', 'getBalance', 'getInfo', 'checkPhone'] as const) {
    const query = method === 'getInfo' ? { uid } : method === 'checkPhone' ? { phone: '79000000001' } : {}
    answers.set(`GET ${method}`, await get(method, query))
    answers.set(`POST ${method}`, await post(method, query))
  }
  return {
    logs: (answers.get('GET getAccount')?.json['logs'] ?? []) as readonly Json[],
    shownFlash: await world.show(flash.started['vendor_id']),
    shownTest: await world.show(test1.started['vendor_id']),
    balanceBefore,
    flash,
    generated,
    voice,
    mix,
    refused,
    kazakh,
    test1,
    test2,
    numberCode,
    repeats,
    webhook,
    replayed: replayed.json,
    checked,
    answers,
    compatible,
    get,
    post,
  }
}
export type Facts = Awaited<ReturnType<typeof gatherFacts>>

type Start = (body: Json, by: ReturnType<typeof clientOf>) => Promise<{ started: Json; first: Json; ended: Json }>

async function repeatedCall(world: World, start: Start) {
  const client = clientOf(world, world.compatible)
  const { started, ended } = await start({ phone: freshNumber('180'), code: '0417' }, client)
  const uid = String(started['vendor_id'])
  const again = () =>
    poll(
      'the cooldown to end',
      () => client.get('initRepeat', { uid }),
      ({ json }) => json['code'] !== 19 && json['code'] !== 13,
      { timeoutMs: 90_000, intervalMs: 500 },
    )
  const first = (await again()).json
  const infoOfRepeat = (await client.get('getInfo', { uid: String(first['vendor_id']) })).json
  const afterOne = (await client.get('getInfo', { uid })).json
  const second = (await again()).json
  const third = (await again()).json
  return {
    started,
    ended,
    first,
    infoOfRepeat,
    afterOne,
    second,
    third,
    last: (await client.get('getInfo', { uid })).json,
  }
}

async function receivedWebhook(world: World) {
  const { post } = clientOf(world, world.service)
  const before = world.receiver.received.length
  const callbackUrl = `${world.receiver.url}/conformity`
  const waiting = (await post('inboundCallWaiting', { phone: '+79000000001', callback_url: callbackUrl })).json
  await world.receiver.count(before + 1)
  const received = world.receiver.received.find(({ url }) => url === '/conformity')
  return { waiting, received, callbackUrl }
}
