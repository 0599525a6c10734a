// The role `keeper` (housekeeping): ends overdue calls, deletes old data, watches for fraud and backups, switches traffic over between trunks,
// chains the audit log, sends notices, and fetches the numbering registry.

import { randomBytes } from 'node:crypto'
import { createClock } from '../clock.ts'
import { startAuditChain } from '../engine/audit-chain.ts'
import { startBackupWatch } from '../engine/backup-watch.ts'
import type { Bus } from '../engine/bus.ts'
import { startFraudWatch } from '../engine/fraud-watch.ts'
import { startKeeper } from '../engine/keeper.ts'
import { startNotices } from '../engine/notices.ts'
import { startRegistryFetch } from '../engine/registry-fetch.ts'
import { startSwitchOver } from '../engine/switch-over.ts'
import { readBackups } from '../installation-files.ts'
import { createSendNotice } from './send-notice.ts'
import type { Closing, RoleDatabases, ServerDeps } from './server-deps.ts'

export function startKeeperRole(deps: ServerDeps, { slots }: RoleDatabases, bus: Bus | undefined): readonly Closing[] {
  const { config, clock, log, events } = deps
  const { timeScale, verificationDays, ledgerDays, prefixHourMax } = config
  const { numberingDir, registryUrl = '', registryCaFile, registryFetchHours } = config
  const registry = { numberingDir, registryUrl, registryCaFile, registryFetchHours }
  const notifyChanged = () => bus?.connection.publish(bus.names.numberingSubject)
  const notices = createSendNotice(deps, slots)
  return [
    notices,
    startKeeper({ slots, timeScale, verificationDays, ledgerDays, randomBytes, clock, events, log }),
    startNotices({ slots, timeScale, send: notices.send, clock, log }),
    startAuditChain({ slots, clock: createClock(1), log }),
    startFraudWatch({ slots, timeScale, prefixHourMax, clock, log }),
    startSwitchOver({ slots, timeScale, clock, log }),
    startRegistryFetch({ ...registry, timeScale, notifyChanged, bus, clock, events, log }),
    startBackupWatch({ backupStanzas: config.backupStanzas, readBackups, clock: createClock(1), events, log }),
  ]
}
