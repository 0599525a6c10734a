// Counts how first attempts ring, by destination and trunk, for the switch-over between trunks. Written every few seconds; while the
// database is down the counts of the last minutes are lost, because they would be counted in a later minute.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { type AddedRouteCount, addRouteCounts } from '../../db/trunks/switch-over.ts'
import type { CallOrder } from '../../domain/verifications/call-order.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'

export type RouteCounts = {
  readonly note: (order: Pick<CallOrder, 'attempt' | 'destination' | 'isTest'>, trunk: string, hasRung: boolean) => void
  readonly close: () => Promise<void>
}

type Deps = {
  readonly slots: Pick<SlotMap, 'globalDatabase'>
  readonly timeScale: number
  readonly clock: Clock
  readonly log: Logger
}

const writeMs = 5_000

export function createRouteCounts({ slots, timeScale, clock, log }: Deps): RouteCounts {
  let counts = new Map<string, { -readonly [Name in keyof AddedRouteCount]: AddedRouteCount[Name] }>()
  const closing = new AbortController()
  const write = async () => {
    if (counts.size === 0) return
    const written = [...counts.values()]
    counts = new Map()
    await addRouteCounts(slots.globalDatabase, written, timeScale).catch((error: unknown) =>
      log.warn({ err: error }, 'route count write failed'),
    )
  }
  const writing = (async () => {
    while (!closing.signal.aborted) {
      await clock.pause(writeMs, closing.signal)
      await write()
    }
  })()
  return {
    note: ({ attempt, destination, isTest }, trunk, hasRung) => {
      if (isTest || attempt !== 1 || !destination) return
      const key = JSON.stringify([destination.country, destination.provider, trunk])
      const count = counts.get(key) ?? { ...destination, trunk, dialled: 0, rang: 0 }
      counts.set(key, count)
      count.dialled += 1
      count.rang += hasRung ? 1 : 0
    },
    close: async () => {
      closing.abort()
      await writing
      await write()
    },
  }
}
