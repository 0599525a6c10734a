import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from 'pg'
import { asOwner } from '../support/database/test-database.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'

const installation = await installPhones(1)
const { base } = await serve(installation)

const callback_url = 'http://127.0.0.1:9/'
const callsIn = async ({ bearer: headers }: TestService, name: string, body: Record<string, unknown>) => {
  const startedMs = performance.now()
  const asked = await ask(`${base}/v1.0/${name}`, { method: 'POST', headers, body })
  return { ...asked, ms: performance.now() - startedMs }
}

// Sends requests in eight parallel loops until they are over.
async function inLanes(isOver: () => boolean, one: () => Promise<unknown>): Promise<void> {
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!isOver()) await one()
    }),
  )
}

async function holding<T>(service: TestService, work: (owner: Client) => Promise<T>): Promise<T> {
  return asOwner(async (owner) => {
    await owner.query('BEGIN')
    await owner.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [service.accountId])
    try {
      return await work(owner)
    } finally {
      await owner.query('ROLLBACK')
    }
  }, installation.database.ownerUrl)
}

// The lock lasts until neighbours were served so often: in a batch that waits for the lock none of them would be.
const servedMin = 200

test('a locked account gets code 5, while neighbours in the same batches are served', async () => {
  const [held, free] = [await makeService(installation, 10_000), await makeService(installation, 10_000)]
  const start = (service: TestService) => callsIn(service, 'initCall', { phone: '79000000001' })
  const ofHeld: Awaited<ReturnType<typeof start>>[] = []
  const ofFree: Awaited<ReturnType<typeof start>>[] = []
  const isOver = () => ofFree.length >= servedMin && ofHeld.length > 0
  await holding(held, async () => {
    await Promise.all([
      inLanes(isOver, async () => ofHeld.push(await start(held))),
      inLanes(isOver, async () => ofFree.push(await start(free))),
    ])
  })
  for (const asked of ofHeld) {
    assertRefused(asked, 5, 503)
    assert.equal(asked.headers.get('retry-after'), '1')
  }
  assert.deepEqual(new Set(ofFree.map(({ status }) => status)), new Set([200]))
  // Each request of the locked account waits for the lock once; one that made its neighbours wait would slow them as much.
  const median = (of: typeof ofFree) =>
    of.map(({ ms }) => ms).toSorted((one, other) => one - other)[of.length >> 1] ?? 0
  assert(median(ofFree) < median(ofHeld) / 2, `${median(ofFree)} and ${median(ofHeld)} ms`)
  const again = await start(held)
  assert.equal(again.status, 200, again.text)
})

test('every method of a locked account returns code 5, and works again afterwards', async () => {
  const [held, free] = [await makeService(installation), await makeService(installation)]
  const requests = [
    ['initCall', { phone: '79000000001' }],
    ['inboundCallWaiting', { phone: '79000000001', callback_url }],
    ['checkPhone', { phone: '79070000001' }],
    ['checkPhone', { phone: 'hello' }],
  ] as const
  const all = (service: TestService) => Promise.all(requests.map(([name, body]) => callsIn(service, name, body)))
  await holding(held, async () => {
    const [refused, answered] = await Promise.all([all(held), all(free)])
    for (const asked of refused) {
      assertRefused(asked, 5, 503)
      assert.equal(asked.headers.get('retry-after'), '1')
    }
    for (const { status, text } of answered) assert.equal(status, 200, text)
  })
  for (const { status, text } of await all(held)) assert.equal(status, 200, text)
})

test('calls of neighbours end and are settled while those of a locked account cannot', async () => {
  const [held, free] = [await makeService(installation), await makeService(installation)]
  const begin = async (service: TestService) => {
    const asked = await callsIn(service, 'initCall', { phone: freshNumber('180') })
    assert.equal(asked.status, 200, asked.text)
    return asked.json['vendor_id']
  }
  const ids = await Promise.all([begin(held), begin(free), begin(held), begin(free)])
  await holding(held, async (owner) => {
    // In a batch with the locked calls, none would end before the lock is released.
    const ended = await Promise.all([settled(base, free, ids[1]), settled(base, free, ids[3])])
    for (const { call_status } of ended) assert.notEqual(call_status, -1)
    const { rows } = await owner.query<{ held: string }>('SELECT held FROM accounts WHERE id = $1', [free.accountId])
    assert.equal(rows[0]?.held, '0')
    const waiting = await Promise.all(
      [ids[0], ids[2]].map((uid) => ask(`${base}/v1.0/getInfo?uid=${String(uid)}`, { headers: held.bearer })),
    )
    for (const { json } of waiting) assert.equal(json['call_status'], -1)
  })
  for (const uid of [ids[0], ids[2]]) assert.notEqual((await settled(base, held, uid))['call_status'], -1)
})
