// The role `keeper`: ends overdue calls, drops what is old, and watches for fraud.

import { randomBytes } from 'node:crypto'
import { openFraudWatch } from '../engine/fraud-watch.ts'
import { openKeeper } from '../engine/keeper.ts'
import type { Closing, RoleRecord, ServerDeps } from './server-deps.ts'

export function openKeeperRole(deps: ServerDeps, { slots }: RoleRecord): readonly Closing[] {
  const { config, clock, log, events } = deps
  const { timeScale, verificationDays, ledgerDays, prefixHourMax } = config
  return [
    openKeeper({ slots, timeScale, verificationDays, ledgerDays, randomBytes, clock, events, log }),
    openFraudWatch({ slots, timeScale, prefixHourMax, clock, log }),
  ]
}
