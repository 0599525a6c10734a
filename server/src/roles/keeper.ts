// The role `keeper` (housekeeping): ends overdue calls, deletes old data, watches for fraud and backups, switches traffic over between
// trunks, chains the audit log, sends notices, and fetches the numbering registry.

import { randomBytes } from 'node:crypto'
import type { Database } from '../db/core/database.ts'
import type { SlotMap } from '../db/core/slot-map.ts'
import type { Bus } from '../engine/core/bus.ts'
import { keepHouse } from '../engine/core/housekeeping.ts'
import { measure } from '../engine/core/measure.ts'
import { sweep } from '../engine/core/sweep.ts'
import { startAuditChain } from '../engine/installation/audit-chain.ts'
import { startBackupWatch } from '../engine/installation/backup-watch.ts'
import { startNotices } from '../engine/notices/notices.ts'
import { startRegistryFetch } from '../engine/numbers/registry-fetch.ts'
import { startFraudWatch } from '../engine/protection/fraud-watch.ts'
import { startSwitchOver } from '../engine/trunks/switch-over.ts'
import { keepCounts } from '../engine/verifications/count-calls.ts'
import { createClock } from '../process/clock.ts'
import { readBackups } from '../process/installation-files.ts'
import { createSendNotice } from './send-notice.ts'
import type { Closing, RoleDatabases, ServerDeps } from './server-deps.ts'

export function startKeeperRole(deps: ServerDeps, { slots }: RoleDatabases, bus: Bus | undefined): readonly Closing[] {
  const { config, clock, log, events } = deps
  const { timeScale, prefixHourMax } = config
  const { numberingDir, registryUrl = '', registryCaFile, registryFetchHours } = config
  const registry = { numberingDir, registryUrl, registryCaFile, registryFetchHours }
  const notifyChanged = () => bus?.connection.publish(bus.names.numberingSubject)
  const notices = createSendNotice(deps, slots)
  return [
    notices,
    ...slots.databases.map((database, index) => startLoops(deps, slots, database, String(index))),
    startNotices({ slots, timeScale, send: notices.send, clock, log }),
    startAuditChain({ slots, clock: createClock(1), log }),
    startFraudWatch({ slots, timeScale, prefixHourMax, clock, log }),
    startSwitchOver({ slots, timeScale, clock, log }),
    startRegistryFetch({ ...registry, timeScale, notifyChanged, bus, clock, events, log }),
    startBackupWatch({ backupStanzas: config.backupStanzas, readBackups, clock: createClock(1), events, log }),
  ]
}

// Any number of keepers work on a database at once and skip rows that another has locked, so a frozen or dead keeper costs nothing
// while one is left.
function startLoops(
  { config, clock, events, log }: ServerDeps,
  slots: SlotMap,
  database: Database,
  name: string,
): Closing {
  const { timeScale, verificationDays, ledgerDays } = config
  const deps = { slots, database, name, timeScale, verificationDays, ledgerDays, randomBytes, clock, events, log }
  const closing = new AbortController()
  const loops = [sweep, keepHouse, keepCounts, measure].map((loop) => loop(deps, closing.signal))
  return {
    close: async () => {
      closing.abort()
      await Promise.all(loops)
    },
  }
}
