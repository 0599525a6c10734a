// Dead, slow and lying name servers: deliveries to other receivers go on, the event loop is not blocked, every lookup
// ends by its deadline, the number in flight is bounded, and no forbidden address is connected to.

import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { createClock } from '../../server/src/process/clock.ts'
import { createDelivery } from '../../server/src/webhooks/deliver.ts'
import { createResolver, lookupsMax } from '../../server/src/webhooks/resolve.ts'
import { atEnd } from '../support/at-end.ts'
import { createReceiverToTheEnd } from '../support/http/webhook-receiver.ts'
import { createDnsServer } from '../support/network/dns-server.ts'

const clock = createClock(1)
const receiver = await createReceiverToTheEnd()
const { port } = new URL(receiver.url)
const lies: Readonly<Record<string, readonly string[]>> = {
  'metadata.test': ['169.254.169.254'],
  'private.test': ['10.0.0.1'],
  'mixed.test': ['127.0.0.1', '10.0.0.1'],
  'six.test': ['::ffff:10.0.0.1'],
  'unique-local.test': ['fd00::1'],
}
const dns = await createDnsServer((name, nth) => {
  if (name.startsWith('dead')) return 'silence'
  // The first query gets no response.
  if (name.startsWith('slow')) return nth === 0 ? 'silence' : ['127.0.0.1']
  return lies[name] ?? (name === 'live.test' ? ['127.0.0.1'] : undefined)
})
atEnd(dns.close)
const resolve = createResolver({ clock, timeScale: 1 }, [dns.address])
const delivery = createDelivery({ webhookAllow: ['127.0.0.0/8'], resolve, clock, timeScale: 1 })
atEnd(delivery.close)

const deliver = (name: string) => delivery.deliver(`http://${name}:${port}/${name}`, {}, '{}')
const receivedBy = (name: string) => receiver.received.filter(({ url }) => url === `/${name}`).length
// Two attempts of two seconds, and slack for a busy machine.
const deadMsMax = 7_000
// A lookup that blocks the event loop blocks it for at least two seconds.
const blockedMsMax = 1_500

test('lookups of dead names fail by their deadline, without delaying other deliveries or the event loop', async (t) => {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  const from = performance.now()
  const dead = Array.from({ length: 100 }, (_, n) => deliver(`dead-${n}.test`))
  let isOver = false
  const over = Promise.all(dead).finally(() => (isOver = true))
  const live = await Promise.all(Array.from({ length: 16 }, () => deliver('live.test')))
  assert(!isOver, 'the delivery waited for the dead names')
  assert.deepEqual(new Set(live.map(({ status }) => status)), new Set([204]))
  for (const { failure } of await over) assert.equal(failure, 'unreachable')
  const tookMs = performance.now() - from
  delays.disable()
  const blockedMs = delays.max / 1e6
  t.diagnostic(`dead names ended after ${Math.round(tookMs)} ms; the longest turn took ${Math.round(blockedMs)} ms`)
  assert(tookMs < deadMsMax, `${tookMs} ms`)
  assert(blockedMs < blockedMsMax, `${blockedMs} ms`)
})

test('a slow name is resolved and delivered to', async () => {
  assert.equal((await deliver('slow.test')).status, 204)
})

test('a name that resolves to a forbidden address is refused without connecting; an unknown name is unreachable', async () => {
  const before = receiver.received.length
  for (const name of Object.keys(lies)) {
    assert.equal((await deliver(name)).failure, 'address-refused', name)
    assert.equal(receivedBy(name), 0)
  }
  assert.equal((await deliver('none.test')).failure, 'unreachable')
  assert.equal(receiver.received.length, before)
})

test(`lookup ${lookupsMax + 1} fails at once while ${lookupsMax} are in flight; all end by their deadline`, async () => {
  // However many dead servers there are.
  const silent = await Promise.all(Array.from({ length: 3 }, () => createDnsServer(() => 'silence')))
  const saturated = createResolver(
    { clock, timeScale: 1 },
    silent.map(({ address }) => address),
  )
  const from = performance.now()
  const dead = Array.from({ length: lookupsMax }, (_, n) => saturated(`dead-${n}.test`))
  await assert.rejects(saturated('live.test'), /too many names/)
  assert.deepEqual(new Set((await Promise.allSettled(dead)).map(({ status }) => status)), new Set(['rejected']))
  const tookMs = performance.now() - from
  assert(tookMs < deadMsMax, `${tookMs} ms`)
  await Promise.all(silent.map(({ close }) => close()))
})
