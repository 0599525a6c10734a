// The role `keeper` (housekeeping): ends overdue calls, deletes old data and watches for fraud.

import { randomBytes } from 'node:crypto'
import { startFraudWatch } from '../engine/fraud-watch.ts'
import { startKeeper } from '../engine/keeper.ts'
import type { Closing, RoleDatabases, ServerDeps } from './server-deps.ts'

export function startKeeperRole(deps: ServerDeps, { slots }: RoleDatabases): readonly Closing[] {
  const { config, clock, log, events } = deps
  const { timeScale, verificationDays, ledgerDays, prefixHourMax } = config
  return [
    startKeeper({ slots, timeScale, verificationDays, ledgerDays, randomBytes, clock, events, log }),
    startFraudWatch({ slots, timeScale, prefixHourMax, clock, log }),
  ]
}
