import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { toDecimal } from '../../server/src/domain/money/money.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { installPhones, lookupPrice } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'

// Two databases and two processes: both charge the same account.
const installation = await installPhones(1, 2)
const { slots } = installation
const [first, second] = await Promise.all([serve(installation), serve(installation)])
const cost = toDecimal(lookupPrice)

const check = ({ bearer }: TestService, phone: string, base = first.base, headers: Record<string, string> = {}) =>
  ask(`${base}/v1.0/checkPhone`, { method: 'POST', headers: { ...bearer, ...headers }, body: { phone } })

test('without a registry a number is described by the numbering plans alone', async () => {
  const service = await makeService(installation)
  const { json } = await check(service, '8 (907) 000-00-01')
  assert.deepEqual(json, {
    source: '8 (907) 000-00-01',
    mobile: 1,
    phone: 79070000001,
    country_iso: 'RU',
    country_code: 7,
    mnc: 0,
    number: 9070000001,
    provider: '',
    company: '',
    country: 'Russia',
    region: '',
    city: '',
    phone_format: '8 (907) 000-00-01',
    cost,
    balance: 100 - cost,
  })
  const kazakh = await check(service, '+7 701 000 00 01', first.base, { 'accept-language': 'ru' })
  assert.deepEqual([kazakh.json['country'], kazakh.json['provider'], kazakh.json['mnc']], ['Казахстан', 'Kcell', 2])
})

test('an invalid number is refused in the requested language, free of charge', async () => {
  const service = await makeService(installation)
  for (const [phone, language, error] of [
    ['hello', 'en', /cannot be a phone number/],
    ['+7 907 000', 'ru', /не может быть номером/],
    ['+7 100 000 00 01', 'en', /No operator/],
    ['+870 770 000 001', 'en', /no country/],
  ] as const) {
    const { status, json } = await check(service, phone, first.base, { 'accept-language': language })
    assert.equal(status, 200)
    assert.match(String(json['error']), error)
    const { source, error: _, cost: charged, balance, ...rest } = json
    assert.deepEqual([source, charged, balance], [phone, 0, 100])
    // Every field is present: empty texts and zeros.
    assert.equal(Object.keys(rest).length, 12)
    for (const [name, value] of Object.entries(rest)) assert(value === '' || value === 0, name)
  }
})

test('a test number is looked up free of charge', async () => {
  const service = await makeService(installation, 0)
  const { status, json } = await check(service, '79000000001')
  assert.deepEqual([status, json['phone'], json['cost'], json['balance']], [200, 79000000001, 0, 0])
})

test('with money for ten lookups, a hundred requests to two processes get ten answers', async () => {
  const service = await makeService(installation, cost * 10)
  const asked = await Promise.all(
    Array.from({ length: 100 }, (_, n) => check(service, '+79070000001', n % 2 ? first.base : second.base)),
  )
  const answered = asked.filter(({ status }) => status === 200)
  assert.equal(answered.length, 10)
  for (const refused of asked.filter(({ status }) => status !== 200)) assertRefused(refused, 1002, 402)
  const balances = answered.map(({ json }) => Math.round(Number(json['balance']) * 10)).toSorted((a, b) => a - b)
  assert.deepEqual(balances, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  // A free request is still answered.
  assert.equal((await check(service, 'hello')).status, 200)
  const { faults, sum } = await auditLedger({ slots })
  assert.deepEqual([faults, sum], [[], 0])
})

test('a lookup updates the last request time of its service; a refused lookup does not', async () => {
  const lastRequest = async ({ bearer }: TestService) =>
    Number((await ask(`${first.base}/v1.0/getService`, { headers: bearer })).json['last_request'])
  const [service, poor] = [await makeService(installation), await makeService(installation, 0)]
  assert.equal(await lastRequest(service), 0)
  await check(service, '+79070000001')
  assert(Math.abs((await lastRequest(service)) - Date.now() / 1000) < 60)
  assertRefused(await check(poor, '+79070000001'), 1002, 402)
  assert.equal(await lastRequest(poor), 0)
})
