import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  hasPassed,
  insertPrice,
  insertTariff,
  lockTariff,
  readTariffs,
  renameTariff,
  setChargesFailed,
  type Tariff,
} from '../../db/money/tariff.ts'
import { insertTrunkCost } from '../../db/money/trunk-cost.ts'
import { readTrunks } from '../../db/trunks/trunk.ts'
import type { TrunkCost } from '../../domain/money/margin.ts'
import { formatDecimal } from '../../domain/money/money.ts'
import type { Price } from '../../domain/money/tariff.ts'
import { Denial, UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
}

type Command = {
  readonly tariff: string
  readonly name: string | undefined
  // Refused if there is one with this code, which would otherwise get the name.
  readonly mustBeNew?: boolean
  readonly price: Omit<Price, 'validFrom'> & { readonly validFrom: Date | undefined }
}

// Creates or renames the tariff if needed and adds a price. Returns the time from which the price is valid.
export async function setTariff(deps: Deps, actor: Actor, command: Command): Promise<Date> {
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

export async function listTariffs(deps: Deps): Promise<readonly Tariff[]> {
  return readTariffs(deps.slots.globalDatabase)
}

type SetFailedCallChargeCommand = { readonly tariff: string; readonly charges: boolean }

// For calls that are accepted from now on. False if nothing changed; then nothing is logged.
export async function setFailedCallCharge(
  deps: Deps,
  actor: Actor,
  { tariff, charges }: SetFailedCallChargeCommand,
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

type SetTrunkCostCommand = Omit<TrunkCost, 'validFrom'> & { readonly validFrom: Date | undefined }

// What a carrier takes for one dialled call, from a time on. Returns that time.
export async function setTrunkCost(deps: Deps, actor: Actor, command: SetTrunkCostCommand): Promise<Date> {
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
