// Acknowledgements of JetStream: a publication resolves when it is stored, and fails with its cause otherwise.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { connectBus } from '../../server/src/engine/core/bus.ts'
import { createAckedPublisher } from '../../server/src/engine/core/publish-acks.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { stackSetting } from '../support/stack-settings.ts'

const prefix = `test-${randomBytes(6).toString('hex')}`
const log = createLog({ write: () => undefined })
const bus = await connectBus({ natsUrls: [stackSetting('RINGPROOF_NATS_URL')] }, prefix, 1, createClock(1), log)
const [stream = ''] = bus.names.streams
atEnd(async () => {
  await bus.manager.streams.delete(stream)
  await bus.close()
})
const subject = bus.names.subjectOf('first')
const payload = Buffer.from('an order')

test('many publications at once are each stored before they resolve', async () => {
  const { publish, close } = createAckedPublisher(bus.connection)
  await Promise.all(Array.from({ length: 300 }, () => publish(subject, payload)))
  assert.equal((await bus.manager.streams.info(stream)).state.messages, 300)
  close()
})

test('a subject without a stream, a full stream and a silent one fail, each with its cause', async () => {
  const { publish, close } = createAckedPublisher(bus.connection)
  await assert.rejects(publish(`${prefix}.nowhere`, payload), /no stream for this subject/)
  await bus.manager.streams.update(stream, { max_msgs_per_subject: 300 })
  await assert.rejects(publish(subject, payload), /maximum messages/)
  // Receives, and never acknowledges.
  const silent = bus.connection.subscribe(`${prefix}.silent`)
  await assert.rejects(publish(`${prefix}.silent`, payload), /did not acknowledge within 3 s/)
  silent.unsubscribe()
  close()
})

test('what is not an acknowledgement of JetStream does not count as one', async () => {
  const { publish, close } = createAckedPublisher(bus.connection)
  const responses = ['not JSON', '{}', '{"stream":""}', 'null']
  const stranger = bus.connection.subscribe(`${prefix}.stranger`, {
    callback: (_, message) => void message.respond(responses.shift()),
  })
  while (responses.length > 0) {
    await assert.rejects(publish(`${prefix}.stranger`, payload), /not an acknowledgement/)
  }
  stranger.unsubscribe()
  close()
})

test('closing fails what still waits', async () => {
  const { publish, close } = createAckedPublisher(bus.connection)
  let arrived = 0
  const silent = bus.connection.subscribe(`${prefix}.silent`, { callback: () => void (arrived += 1) })
  const published = publish(`${prefix}.silent`, payload)
  const failed = assert.rejects(published, /is closing/)
  await poll('the publication', () => arrived === 1)
  close()
  await failed
  silent.unsubscribe()
})
