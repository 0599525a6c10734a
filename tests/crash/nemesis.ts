// The nemesis injects the planned faults in order, and duplicates or delays some dispatched messages. It waits only for
// the duration of each fault, so the next one hits while the last victim is still recovering.

import { setTimeout as sleep } from 'node:timers/promises'
import { connect, headers } from '@nats-io/transport-node'
import type { Part } from './child.ts'
import type { Recorder } from './histories.ts'
import { natsPrefix } from './installation.ts'
import { createRandom, type Fault, type PlannedRequest } from './plan.ts'
import type { Nats } from './servers.ts'

export async function breakThings(
  faults: readonly Fault[],
  parts: ReadonlyMap<string, Part>,
  { nats }: { readonly nats: Pick<Nats, 'wipe'> },
  recorder: Recorder,
  send: (request: PlannedRequest) => Promise<void>,
): Promise<void> {
  const returns: Promise<void>[] = []
  // Which processes are down, and until when. One keeper is always left running, as an operator would ensure.
  const away = new Map<string, Promise<void>>()
  // Awaited at the end; a failure before that must not be lost, nor end the process before its children.
  const later = (work: Promise<void>) => {
    work.catch(() => undefined)
    returns.push(work)
  }
  for (const fault of faults) {
    const { act, victim, leadMs, holdMs, gapMs } = fault
    const part = parts.get(victim)
    if (!part) throw new RangeError(`there is no ${victim} to break`)
    if (victim.startsWith('keeper')) await Promise.all(away.values())
    for (const request of fault.volley) later(send(request))
    await sleep(leadMs)
    const atMs = Date.now()
    const noteReturn = async () => {
      await part.ready()
      recorder.fault({ act, victim, atMs, backAtMs: Date.now() })
    }
    const returning = (work: Promise<void>) => {
      later(work)
      if (victim.startsWith('keeper')) away.set(victim, work)
    }
    if (act === 'pause') {
      // A frozen process stays frozen while other things break; it may even be killed.
      part.freeze()
      returning(sleep(holdMs).then(part.thaw).then(noteReturn))
    } else {
      await part.kill()
      if (act === 'wipe') nats.wipe()
      await sleep(holdMs)
      part.start()
      returning(noteReturn())
    }
    await sleep(gapMs)
  }
  await Promise.all(returns)
}

export type Copies = { readonly count: () => number; readonly close: () => Promise<void> }

const copyMark = 'Crash-Copy'
const usualRates = { atOnce: 0.3, late: 0.3, lateMs: { first: 300, last: 4_000 } }

// Receives every dispatched order and publishes some of them again, at once or later. Each message is also searched for
// numbers in clear text.
export async function createCopies(
  seed: number,
  // One or more servers, as the product takes them.
  natsUrl: string,
  look: (payload: Uint8Array) => void,
  // The shares that are copied at once and later, and how much later.
  { atOnce, late, lateMs } = usualRates,
): Promise<Copies> {
  const urls = natsUrl.split(',').map((url) => new URL(url))
  const connection = await connect({
    servers: urls.map(({ host }) => host),
    user: urls[0]?.username ?? '',
    pass: urls[0]?.password ?? '',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
  })
  const random = createRandom(seed + 2)
  const timers = new Set<NodeJS.Timeout>()
  let count = 0
  const mark = headers()
  mark.set(copyMark, '1')
  const copy = (subject: string, payload: Uint8Array) => {
    if (connection.isClosed()) return
    count += 1
    connection.publish(subject, payload, { headers: mark })
  }
  connection.subscribe(`${natsPrefix}.calls.>`, {
    callback: (error, message) => {
      if (error || message.headers?.has(copyMark)) return
      look(message.data)
      const [drawn, delay] = [random(), random()]
      const afterMs = drawn < atOnce ? 0 : lateMs.first + delay * (lateMs.last - lateMs.first)
      if (drawn >= atOnce + late) return
      const payload = message.data.slice()
      const timer = setTimeout(() => {
        timers.delete(timer)
        copy(message.subject, payload)
      }, afterMs)
      timers.add(timer)
    },
  })
  return {
    count: () => count,
    close: async () => {
      for (const timer of timers) clearTimeout(timer)
      await connection.close()
    },
  }
}
