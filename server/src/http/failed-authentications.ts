// Logs one line per minute for each service that received wrong keys, for operators to alert on. Unknown service IDs are
// counted together, without the values sent. The total is already in the metrics, as requests with code 401.

import type { ServiceId } from '../domain/core/slot.ts'
import type { Clock } from '../process/clock.ts'
import type { Logger } from '../process/log/log.ts'

type FailedAuthentications = {
  // Undefined if there is no such service.
  readonly note: (serviceId: ServiceId | undefined) => void
  // Logs the counts so far.
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
