// Four processes, one database or two: what must be exact under any interleaving. Every seed is a separate run with its
// own numbers, keys and order.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { auditLedger } from '../../../server/src/actions/money/ledger.ts'
import { ask } from '../http/ask.ts'
import { freshNumber, installPhones, prices, settled } from '../process/phones.ts'
import { type Installation, makeService, type Served, serve, type TestService } from '../process/server.ts'

// Real time: a call that does not start in time is released, and that must not happen here on a slow machine.
const timeScale = 1
const shedTriesMax = 50
const shedRetryMs = 200

type Field = { readonly installation: Installation; readonly processes: readonly Served[]; readonly seeds: number }

export async function races(shards: 1 | 2, seeds: number): Promise<void> {
  const installation = await installPhones(timeScale, shards)
  const processes = await Promise.all(Array.from({ length: 4 }, () => serve(installation)))
  const field = { installation, processes, seeds }
  test('one key, five hundred requests: one verification, one dial, one charge', () => raceForKeys(field))
  test('money for ten calls, two hundred requests: ten are accepted, and refusals consume nothing', () =>
    raceForMoney(field))
  test('fifty requests to one number from ten accounts: one call', () => raceForNumbers(field))
}

async function raceForKeys(field: Field): Promise<void> {
  const { installation, seeds } = field
  const service = await makeService(installation, 1_000)
  const uids: unknown[] = []
  for (let seed = 0; seed < seeds; seed++) {
    const body = { phone: freshNumber('180'), unique: randomUUID() }
    // More than the concurrency limit of one account: requests that are shed are retried, as a client does.
    const asked = await atOnce(500, async (index) => {
      for (let tries = 1; ; tries++) {
        const response = await initCall(field, seed, index, service, body)
        if (response.json['code'] !== 5 || tries === shedTriesMax) return response
        await sleep(shedRetryMs)
      }
    })
    for (const { status, text } of asked) assert.equal(status, 200, text)
    assert.equal(new Set(asked.map(({ json }) => json['vendor_id'])).size, 1, `seed ${seed}`)
    assert.equal(new Set(asked.map(({ json }) => json['code'])).size, 1, `seed ${seed}`)
    assert.equal(asked.filter(({ json }) => json['exists'] === false).length, 1, `seed ${seed}`)
    uids.push(asked[0]?.json['vendor_id'])
  }
  const { base } = processOf(field, 0, 0)
  for (const uid of uids) {
    const info = await settled(base, service, uid)
    assert.deepEqual([info['call_status'], info['cost']], [1, prices.flash / 1e6])
    assert.equal(dials(field, uid), 1)
  }
  const { json } = await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })
  assert.equal(json['rub_balance'], 1_000 - (seeds * prices.flash) / 1e6)
  assert.deepEqual((await auditLedger(installation)).faults, [])
}

async function raceForMoney(field: Field): Promise<void> {
  const { installation, seeds } = field
  for (let seed = 0; seed < seeds; seed++) {
    const service = await makeService(installation, (10 * prices.flash) / 1e6)
    const requests = Array.from({ length: 200 }, () => ({ phone: freshNumber('180'), unique: randomUUID() }))
    const asked = await atOnce(200, (index) => initCall(field, seed, index, service, requests[index] ?? {}))
    const refused = requests.filter((_, index) => asked[index]?.json['code'] === 1002)
    assert.deepEqual([asked.filter(({ status }) => status === 200).length, refused.length], [10, 190], `seed ${seed}`)
    const { base } = processOf(field, seed, 0)
    const { json } = await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })
    assert.equal(json['rub_balance'], 0)
    // Neither the number nor the key is used up: the number can be called, the key starts a new verification.
    const [again] = refused
    assert(again)
    const richer = await makeService(installation, 1)
    const other = await initCall(field, seed, 1, richer, { phone: again.phone })
    assert.equal(other.status, 200, other.text)
    const free = await initCall(field, seed, 2, service, { phone: '79000000001', unique: again.unique })
    assert.equal(free.json['exists'], false, free.text)
  }
  assert.deepEqual((await auditLedger(installation)).faults, [])
}

async function raceForNumbers(field: Field): Promise<void> {
  const { installation, seeds } = field
  const services = await Promise.all(Array.from({ length: 10 }, () => makeService(installation, 100)))
  for (let seed = 0; seed < seeds; seed++) {
    const phone = freshNumber('180')
    const asked = await atOnce(50, (index) => {
      const service = services[(index * 3 + seed) % services.length]
      if (!service) throw new RangeError('no service')
      return initCall(field, seed, index, service, { phone })
    })
    const refusals = asked.filter(({ json }) => json['code'] === 19)
    assert.deepEqual([asked.filter(({ status }) => status === 200).length, refusals.length], [1, 49], `seed ${seed}`)
    for (const { headers } of refusals) assert(Number(headers.get('retry-after')) >= 1)
  }
  assert.deepEqual((await auditLedger(installation)).faults, [])
}

async function atOnce<T>(count: number, work: (index: number) => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)))
}

// The seed decides which process gets a request, so that neighbours meet in one process or in several.
function processOf({ processes }: Field, seed: number, index: number): Served {
  const chosen = processes[(seed * 7 + index * (1 + (seed % 3))) % processes.length]
  if (!chosen) throw new RangeError('no process')
  return chosen
}

function initCall(field: Field, seed: number, index: number, { bearer }: TestService, body: Record<string, unknown>) {
  return ask(`${processOf(field, seed, index).base}/v1.0/initCall`, { method: 'POST', headers: bearer, body })
}

function dials({ processes }: Field, uid: unknown): number {
  const lines = processes.flatMap(({ output }) => output().split('\n'))
  return lines.filter((line) => line.includes(`"vendor_id":${String(uid)},`) && line.includes('"call dialled"')).length
}
