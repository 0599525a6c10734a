import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { hasPassed, insertPrice, insertTariff, lockTariff, renameTariff } from '../../db/money/tariff.ts'
import { formatDecimal } from '../../domain/money/money.ts'
import type { Price } from '../../domain/money/tariff.ts'
import { Denial, UsageError } from '../../process/errors.ts'

type Command = {
  readonly tariff: string
  readonly name: string | undefined
  // Refused if there is one with this code, which would otherwise get the name.
  readonly mustBeNew?: boolean
  readonly price: Omit<Price, 'validFrom'> & { readonly validFrom: Date | undefined }
}

// Creates or renames the tariff if needed and adds a price. Returns the time from which the price is valid.
export async function setTariff(deps: { readonly slots: SlotMap }, actor: Actor, command: Command): Promise<Date> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const { tariff, name, price, mustBeNew = false } = command
    const log = (action: string, details: Readonly<Record<string, unknown>>) =>
      logAction(session, actor, { accountId: null, action, details: { tariff, ...details } })

    if (await insertTariff(session, tariff, name ?? tariff)) {
      await log('tariff created', { name: name ?? tariff })
    } else if (mustBeNew) {
      throw new Denial('taken', ['tariff'])
    } else if (name !== undefined) {
      const before = await lockTariff(session, tariff)
      if (before !== name) {
        await renameTariff(session, tariff, name)
        await log('tariff renamed', { name: [before, name] })
      }
    }

    // Past charges must stay explained by the stored prices.
    if (price.validFrom && (await hasPassed(session, price.validFrom))) {
      throw new UsageError(
        `--from ${price.validFrom.toISOString()} has passed. Past prices cannot be changed; use a later time.`,
      )
    }
    const validFrom = await insertPrice(session, tariff, price)
    if (!validFrom) throw new UsageError('There is already a price from exactly that time. Choose another --from.')
    await log('tariff price set', { ...price, price: formatDecimal(price.price), validFrom })
    return validFrom
  })
}
