// Reloads the numbering data when the command that imported it publishes a notification over NATS, and once a minute in case
// a notification is lost. The old data stays in use until the new data is loaded, or if loading fails.

import type { LoadedNumbering } from '../../numbering/load-numbering.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Bus } from '../core/bus.ts'

type Deps = {
  readonly index: Pick<LoadedNumbering, 'reload' | 'current'>
  readonly bus: Bus | undefined
  readonly clock: Clock
  readonly log: Logger
}

const pollMs = 60_000

export function startNumberingReload({ index, bus, clock, log }: Deps): { readonly close: () => Promise<void> } {
  let reloading: Promise<void> = Promise.resolve()
  const reload = async () => {
    try {
      if (await index.reload()) log.info({ numbering: index.current().version }, 'numbering data loaded')
    } catch (error) {
      log.error({ err: error }, 'numbering data load failed')
    }
  }
  const reloadNow = () => {
    reloading = reload()
  }
  const everyMinute = clock.every(pollMs, reloadNow)
  const subscription = bus?.connection.subscribe(bus.names.numberingSubject, { callback: reloadNow })
  return {
    close: async () => {
      everyMinute.stop()
      subscription?.unsubscribe()
      await reloading
    },
  }
}
