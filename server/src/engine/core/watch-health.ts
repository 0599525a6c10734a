// The health of this process and its databases, probed once a second in the background. A health request costs nothing, and
// a flood of them does not reach the database.
//
// A probe uses the same pool as requests. If it fails, a separate connection finds the cause. If the database responds there,
// the pool of this process is stuck, and other processes may be fine. If not, the database is down for all processes, and
// taking this one out of service would not help.

import { type Database, respondsDirectly } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import type { Clock } from '../../process/clock.ts'

export type Health = {
  // Every database responds.
  readonly database: boolean
  // Queries get through the pools of this process.
  readonly pool: boolean
  // The event loop has not stalled lately.
  readonly eventLoop: boolean
}

export type HealthWatch = { readonly current: () => Health; readonly close: () => Promise<void> }

type Deps = {
  readonly slots: Pick<SlotMap, 'databases'>
  // Real time, whatever the time scale.
  readonly clock: Clock
  readonly onProbe: (health: Health) => void
}

const probeMs = 1_000
const responseMs = 2_000
// One probe may get a dead connection; the next one gets another.
const stuckProbes = 2
const lagMs = 2_000
// How long a stall counts.
const stallMs = 5_000

export async function watchHealth(deps: Deps): Promise<HealthWatch> {
  const { slots, clock, onProbe } = deps
  const closing = new AbortController()
  const probes = slots.databases.map((database) => ({ database, isUp: true, failures: 0 }))
  let stalledAtMs = Number.NEGATIVE_INFINITY
  let checkedAtMs = clock.monotonicMs()
  const current = (): Health => ({
    database: probes.every(({ isUp }) => isUp),
    pool: probes.every(({ failures }) => failures < stuckProbes),
    eventLoop: clock.monotonicMs() - stalledAtMs > stallMs,
  })
  const round = async () => {
    await Promise.all(
      probes.map(async (probe) => {
        const isThrough = await respondsInTime(deps, probe.database)
        probe.isUp = isThrough || (await respondsDirectly(probe.database, responseMs))
        // A failure while the database is down says nothing about the pool.
        probe.failures = isThrough || !probe.isUp ? 0 : probe.failures + 1
      }),
    )
    onProbe(current())
  }
  const stallCheck = clock.every(probeMs, () => {
    const nowMs = clock.monotonicMs()
    if (nowMs - checkedAtMs - probeMs > lagMs) stalledAtMs = nowMs
    checkedAtMs = nowMs
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
      stallCheck.stop()
      closing.abort()
      await watching
    },
  }
}

async function respondsInTime({ clock }: Deps, database: Database): Promise<boolean> {
  const response = database.query('SELECT').then(
    () => true,
    () => false,
  )
  const settled = new AbortController()
  const timeout = clock.sleep(responseMs, settled.signal).then(() => false)
  return Promise.race([response, timeout]).finally(() => settled.abort())
}
