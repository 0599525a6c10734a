// `npm run bench` dispatches calls that no node takes. On a machine that is ten times faster it must not fill the stream.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { discardOldOrders, ordersKept } from '../../bench/order-stream.ts'
import { callStreams, streamConfigs, streamNames } from '../../server/src/engine/core/streams.ts'
import { atEnd } from '../support/at-end.ts'
import { stackSetting } from '../support/stack-settings.ts'

const { host, username, password } = new URL(stackSetting('RINGPROOF_NATS_URL'))
const connection = await connect({ servers: host, user: username, pass: password })
atEnd(() => connection.close())
const manager = await jetstreamManager(connection)
const client = jetstream(connection)

// The stream of production, but in memory, so that no disk slows it down.
async function createStream(): Promise<string> {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  for (const config of streamConfigs(prefix, 1)) {
    await manager.streams.add({ ...config, storage: StorageType.Memory })
    atEnd(() => manager.streams.delete(config.name))
  }
  return prefix
}

const batchSize = 64
const batchesInFlight = 4

// As fast as NATS takes them; how many a second.
async function publish(prefix: string, count: number): Promise<number> {
  const subject = streamNames(prefix).subjectOf('bench')
  const payload = new Uint8Array(300)
  let left = count
  const startedMs = performance.now()
  const publisher = async () => {
    while (left > 0) {
      left -= batchSize
      const batch = await client.startBatch(subject, payload)
      for (let n = 2; n < batchSize; n++) batch.add(subject, payload)
      await batch.commit(subject, payload)
    }
  }
  await Promise.all(Array.from({ length: batchesInFlight }, publisher))
  return (1_000 * count) / (performance.now() - startedMs)
}

test('three seconds of orders at ten times the speed of today are all stored, and the trunk is never full', async (t) => {
  const prefix = await createStream()
  await discardOldOrders(manager, prefix)
  // bench measures 5 000 a second. Nothing empties the stream here, so all that counts is how many come, not how fast.
  const perSecond = await publish(prefix, 10 * 5_000 * 3)
  t.diagnostic(`${Math.round(perSecond)} orders a second`)
  const { state } = await manager.streams.info(`${prefix}-calls-0`)
  assert.equal(state.messages, ordersKept)
  assert(state.messages < callStreams.messagesPerTrunkMax)
})

test('the stream as production sets it up refuses the same orders', async () => {
  const prefix = await createStream()
  await assert.rejects(publish(prefix, 3 * callStreams.messagesPerTrunkMax))
})
