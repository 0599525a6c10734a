// A process learns of new numbering data at once, when the command that brought it says so over NATS, and by itself once a
// minute, because such a word may be missed. It serves from the old data until the new is loaded, and on if it cannot be.

import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { LoadedNumbering } from '../numbering/load-numbering.ts'
import type { Bus } from './bus.ts'

type Deps = {
  readonly index: Pick<LoadedNumbering, 'reload' | 'current'>
  readonly bus: Bus | undefined
  readonly clock: Clock
  readonly log: Logger
}

const pollMs = 60_000

export function startNumberingReload({ index, bus, clock, log }: Deps): { readonly close: () => Promise<void> } {
  let looking: Promise<void> = Promise.resolve()
  const look = async () => {
    try {
      if (await index.reload()) log.info({ numbering: index.current().version }, 'new numbering data')
    } catch (error) {
      log.error({ err: error }, 'new numbering data cannot be loaded; the old stays')
    }
  }
  const readNow = () => {
    looking = look()
  }
  const everyMinute = clock.every(pollMs, readNow)
  const subscription = bus?.connection.subscribe(bus.names.numberingSubject, { callback: readNow })
  return {
    close: async () => {
      everyMinute.stop()
      subscription?.unsubscribe()
      await looking
    },
  }
}
