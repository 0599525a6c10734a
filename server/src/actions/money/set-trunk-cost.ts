import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { hasPassed } from '../../db/money/tariff.ts'
import { insertTrunkCost } from '../../db/money/trunk-cost.ts'
import { readTrunks } from '../../db/trunks/trunk.ts'
import type { TrunkCost } from '../../domain/money/margin.ts'
import { formatDecimal } from '../../domain/money/money.ts'
import { UsageError } from '../../process/errors.ts'

type Command = Omit<TrunkCost, 'validFrom'> & { readonly validFrom: Date | undefined }

// What a carrier takes for one dialled call, from a time on. Returns that time.
export async function setTrunkCost(deps: { readonly slots: SlotMap }, actor: Actor, command: Command): Promise<Date> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const { trunk, validFrom } = command
    if (!(await readTrunks(session)).some(({ name }) => name === trunk))
      throw new UsageError(`Trunk ${trunk} does not exist. \`ringproof trunks list\` shows all trunks.`)
    if (validFrom && (await hasPassed(session, validFrom))) {
      throw new UsageError(
        `--from ${validFrom.toISOString()} has passed. Past costs cannot be changed; use a later time.`,
      )
    }
    const inForce = await insertTrunkCost(session, command)
    if (!inForce) throw new UsageError('There is already a cost from exactly that time. Choose another --from.')
    const details = { ...command, cost: formatDecimal(command.cost), validFrom: inForce }
    await logAction(session, actor, { accountId: null, action: 'trunk cost set', details })
    return inForce
  })
}
