import { limitedRules } from '@ringproof/contract/lists/protection.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { lockFraudLimits, writeFraudLimits } from '../../db/protection/fraud-limit.ts'
import {
  type FraudLimits,
  levelOf,
  limitMax,
  limitsInForce,
  type StoredLimits,
} from '../../domain/protection/fraud-limits.ts'
import { fieldChanges } from '../../domain/values/field-changes.ts'
import { UsageError } from '../../process/errors.ts'

type Deps = { readonly slots: SlotMap; readonly prefixHourMax: number | undefined }

// Every process follows within a second. Calls in progress are not affected. Returns what holds now.
export async function setFraudLimits(deps: Deps, actor: Actor, limits: StoredLimits): Promise<FraudLimits> {
  for (const rule of limitedRules) assertLimit(limits[rule])
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const stored = await lockFraudLimits(session)
    const before = limitsInForce(stored, deps.prefixHourMax)
    const after = limitsInForce({ ...stored, ...limits }, deps.prefixHourMax)
    await writeFraudLimits(session, limits)
    const withLevel = (all: FraudLimits) => ({ ...all, level: levelOf(all) ?? null })
    const details = fieldChanges(withLevel(before), withLevel(after))
    await logAction(session, actor, { accountId: null, action: 'fraud limits set', details })
    return after
  })
}

function assertLimit(limit: number | null | undefined): void {
  if (limit === null || limit === undefined) return
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax)
    throw new UsageError(`A limit is a whole number from 1 to ${limitMax}, or off.`)
}
