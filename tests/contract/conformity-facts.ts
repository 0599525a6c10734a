// What a deployment responds to every kind of request of the contract, gathered once for the table of conformity.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
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
  // A service of a separate account, with these settings.
  readonly newService: (settings?: Readonly<Record<string, string>>, balance?: number) => Promise<TestService>
  // Accepted for the service, ever.
  readonly countVerifications: (service: TestService) => Promise<number>
  readonly sql: (text: string, values: readonly unknown[]) => Promise<unknown>
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
  const start: Start = (body, by = { get, post }) => callToTheEnd(by, body)
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
  const replay = await replayedCall(world, () => post('initCall', { phone: flashPhone, unique }))
  const uid = String(flash.started['vendor_id'])
  const answers = await informed({ get, post }, uid)
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
    replay,
    priced: await pricedCall(world),
    tooSoon: await post('initCall', { phone: await calledNow(post) }),
    rereads: {
      succeeded: (await get('getInfo', { uid })).json['call_status'],
      failed: (await get('getInfo', { uid: String(refused.started['vendor_id']) })).json['call_status'],
    },
    manyLogs: (await compatible.get('getAccount')).json['logs'] as readonly Json[],
    checked: await checkedTexts(get),
    answers,
    compatible,
    get,
    post,
  }
}
export type Facts = Awaited<ReturnType<typeof gatherFacts>>

type Client = Pick<ReturnType<typeof clientOf>, 'get' | 'post'>
type Start = (body: Json, by?: Client) => Promise<{ started: Json; first: Json; ended: Json }>

async function callToTheEnd({ get, post }: Client, body: Json) {
  const started = (await post('initCall', body)).json
  const info = async () => (await get('getInfo', { uid: String(started['vendor_id']) })).json
  const first = await info()
  const ended = await poll('a call to end', info, ({ call_status: status }) => status !== -1, {
    timeoutMs: 90_000,
    intervalMs: 100,
  })
  return { started, first, ended }
}

const texts = [
  '+7 909 100-00-00',
  '8 (909) 100 00 00',
  '9091000000',
  '00 7 909 1000000',
  'hello',
  '+44 20 7946 0958',
  '79000000001',
]

async function checkedTexts(get: Client['get']): Promise<ReadonlyMap<string, Json>> {
  const checked = new Map<string, Json>()
  for (const phone of texts) checked.set(phone, (await get('checkPhone', { phone })).json)
  return checked
}

// The methods that only inform, by both verbs.
async function informed({ get, post }: Client, uid: string): Promise<ReadonlyMap<string, Asked>> {
  const answers = new Map<string, Asked>()
  for (const method of ['getAccount', 'getService', 'getBalance', 'getInfo', 'checkPhone'] as const) {
    const query = method === 'getInfo' ? { uid } : method === 'checkPhone' ? { phone: '79000000001' } : {}
    answers.set(`GET ${method}`, await get(method, query))
    answers.set(`POST ${method}`, await post(method, query))
  }
  return answers
}

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

async function calledNow(post: ReturnType<typeof clientOf>['post']): Promise<string> {
  const phone = freshNumber('180')
  await post('initCall', { phone })
  return phone
}

// What a replay changes: nothing.
async function replayedCall({ service, countVerifications, ...world }: World, send: () => Promise<Asked>) {
  const { get } = clientOf({ service, countVerifications, ...world }, service)
  const read = async () => ({
    balance: (await get('getBalance')).json['rub_balance'],
    lastRequest: (await get('getService')).json['last_request'],
    updated: (await get('getAccount')).json['updated'],
    verifications: await countVerifications(service),
  })
  // Times are whole seconds.
  await sleep(1_100)
  const before = await read()
  const { json } = await send()
  await sleep(1_100)
  return { json, before, after: await read() }
}

// The only call of its account.
async function pricedCall(world: World) {
  const { get, post } = clientOf(world, await world.newService())
  const balance = async () => (await get('getBalance')).json['rub_balance']
  const updatedBefore = (await get('getAccount')).json['updated']
  const before = await balance()
  const { vendor_id: id } = (await post('initCall', { phone: freshNumber('180') })).json
  const held = await balance()
  const info = async () => (await get('getInfo', { uid: String(id) })).json
  const ended = await poll('the call to end', info, ({ call_status: status }) => status !== -1, { timeoutMs: 90_000 })
  const [account, service] = [(await get('getAccount')).json, (await get('getService')).json]
  return { before, held, ended, after: await balance(), updatedBefore, account, service }
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
