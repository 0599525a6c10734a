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

// Sends requests in several parallel loops while the work lasts.
async function during<T>(
  work: Promise<T>,
  lanes: number,
  one: () => ReturnType<typeof callsIn>,
): Promise<readonly Awaited<ReturnType<typeof callsIn>>[]> {
  const answers: Awaited<ReturnType<typeof callsIn>>[] = []
  const over = new AbortController()
  const ended = work.finally(() => over.abort())
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (!over.signal.aborted) answers.push(await one())
    }),
  )
  await ended
  return answers
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

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

test('a locked account gets code 5, while neighbours in the same batches are served', async () => {
  const [held, free] = [await makeService(installation, 10_000), await makeService(installation, 10_000)]
  const start = (service: TestService) => callsIn(service, 'initCall', { phone: '79000000001' })
  let ofHeld: Awaited<ReturnType<typeof during>> = []
  let ofFree: Awaited<ReturnType<typeof during>> = []
  await holding(held, async () => {
    const lasts = pause(5_000)
    ;[ofHeld, ofFree] = await Promise.all([during(lasts, 8, () => start(held)), during(lasts, 8, () => start(free))])
  })
  for (const asked of ofHeld) {
    assertRefused(asked, 5, 503)
    assert.equal(asked.headers.get('retry-after'), '1')
  }
  assert.deepEqual(new Set(ofFree.map(({ status }) => status)), new Set([200]))
  // The lock lasts 5 s; waiting for it once would take 2 s.
  assert(Math.max(...ofFree.map(({ ms }) => ms)) < 1_500, `${Math.max(...ofFree.map(({ ms }) => ms))} ms`)
  assert(ofFree.length > ofHeld.length, `${ofFree.length} and ${ofHeld.length}`)
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
    const startedMs = performance.now()
    const ended = await Promise.all([settled(base, free, ids[1]), settled(base, free, ids[3])])
    // They ring for five seconds. In a batch with the locked calls, none would end before the lock is released.
    assert(performance.now() - startedMs < 15_000, `${performance.now() - startedMs} ms`)
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
