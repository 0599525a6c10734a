import { type Actor, logAction } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { insertPrice, nameTariff } from '../db/tariff.ts'
import { formatRoubles } from '../domain/money.ts'
import type { Price } from '../domain/tariff.ts'
import { OperatorMistake } from '../errors.ts'

type Command = {
  readonly tariff: string
  readonly name: string | undefined
  readonly price: Omit<Price, 'validFrom'> & { readonly validFrom: Date | undefined }
}

// Makes the tariff if need be, and adds a price to it. The moment from which the price is in force.
export async function setTariff(deps: { readonly slots: SlotMap }, actor: Actor, command: Command): Promise<Date> {
  return inTransaction(deps.slots.home, async (session) => {
    const { tariff, name, price } = command
    await nameTariff(session, tariff, name)
    const validFrom = await insertPrice(session, tariff, price)
    if (!validFrom) throw new OperatorMistake('a price from that very moment is there already; choose another moment')
    const details = { tariff, ...price, price: formatRoubles(price.price), validFrom }
    await logAction(session, actor, { accountId: null, action: 'tariff price set', details })
    return validFrom
  })
}
