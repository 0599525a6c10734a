// One line a minute for each service whose key somebody guesses at, or sends wrong: what an operator sets an alert on. IDs
// that no service has are counted together, without what was sent. The number of all refusals is in the metrics already,
// as requests with code 401.

import type { Clock } from '../clock.ts'
import type { ServiceId } from '../domain/slot.ts'
import type { Logger } from '../log.ts'

export type FailedAuthentications = {
  // Undefined: there is no such service.
  readonly note: (serviceId: ServiceId | undefined) => void
  // Writes what was counted so far.
  readonly close: () => void
}

const writeMs = 60_000

export function createFailedAuthentications(clock: Clock, log: Logger): FailedAuthentications {
  const failures = new Map<ServiceId | undefined, number>()
  const write = () => {
    for (const [serviceId, count] of failures) {
      log.warn({ service_id: serviceId, failures: count }, 'authentication failed')
    }
    failures.clear()
  }
  const timer = clock.every(writeMs, write)
  return {
    note: (serviceId) => failures.set(serviceId, (failures.get(serviceId) ?? 0) + 1),
    close: () => {
      timer.stop()
      write()
    },
  }
}
