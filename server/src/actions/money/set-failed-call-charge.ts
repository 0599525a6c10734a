import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { setChargesFailed } from '../../db/money/tariff.ts'
import { UsageError } from '../../process/errors.ts'

type Command = { readonly tariff: string; readonly charges: boolean }

// For calls that are accepted from now on. False if nothing changed; then nothing is logged.
export async function setFailedCallCharge(
  deps: { readonly slots: SlotMap },
  actor: Actor,
  { tariff, charges }: Command,
): Promise<boolean> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const changed = await setChargesFailed(session, tariff, charges)
    if (changed === undefined)
      throw new UsageError(`Tariff ${tariff} does not exist. \`ringproof tariffs list\` shows all tariffs.`)
    if (changed)
      await logAction(session, actor, { accountId: null, action: 'tariff changed', details: { tariff, charges } })
    return changed
  })
}
