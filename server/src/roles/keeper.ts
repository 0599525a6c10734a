// The role `keeper`: ends overdue calls, drops what is old, and watches for fraud.

import { randomBytes } from 'node:crypto'
import { startFraudWatch } from '../engine/fraud-watch.ts'
import { startKeeper } from '../engine/keeper.ts'
import type { Closing, RoleRecord, ServerDeps } from './server-deps.ts'

export function startKeeperRole(deps: ServerDeps, { slots }: RoleRecord): readonly Closing[] {
  const { config, clock, log, events } = deps
  const { timeScale, verificationDays, ledgerDays, prefixHourMax } = config
  return [
    startKeeper({ slots, timeScale, verificationDays, ledgerDays, randomBytes, clock, events, log }),
    startFraudWatch({ slots, timeScale, prefixHourMax, clock, log }),
  ]
}
