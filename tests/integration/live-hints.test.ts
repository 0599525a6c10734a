// Live hints: which topics of which account changed, at most four times a second.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveTopic } from '@ringproof/contract/web/api.ts'
import type { AccountId } from '../../server/src/domain/core/slot.ts'
import { type Bus, connectBus } from '../../server/src/engine/core/bus.ts'
import { createLiveHints, watchLiveHints } from '../../server/src/engine/core/live-hints.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { atEnd } from '../support/at-end.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'

const installation = await installPhones(0.2)
const log = createLog({ write: () => undefined })
const { environment } = installation
const bus: Bus = await connectBus(
  { natsUrls: [String(environment['RINGPROOF_NATS_URL'])] },
  String(environment['RINGPROOF_NATS_PREFIX']),
  1,
  createClock(1),
  log,
)
atEnd(bus.close)

type Hint = { readonly atMs: number; readonly topics: readonly LiveTopic[] }

async function hintsOf(accountId: AccountId): Promise<{ readonly hints: readonly Hint[]; readonly close: () => void }> {
  const hints: Hint[] = []
  const watch = watchLiveHints(bus, accountId, (topics) => void hints.push({ atMs: performance.now(), topics }))
  // The server has the subscription.
  await bus.connection.flush()
  return { hints, close: watch.close }
}

test('changes of one account are coalesced to four hints a second, and other accounts get none', async () => {
  const [busy, quiet] = [await hintsOf(64 as AccountId), await hintsOf(128 as AccountId)]
  const senders = [createLiveHints(bus), createLiveHints(bus)]
  const startedMs = performance.now()
  while (performance.now() < startedMs + 1_000) {
    for (const { noteChange } of senders) noteChange(64 as AccountId, 'verifications', 'phones')
    await new Promise(setImmediate)
  }
  senders[0]?.noteChange(64 as AccountId, 'services')
  await poll('the last change', () => busy.hints.some(({ topics }) => topics.includes('services')))
  // One more than a second has room for: the last change came after it.
  assert(busy.hints.length >= 2 && busy.hints.length <= 6, JSON.stringify(busy.hints))
  const gaps = busy.hints.slice(1).map(({ atMs }, at) => atMs - (busy.hints[at]?.atMs ?? 0))
  assert(
    gaps.every((gap) => gap > 200),
    gaps.join(' '),
  )
  assert.deepEqual(busy.hints[0]?.topics.toSorted(), ['phones', 'verifications'])
  assert.deepEqual(quiet.hints, [])
  // Nothing arrives after closing.
  busy.close()
  const before = busy.hints.length
  senders[1]?.noteChange(64 as AccountId, 'me')
  senders[1]?.noteChange(128 as AccountId, 'me')
  await poll('the hint of the other account', () => quiet.hints.length === 1)
  assert.equal(busy.hints.length, before)
  for (const { close } of senders) await close()
  quiet.close()
})

test('a start, its ring, its end, a matched test call and its webhook each give a hint', async () => {
  const { base } = await serve(installation)
  const service = await makeService(installation, 10)
  const other = await makeService(installation, 10)
  const own = await hintsOf(service.accountId)
  const foreign = await hintsOf(other.accountId)
  const { json } = await ask(`${base}/v1.0/initCall?phone=${freshNumber('180')}`, { headers: service.bearer })
  const ofCalls = () => own.hints.filter(({ topics }) => topics.includes('verifications'))
  const seen = () => ofCalls().length
  await poll('the hint of the start', () => seen() >= 1)
  await poll('the hint of the ring', () => seen() >= 2)
  await settled(base, service, json['vendor_id'])
  await poll('the hint of the end', () => seen() >= 3)
  assert(ofCalls().every(({ topics }) => topics.includes('phones')))
  await poll('the hint of the API log', () => own.hints.some(({ topics }) => topics.includes('requests')))

  const receiver = await createReceiverToTheEnd()
  const before = seen()
  const body = { phone: '79000000001', callback_url: `${receiver.url}/hints` }
  const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: service.bearer, body })
  assert.equal(asked.status, 200, asked.text)
  await receiver.count(1)
  await poll('hints of the request and of its webhook', () => seen() >= before + 2)
  assert.deepEqual(foreign.hints, [])
  for (const { close } of [own, foreign]) close()
})
