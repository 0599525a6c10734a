// Publishes to JetStream and resolves once a message is on disk. The client library's request allocates an Error, a timer and
// two more promises for each message, which costs more than sending it. Here one inbox receives all acknowledgements, and one
// timer finds those that are late.

import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { createClock } from '../../process/clock.ts'

export type AckedPublisher = {
  readonly publish: (subject: string, payload: Uint8Array) => Promise<void>
  readonly close: () => void
}

type Waiting = PromiseWithResolvers<void> & { readonly deadlineMs: number }

const ackMs = 3_000
const checkMs = 250

export function createAckedPublisher(connection: NatsConnection): AckedPublisher {
  // In order of their deadlines.
  const waiting = new Map<string, Waiting>()
  const inbox = `${createInbox()}.`
  let count = 0
  // In real time, whatever timeScale is: NATS is as slow in a test as in production.
  const clock = createClock(1)
  const settle = (name: string, problem: string | undefined) => {
    const entry = waiting.get(name)
    waiting.delete(name)
    if (problem === undefined) entry?.resolve()
    else entry?.reject(new Error(problem))
  }
  const subscription = connection.subscribe(`${inbox}*`, {
    callback: (error, message) => settle(message.subject.slice(inbox.length), error?.message ?? problemOf(message)),
  })
  const check = clock.every(checkMs, () => {
    const nowMs = clock.monotonicMs()
    for (const [name, { deadlineMs }] of waiting) {
      if (deadlineMs > nowMs) return
      settle(name, `JetStream did not acknowledge within ${ackMs / 1_000} s`)
    }
  })
  return {
    publish: async (subject, payload) => {
      count += 1
      const name = String(count)
      const entry = { ...Promise.withResolvers<void>(), deadlineMs: clock.monotonicMs() + ackMs }
      connection.publish(subject, payload, { reply: inbox + name })
      waiting.set(name, entry)
      return entry.promise
    },
    close: () => {
      check.stop()
      subscription.unsubscribe()
      for (const name of waiting.keys()) settle(name, 'the connection to NATS is closing')
    },
  }
}

type PublishAck = { readonly stream?: string; readonly error?: { readonly description?: string } }

// An empty message: no stream takes this subject.
function problemOf(message: Msg): string | undefined {
  if (message.data.length === 0) return 'no stream for this subject'
  try {
    const { stream, error } = message.json<PublishAck>()
    if (error) return error.description ?? 'JetStream refused the message'
    if (stream) return undefined
  } catch {
    // Not JSON: somebody else wrote to the inbox.
  }
  return 'not an acknowledgement of JetStream'
}
