// A request to another process over NATS. Undefined if no process listens, or none replies in time.

import { errors, type Msg } from '@nats-io/transport-node'
import type { Bus } from './bus.ts'

export async function requestReply(
  { connection, isUp }: Pick<Bus, 'connection' | 'isUp'>,
  subject: string,
  body: unknown,
  timeoutMs: number,
): Promise<Msg | undefined> {
  if (!isUp()) return undefined
  try {
    return await connection.request(subject, JSON.stringify(body), { timeout: timeoutMs })
  } catch (error) {
    if (error instanceof errors.NoRespondersError || error instanceof errors.TimeoutError) return undefined
    if (error instanceof errors.RequestError && error.isNoResponders()) return undefined
    throw error
  }
}
