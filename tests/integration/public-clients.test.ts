// Public third-party clients of this API, replayed byte by byte in both status styles, with the ID alias they use. Each
// response field is checked the way the client reads it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setService } from '../../server/src/actions/accounts/services.ts'
import { compatibilities, noCaps } from '../../server/src/domain/accounts/service.ts'
import { type Asked, ask, assertRefused } from '../support/http/ask.ts'
import {
  goClient,
  oldPythonClient,
  phpClient,
  pythonClient,
  type Received,
  yiiHandler,
} from '../support/http/public-clients.ts'
import { poll } from '../support/poll.ts'
import { ringproof } from '../support/process/cli.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'

const installation = await installPhones(0.3)
const { base, output } = await serve(installation)

// Larger than 32 bits hold, and exact in a double.
const isId = (id: unknown): id is number => typeof id === 'number' && id > 0xffff_ffff && Number.isSafeInteger(id)

for (const style of ['class', 'ok'] as const) {
  const refusedStatus = (status: number) => (style === 'ok' ? 200 : status)

  test(`the PHP client reads every response, status style ${style}`, async () => {
    const service = await aliased(style)
    const client = phpClient(base, service)
    const health = await client.health()
    assert.deepEqual(health, { status: 200, json: { status: true, database: true, providers: true } })

    const unique = randomUUID()
    const form = `phone=${freshNumber('180')}&code=0417&client=nick%40shop.example&unique=${unique}&voice=1`
    for (const exists of [false, true]) {
      const call = readByPhp(await client.post('initCall', form))
      assert(isId(call['ucaller_id']))
      const { code, client: who, unique_request_id: key } = call
      assert.deepEqual([code, who, key, call['exists']], ['0417', 'nick@shop.example', unique, exists])
    }
    // Everything but the number is optional; fields that were not passed must still be present and be text.
    const bare = readByPhp(await client.post('initCall', `phone=${freshNumber('180')}`))
    assert.equal(bare['client'], '')

    // Guzzle throws on 4xx before the client reads the body; with the style `ok` it reads error and code.
    const refused = await client.post('initRepeat', 'uid=1')
    assert.deepEqual([refused.status, refused.json['code']], [refusedStatus(405), 405])
    assert.equal(typeof refused.json['error'], 'string')
  })

  test(`the Python client reads every response, status style ${style}`, async () => {
    const service = await aliased(style)
    const client = pythonClient(base, service)
    assert.equal(service.key.length, 32)
    assert.deepEqual((await client.health()).json, { status: true, database: true, providers: true })

    const phone = freshNumber('200')
    const query = `?phone=%2B${phone}&code=0417&client=nickname&unique=not-a-uuid&voice=True`
    const { status, json: started } = await client.get('initCall', query)
    assert.deepEqual([status, started['status'], started['code'], started['exists']], [200, true, '0417', false])
    assert.deepEqual([started['client'], started['unique_request_id']], ['nickname', 'not-a-uuid'])
    assert(isId(started['ucaller_id']))
    assert.match(String(started['phone']), /^7907\*{3}\d{4}$/)

    await settled(base, service, started['ucaller_id'])
    const { json: info } = await client.post('getInfo', `{"uid": "${started['ucaller_id']}"}`)
    assert.deepEqual([info['ucaller_id'], info['call_status'], info['country_code']], [started['ucaller_id'], 1, 'RU'])
    assert.deepEqual([info['cost'], info['balance'], info['is_repeated']], [1.2, 100, false])

    const { json: second } = await client.post(
      'initCall',
      `{"phone": "+${freshNumber('180')}", "code": "0418", "client": null, "mix": true}`,
    )
    assert.deepEqual([second['status'], second['code']], [true, '0418'])

    const { json: balance } = await client.get('getBalance')
    assert.deepEqual([balance['status'], balance['tariff'], typeof balance['rub_balance']], [true, 'uni', 'number'])
    const { json: account } = await client.get('getAccount')
    assert.deepEqual([account['id'], account['two_auth'], account['telegram_id']], [service.accountId, false, 0])
    assert(Array.isArray(account['logs']))
    assert.equal((await client.get('getService')).json['service_status'], service.serviceId)
    const { json: checked } = await client.get('checkPhone', '?phone=%2B7+900+000-00-01')
    assert.deepEqual([checked['phone'], checked['country_iso'], checked['error']], [79000000001, 'RU', undefined])

    const refused = await client.get('getInfo', '?uid=1')
    assert.deepEqual([refused.status, refused.json['status'], refused.json['code']], [refusedStatus(404), false, 10])
    const waiting = await client.get('inboundCallWaiting', '?phone=%2B79000000001&callback_url=ftp%3A%2F%2Fx')
    assert.deepEqual([waiting.status, waiting.json['code']], [refusedStatus(400), 2])
  })

  test(`the old Python client reads every response, status style ${style}`, async () => {
    const client = oldPythonClient(base, await aliased(style))
    const { status, json } = await client.get('initCall', '&phone=79000000001&code=6123&unique=order-17')
    assert.deepEqual([status, json['status'], json['code'], json['exists']], [200, true, '6123', false])
    const id = json['ucaller_id']
    assert(isId(id))
    assert.equal((await client.get('getInfo', `&uid=${id}`)).json['ucaller_id'], id)
    assert.equal((await client.get('getBalance')).json['status'], true)
    assert.equal((await client.get('initRepeat', `&uid=${id}`)).json['code'], 405)
  })

  test(`the Go client reads every response, status style ${style}`, async () => {
    const service = await aliased(style)
    const client = goClient(base, service)
    assert(service.serviceId <= 0xffff_ffff)
    const unique = randomUUID()
    const { json: started } = await client.get(
      'initCall',
      `&phone=79000000001&code=42&client=nickname&unique=${unique}`,
    )
    assert.deepEqual([started['status'], started['code'], started['unique_request_id']], [true, '0042', unique])
    assert.deepEqual([started['client'], started['exists'], started['error']], ['nickname', false, undefined])
    assert(isId(started['ucaller_id']))

    await settled(base, service, started['ucaller_id'])
    const { json: info } = await client.get('getInfo', `&ucaller_id=${started['ucaller_id']}`)
    assert.deepEqual([info['status'], info['ucaller_id'], info['call_status']], [true, started['ucaller_id'], 1])
    assert.deepEqual([info['unique'], info['cost'], info['phone_info']], [unique, 0, []])

    const { json: owned } = await client.get('getService')
    assert.deepEqual([owned['status'], owned['service_status'], owned['name']], [true, service.serviceId, 'Shop'])
    assert.equal((await client.get('getBalance')).json['rub_balance'], 100)
    // It reads the body whatever the status, and returns the error sentence.
    const repeated = await client.get('initRepeat', `&uid=${started['ucaller_id']}`)
    assert.deepEqual([repeated.status, repeated.json['status']], [refusedStatus(405), false])
    assert.match(String(repeated.json['error']), /no longer supported/)
  })

  test(`the Yii handler reads every response, status style ${style}`, async () => {
    const client = yiiHandler(base, await aliased(style))
    for (const [query, version] of [
      [`phone=${freshNumber('180')}&ip=192.0.2.17&mix=1`, 'HTTP/1.1'],
      [`phone=${freshNumber('180')}&mix=true&unique=w3X_8dZ-qL0pVt5YkS1nR7bHcE2gJ9mA`, 'HTTP/1.0'],
    ] as const) {
      const { status, json } = await client.initCall(query, version)
      // It checks isOk, then the fields; in PHP true equals "OK".
      assert.deepEqual([status, json['status']], [200, true])
      assert.match(String(json['code']), /^\d{4}$/)
    }
    const refused = await client.initCall('phone=12&mix=1', 'HTTP/1.1')
    assert.deepEqual([refused.status, refused.json['status'], refused.json['code']], [refusedStatus(400), false, 3])
  })
}

test('with --compatible-with ucaller the PHP client and a Laravel class made from a published sample work', async () => {
  const service = await makeService(installation, 100, { ...noCaps, ...compatibilities.ucaller })
  const php = phpClient(base, service)
  const call = readByPhp(await php.post('initCall', `phone=${freshNumber('180')}&client=nick`))
  await settled(base, service, call['ucaller_id'])
  // Any response with `error` becomes its exception, with the code: Guzzle must not throw before.
  const refused = await php.post('initCall', 'phone=12')
  assert.deepEqual([refused.status, refused.json['code'], typeof refused.json['error']], [200, 3, 'string'])
  const unknown = await php.post('initRepeat', 'uid=1')
  assert.deepEqual([unknown.status, unknown.json['code']], [200, 13])
  const repeated = readByPhp(
    await poll(
      'the cooldown to end',
      () => php.post('initRepeat', `uid=${String(call['ucaller_id'])}`),
      ({ json }) => json['code'] !== 19,
    ),
  )
  assert.equal(repeated['free_repeated'], true)

  // file_get_contents: the key in the query, `&code=` when no code is wanted, null for any status but 200.
  const laravel = goClient(base, service)
  const { status, json } = await laravel.get('initCall', `&phone=${freshNumber('180')}&code=&client=`)
  assert.deepEqual([status, json['status'], json['client']], [200, true, ''])
  assert.match(String(json['code']), /^\d{4}$/)
  assert(isId(json['ucaller_id']))
  const info = await settled(base, service, json['ucaller_id'])
  assert.deepEqual([info['ucaller_id'], info['call_status']], [json['ucaller_id'], 1])
  assert.equal((await laravel.get('initCall', '&phone=12&code=')).status, 200)
})

test('cooldown, limit of a number and caps are 200 with Retry-After for a service that is compatible with ucaller', async () => {
  const newService = (settings: Record<string, string> = {}) =>
    makeService(installation, 100, { ...noCaps, ...compatibilities.ucaller, ...settings })
  const start = ({ bearer }: TestService, phone: string) =>
    ask(`${base}/v1.0/initCall?phone=${phone}`, { headers: bearer })
  const assertWait = (asked: Asked, code: number, secondsMax: number) => {
    assertRefused(asked, code, 200)
    const seconds = Number(asked.headers.get('retry-after'))
    assert(Number.isInteger(seconds) && seconds >= 1 && seconds <= secondsMax, `${code}: Retry-After ${seconds}`)
  }
  const phone = freshNumber('180')
  const limited = await newService({ 'calls-per-number-10-minutes': '1' })
  assert.equal((await start(limited, phone)).json['status'], true)
  assertWait(await start(limited, phone), 19, 15)
  const afterCooldown = () => start(limited, phone)
  assertWait(await poll('the cooldown to end', afterCooldown, ({ json }) => json['code'] !== 19), 18, 600)
  for (const [cap, secondsMax] of [
    ['verifications-hour-max', 3_600],
    ['verifications-day-max', 86_400],
    ['spend-day-max', 86_400],
  ] as const) {
    const capped = await newService({ [cap]: cap === 'spend-day-max' ? '0.5' : '1' })
    assert.equal((await start(capped, freshNumber('180'))).json['status'], true)
    assertWait(await start(capped, freshNumber('180')), 50, secondsMax)
  }
})

test('a known client without the settings it needs is reported in the log and by services show', async () => {
  const service = await makeService(installation)
  assert.equal((await pythonClient(base, service).get('getBalance')).status, 200)
  await poll('the warning', () => output().includes('"msg":"client needs other settings"'))
  const show = async () =>
    (await ringproof(installation.environment, 'services', 'show', String(service.serviceId))).out
  const hint = /looks? like kebrick\/pyucallerapi, which needs: ringproof services set \d+ --compatible-with ucaller/
  await poll('the hint', show, (text) => hint.test(text))
  const set = ['services', 'set', String(service.serviceId), '--compatible-with', 'ucaller']
  assert.match(
    (await ringproof(installation.environment, ...set)).out,
    /id-alias: '' → ucaller_id[^]*repeats: off → on/,
  )
  assert.doesNotMatch(await show(), hint)
})

async function aliased(style: 'class' | 'ok'): Promise<TestService> {
  const service = await makeService(installation)
  const texts = { 'id-alias': 'ucaller_id', 'status-style': style }
  await setService(
    { slots: installation.slots },
    { address: 'test', userAgent: '' },
    { serviceId: service.serviceId, texts },
  )
  return service
}

// Every field without a default in its model must be present and not null; a field named error throws.
function readByPhp({ status, json }: Received): Record<string, unknown> {
  assert.equal(status, 200)
  assert(!('error' in json), JSON.stringify(json))
  for (const name of ['ucaller_id', 'phone', 'code', 'client']) assert((json[name] ?? undefined) !== undefined, name)
  assert.equal(json['status'], true)
  for (const name of ['phone', 'code', 'client']) assert.equal(typeof json[name], 'string')
  return json
}
