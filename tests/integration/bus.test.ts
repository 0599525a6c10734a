// The call queue: a NATS that comes back without its streams, and a stream that is full for some trunks.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { AccountId, VerificationId } from '../../server/src/domain/core/slot.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import type { CallOrder } from '../../server/src/domain/verifications/call-order.ts'
import { connectBus } from '../../server/src/engine/core/bus.ts'
import { createVault } from '../../server/src/engine/core/vault.ts'
import { createDispatch } from '../../server/src/engine/verifications/dispatch.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { freshKey, keyRing } from '../support/key-ring.ts'
import { poll } from '../support/poll.ts'
import { stackSetting } from '../support/stack-settings.ts'

const clock = createClock(1)
const log = createLog({ write: () => undefined })
const keys = { sealNumbers: keyRing([1, freshKey()]) }

test('streams and vault that vanished are created again when the connection returns', async () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  const bus = await connectBus({ natsUrls: [stackSetting('RINGPROOF_NATS_URL')] }, prefix, 1, clock, log)
  const vault = await createVault(bus, keys, randomBytes, 1)
  const names = [...bus.names.streams, `KV_${bus.names.vaultBucket}`]
  try {
    for (const name of names) await bus.manager.streams.delete(name)
    // Held back, so that the time in which it is down can be observed.
    let recreated = Promise.withResolvers<void>()
    recreated.resolve()
    await bus.ensure(() => recreated.promise)
    assert.equal(bus.isUp(), true)
    recreated = Promise.withResolvers<void>()
    await bus.connection.reconnect()
    await poll('isUp to be false', () => !bus.isUp())
    recreated.resolve()
    await poll('isUp to be true', bus.isUp)
    for (const name of names) assert.equal((await bus.manager.streams.info(name)).config.name, name)
    await bus.client.publish(bus.names.subjectOf('first'), 'an order')
    const number = '79070000180' as PhoneNumber
    assert.equal(await vault.read(await vault.put(number)), number)
  } finally {
    for (const name of names) await bus.manager.streams.delete(name).catch(() => undefined)
    await bus.close()
  }
})

for (const count of [3, 60]) {
  test(`of ${count} orders dispatched in one batch, only those to a full trunk fail`, async () => {
    const prefix = `test-${randomBytes(6).toString('hex')}`
    const bus = await connectBus({ natsUrls: [stackSetting('RINGPROOF_NATS_URL')] }, prefix, 1, clock, log)
    const dispatch = createDispatch({ bus, keys, randomBytes, clock, events: { queuesMeasured: () => undefined } })
    const [stream = ''] = bus.names.streams
    try {
      await bus.manager.streams.update(stream, { max_msgs_per_subject: count - 1 })
      const to = (trunk: string, id: number) => dispatch.dispatchCall(order(trunk, id))
      await Promise.all(Array.from({ length: count - 1 }, (_, n) => to('full', n)))
      const results = await Promise.allSettled(
        Array.from({ length: count }, (_, n) => to(n === count - 1 ? 'full' : 'free', 100 + n)),
      )
      assert.deepEqual(
        results.map(({ status }) => status),
        results.map((_, n) => (n === count - 1 ? 'rejected' : 'fulfilled')),
      )
      const { state } = await bus.manager.streams.info(stream, { subjects_filter: '>' })
      assert.deepEqual(state.subjects, {
        [bus.names.subjectOf('full')]: count - 1,
        [bus.names.subjectOf('free')]: count - 1,
      })
    } finally {
      await dispatch.close()
      await bus.manager.streams.delete(stream)
      await bus.close()
    }
  })
}

test('open orders are those of this process at once and those of all others a second later', async () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  const bus = await connectBus({ natsUrls: [stackSetting('RINGPROOF_NATS_URL')] }, prefix, 1, clock, log)
  const create = () => createDispatch({ bus, keys, randomBytes, clock, events: { queuesMeasured: () => undefined } })
  const [own, other] = [create(), create()]
  const [stream = ''] = bus.names.streams
  try {
    await Promise.all([own.dispatchCall(order('first', 1)), own.dispatchCall(order('first', 2))])
    assert.deepEqual([own.openOrdersOf('first'), own.openOrdersOf('second')], [2, 0])
    await poll('the other process to count both', () => other.openOrdersOf('first') === 2)
    await bus.manager.streams.purge(stream)
    await poll('ended calls to be counted no more', () => own.openOrdersOf('first') === 0)
  } finally {
    await Promise.all([own.close(), other.close()])
    await bus.manager.streams.delete(stream)
    await bus.close()
  }
})

function order(trunk: string, id: number): CallOrder {
  const route = { trunk, callerNumber: undefined, ringSeconds: undefined, countsEarlyMedia: false }
  return {
    id: id as VerificationId,
    accountId: 64 as AccountId,
    attempt: 1,
    routes: [route],
    mode: 'flash',
    code: '0417',
    language: 'ru',
    isTest: false,
    number: '79070000180' as PhoneNumber,
    numberLeaseId: id,
  }
}
