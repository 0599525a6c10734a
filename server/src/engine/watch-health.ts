// How this process and what it depends on are doing, asked once a second in the background, so that a request for it costs
// nothing and no flood of such requests reaches the database.
//
// A probe goes through the very pool that serves requests. Where it does not get through, a connection of its own tells
// whose fault that is: if the database answers there, the pool is stuck, which another process need not share; if it does
// not, it is the database's, which all processes share, and taking this one out of service would help nobody.

import type { Clock } from '../clock.ts'
import { answersDirectly, type Database } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'

export type Health = {
  // Every database answers.
  readonly database: boolean
  // Queries get through the pools of this process.
  readonly pool: boolean
  // The event loop of this process keeps time.
  readonly eventLoop: boolean
}

export type HealthWatch = { readonly current: () => Health; readonly close: () => Promise<void> }

type Deps = {
  readonly slots: Pick<SlotMap, 'databases'>
  // Of real time.
  readonly clock: Clock
  readonly tell: (health: Health) => void
}

const probeMs = 1_000
const responseMs = 2_000
// One probe may meet a connection that is silent; the next one takes another.
const stuckProbes = 2
const lagMs = 2_000
// For how long a stall is remembered.
const stallMs = 5_000

export async function watchHealth(deps: Deps): Promise<HealthWatch> {
  const { slots, clock, tell } = deps
  const closing = new AbortController()
  const probes = slots.databases.map((database) => ({ database, isUp: true, failures: 0 }))
  let stalledAtMs = Number.NEGATIVE_INFINITY
  let beatAtMs = clock.monotonicMs()
  const current = (): Health => ({
    database: probes.every(({ isUp }) => isUp),
    pool: probes.every(({ failures }) => failures < stuckProbes),
    eventLoop: clock.monotonicMs() - stalledAtMs > stallMs,
  })
  const round = async () => {
    await Promise.all(
      probes.map(async (probe) => {
        const isThrough = await inTime(deps, probe.database)
        probe.isUp = isThrough || (await answersDirectly(probe.database, responseMs))
        // What failed while the database was away says nothing of the pool.
        probe.failures = isThrough || !probe.isUp ? 0 : probe.failures + 1
      }),
    )
    tell(current())
  }
  const beating = clock.every(probeMs, () => {
    const nowMs = clock.monotonicMs()
    if (nowMs - beatAtMs - probeMs > lagMs) stalledAtMs = nowMs
    beatAtMs = nowMs
  })
  await round()
  const watching = (async () => {
    while (!closing.signal.aborted) {
      await clock.sleep(probeMs, closing.signal)
      if (!closing.signal.aborted) await round()
    }
  })()
  return {
    current,
    close: async () => {
      beating.stop()
      closing.abort()
      await watching
    },
  }
}

async function inTime({ clock }: Deps, database: Database): Promise<boolean> {
  const answered = database.query('SELECT').then(
    () => true,
    () => false,
  )
  const given = new AbortController()
  const silent = clock.sleep(responseMs, given.signal).then(() => false)
  return Promise.race([answered, silent]).finally(() => given.abort())
}
