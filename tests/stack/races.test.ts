// Four processes, one record: what must be exact under any interleaving. Every seed is a run of its own, with numbers, keys
// and an order of its own.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { auditLedger } from '../../server/src/actions/audit-ledger.ts'
import { ask } from '../support/ask.ts'
import { freshNumber, installPhones, prices, settled } from '../support/phones.ts'
import { makeService, type Served, serve, type TestService } from '../support/served.ts'

const seeds = 50
const timeScale = 0.2
const installation = await installPhones(timeScale)
const processes = [
  await serve(installation),
  await serve(installation),
  await serve(installation),
  await serve(installation),
]

function somewhere(seed: number, index: number): Served {
  const chosen = processes[(seed * 7 + index * (1 + (seed % 3))) % processes.length]
  if (!chosen) throw new RangeError('no process')
  return chosen
}

const initCall = (served: Served, service: TestService, body: Record<string, unknown>) =>
  ask(`${served.base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body })

const dials = (uid: unknown) =>
  processes
    .map(({ output }) => output())
    .join('')
    .split('\n')
    .filter((line) => line.includes(`"vendor_id":${String(uid)},`) && line.includes('"dialled"')).length

test('one key, five hundred requests: one verification, one dial, one charge', async () => {
  const service = await makeService(installation, 1_000)
  const uids: unknown[] = []
  for (let seed = 0; seed < seeds; seed++) {
    const body = { phone: freshNumber('180'), unique: randomUUID() }
    const asked = await Promise.all(
      Array.from({ length: 500 }, (_, index) => initCall(somewhere(seed, index), service, body)),
    )
    for (const { status, text } of asked) assert.equal(status, 200, text)
    assert.equal(new Set(asked.map(({ json }) => json['vendor_id'])).size, 1, `seed ${seed}`)
    assert.equal(new Set(asked.map(({ json }) => json['code'])).size, 1, `seed ${seed}`)
    assert.equal(asked.filter(({ json }) => json['exists'] === false).length, 1, `seed ${seed}`)
    uids.push(asked[0]?.json['vendor_id'])
  }
  for (const uid of uids) {
    const info = await settled(somewhere(0, 0).base, service, uid)
    assert.deepEqual([info['call_status'], info['cost']], [1, prices.flash / 1e6])
    assert.equal(dials(uid), 1)
  }
  const { json } = await ask(`${somewhere(0, 0).base}/v1.0/getBalance`, { headers: service.bearer })
  assert.equal(json['rub_balance'], 1_000 - (seeds * prices.flash) / 1e6)
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('money for ten calls, two hundred requests: ten are accepted, and the refused used up nothing', async () => {
  for (let seed = 0; seed < seeds; seed++) {
    const service = await makeService(installation, (10 * prices.flash) / 1e6)
    const requests = Array.from({ length: 200 }, () => ({ phone: freshNumber('180'), unique: randomUUID() }))
    const asked = await Promise.all(requests.map((body, index) => initCall(somewhere(seed, index), service, body)))
    const refused = requests.filter((_, index) => asked[index]?.json['code'] === 1002)
    assert.deepEqual([asked.filter(({ status }) => status === 200).length, refused.length], [10, 190], `seed ${seed}`)
    const { json } = await ask(`${somewhere(seed, 0).base}/v1.0/getBalance`, { headers: service.bearer })
    assert.equal(json['rub_balance'], 0)
    // Neither the key nor the number is used up: with money, the very same request is a new verification.
    const [again] = refused
    assert(again)
    const richer = await makeService(installation, 1)
    const other = await initCall(somewhere(seed, 1), richer, { phone: again.phone })
    assert.equal(other.status, 200, other.text)
    const free = await initCall(somewhere(seed, 2), service, { phone: '79000000001', unique: again.unique })
    assert.equal(free.json['exists'], false, free.text)
  }
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('fifty requests to one number over ten accounts: one call', async () => {
  const services = await Promise.all(Array.from({ length: 10 }, () => makeService(installation, 100)))
  for (let seed = 0; seed < seeds; seed++) {
    const phone = freshNumber('180')
    const asked = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const service = services[(index * 3 + seed) % services.length]
        if (!service) throw new RangeError('no service')
        return initCall(somewhere(seed, index), service, { phone })
      }),
    )
    const refusals = asked.filter(({ json }) => json['code'] === 19)
    assert.deepEqual([asked.filter(({ status }) => status === 200).length, refusals.length], [1, 49], `seed ${seed}`)
    for (const { headers } of refusals) assert(Number(headers.get('retry-after')) >= 1)
  }
  assert.deepEqual((await auditLedger(installation)).faults, [])
})
