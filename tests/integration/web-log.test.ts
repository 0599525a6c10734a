// The API log in the dashboard: whose requests it shows, its filters, what it fills in and for whom.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type WebInput, webApi } from '@ringproof/contract/web/api.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { joinAs, signUp } from '../support/web/people.ts'
import type { BrowserVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.3)
const { globalDatabase } = installation.slots
const { base } = await serve(installation, { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
const site = { base, mailDir }
const live = { traffic: 'live', period: '24h' } as const

async function customer() {
  const { visitor } = await signUp(site)
  const { id: accountId } = (await visitor.call('me')).account ?? {}
  await globalDatabase.query('UPDATE accounts SET balance = 100000000, must_verify_phone = false WHERE id = $1', [
    accountId,
  ])
  const service = { name: 'Shop', isTest: false, isMovingFromUcaller: false }
  const { serviceId, key } = await visitor.call('create-service', service)
  const send = (method: string, body: object = {}) =>
    ask(`${base}/v1.0/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}.${serviceId}` },
      body,
    })
  return { visitor, send, serviceId, key }
}

async function listed(visitor: BrowserVisitor, count: number, more: Partial<WebInput<'api-requests'>> = {}) {
  return poll(
    `${count} requests`,
    async () => (await visitor.call('api-requests', { ...live, ...more })).requests,
    (requests) => requests.length === count,
    { timeoutMs: 10_000 },
  )
}

test('lists are filtered and paged, show one account and one traffic, and counts are exact', async () => {
  const { visitor, send, serviceId } = await customer()
  const { visitor: stranger } = await signUp(site)
  for (let n = 0; n < 60; n++) await send('getBalance')
  await send('initCall', { phone: '12' })
  const refused = await send('initCall')
  await send('initCall', { phone: '79000000001' })
  // The last ones.
  await listed(visitor, 2, { result: 'refused' })
  await listed(visitor, 1, { traffic: 'test' })
  const all = await visitor.call('api-requests', live)
  assert.equal(all.requests.length, 50)
  const rest = await visitor.call('api-requests', { ...live, before: all.before ?? '' })
  assert.deepEqual([rest.requests.length, rest.before], [12, null])
  const ids = [...all.requests, ...rest.requests].map(({ id }) => id)
  assert.equal(new Set(ids).size, 62)

  assert.equal((await listed(visitor, 2, { method: 'initCall' }))[0]?.serviceName, 'Shop')
  const [missing] = await listed(visitor, 1, { code: '2' })
  assert.equal(missing?.id, refused.headers.get('x-request-id'))
  assert.match(missing?.refusal?.fix.en ?? '', /Pass the parameter/)
  await listed(visitor, 0, { result: 'ours' })
  await listed(visitor, 0, { serviceId: '64' })
  await listed(visitor, 2, { serviceId: String(serviceId), result: 'refused' })
  await listed(visitor, 0, { from: String(Date.now() + 3_600_000) })

  const counts = await visitor.call('api-errors', live)
  assert.deepEqual([counts.total, counts.refused, counts.ours, counts.hasAny], [62, 2, 0, true])
  assert.equal(
    counts.columns.reduce((sum, one) => sum + one.served + one.refused, 0),
    62,
  )
  assert.deepEqual(
    counts.groups.map(({ refusal, subject, method, requests }) => [refusal.code, subject, method, requests]),
    [
      [2, 'phone', 'initCall', 1],
      [3, '', 'initCall', 1],
    ],
  )

  assert.deepEqual((await stranger.call('api-requests', live)).requests, [])
  assert.equal((await stranger.call('api-errors', live)).hasAny, false)
  assert.equal((await stranger.refused('api-request', { id: missing?.id ?? '' })).body.error, 'not-found')
})

test('a filter changes the list and the counts alike, or the counts refuse it', async () => {
  const { visitor, send } = await customer()
  const second = await visitor.call('create-service', { name: 'Second', isTest: false, isMovingFromUcaller: false })
  const headers = { authorization: `Bearer ${second.key}.${second.serviceId}` }
  await send('getBalance')
  await send('initCall')
  await send('initCall', { phone: '79000000001' })
  await ask(`${base}/v1.0/getBalance`, { method: 'POST', headers })
  const all = await listed(visitor, 3)
  const middleMs = String(all[1]?.at)
  const samples: Required<Omit<WebInput<'api-requests'>, 'before'>> = {
    traffic: 'test',
    period: '1h',
    serviceId: String(second.serviceId),
    method: 'initCall',
    result: 'refused',
    code: '2',
    from: middleMs,
    to: middleMs,
  }
  const fields = Object.keys(webApi['api-requests'].input.properties).filter((field) => field !== 'before')
  for (const field of fields as readonly (keyof typeof samples)[]) {
    const filter = { ...live, [field]: samples[field] }
    const { requests } = await visitor.call('api-requests', filter)
    assert(requests.length > 0, field)
    // Every request here is of the last minute.
    if (field !== 'period') assert.notDeepEqual(requests, all, `${field} changes nothing`)
    if (field in webApi['api-errors'].input.properties) {
      assert.equal((await visitor.call('api-errors', filter)).total, requests.length, field)
    } else {
      const { status } = await visitor.send('api-errors', filter)
      assert.equal(status, 400, `the counts are not filtered by ${field}, and show all`)
    }
  }
})

test('a request shows the mask; its code ten minutes after the call, and never to a viewer', async () => {
  const { visitor, send, key } = await customer()
  const { visitor: viewer } = await joinAs(site, visitor, 'viewer')
  const phone = freshNumber('180')
  const started = await send('initCall', { phone, code: '4821', client: 'user 17', unique: 'order-9' })
  const id = started.headers.get('x-request-id') ?? ''
  await listed(visitor, 1)
  const textFor = async (who: BrowserVisitor) => {
    const { request, response, curl } = await who.call('api-request', { id })
    assert(![request, response, curl].some((text) => text.includes(key) || text.includes(phone)))
    assert.match(curl, /Bearer \$RINGPROOF_KEY\.\d+/)
    return `${request}\n${response}`
  }
  const early = await textFor(visitor)
  assert(early.includes(`"phone": "${String(started.json['phone'])}"`), early)
  assert(early.includes('"client": "user 17"') && early.includes('"unique": "order-9"'), early)
  assert(!early.includes('4821') && early.includes('"code": "••••"'), early)

  const end = (minutes: number) =>
    globalDatabase.query(
      `UPDATE verifications SET state = 'succeeded', ended_at = clock_timestamp() - make_interval(mins => $2) WHERE id = $1`,
      [started.json['vendor_id'], minutes],
    )
  await end(9)
  assert(!(await textFor(visitor)).includes('4821'))
  await end(11)
  assert((await textFor(visitor)).includes('"code": "4821"'))
  assert(!(await textFor(viewer)).includes('4821'))
})
