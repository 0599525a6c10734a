// No node takes call orders off the queue during a benchmark, and a full queue refuses them. Emptying it on a timer would
// only work up to some speed, so the stream drops the oldest order for each new one instead. That holds at any rate. It also
// costs NATS about what the acknowledgement of a real worker would: one message removed for each one stored.

import { DiscardPolicy, type JetStreamManager } from '@nats-io/jetstream'
import { callStreams, streamNames } from '../server/src/engine/core/streams.ts'

// Half of the limit: the API never sees a full trunk.
export const ordersKept = callStreams.messagesPerTrunkMax / 2

// Call it after every process has connected: each of them sets the stream up as production needs it.
export async function discardOldOrders(manager: JetStreamManager, prefix: string): Promise<void> {
  for (const stream of streamNames(prefix).streams) {
    const { config } = await manager.streams.info(stream)
    await manager.streams.update(stream, {
      ...config,
      discard: DiscardPolicy.Old,
      discard_new_per_subject: false,
      max_msgs_per_subject: ordersKept,
    })
  }
}
