// Creates everything a new installation needs to place its first call, over a demo trunk. Existing data is not changed, so
// the command can be run again.
//
// No number here can belong to a person: no numbering plan assigns +7 000 or +7 600.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { hasPassed, insertPrice, lockTariff, readTariffs } from '../../db/money/tariff.ts'
import { insertConfirmationNumber } from '../../db/trunks/confirmation-number.ts'
import { insertTrunk, readCallerRanges } from '../../db/trunks/trunk.ts'
import { slotCount } from '../../domain/core/slot.ts'
import { formatDecimal, type MicroAmount } from '../../domain/money/money.ts'
import { anyCountry, defaultTariff, type Price } from '../../domain/money/tariff.ts'
import { codesCovered } from '../../domain/trunks/caller-pool.ts'
import { type Trunk, trunkDefaults } from '../../domain/trunks/trunk.ts'
import { addCallerRangeIn } from '../trunks/caller-numbers.ts'
import { codesPossible } from '../trunks/caller-numbers-view.ts'

// How many of each were created.
type Seeded = {
  readonly trunks: number
  readonly callerRanges: number
  readonly confirmationNumbers: number
  readonly prices: number
}

const trunk: Trunk = { ...trunkDefaults, name: 'demo', channels: 100, callsPerSecond: 100 }

const callerRanges = [
  { trunk: trunk.name, country: 'RU', first: 70_000_000_000, last: 70_000_009_999 },
  { trunk: trunk.name, country: 'KZ', first: 76_000_000_000, last: 76_000_009_999 },
]

const confirmationFirst = 70_000_010_001
const confirmationCount = 20

const prices: readonly Omit<Price, 'validFrom'>[] = [
  { method: 'initCall', mode: 'flash', country: 'RU', price: 400_000 as MicroAmount },
  { method: 'initCall', mode: 'flash', country: 'KZ', price: 600_000 as MicroAmount },
  { method: 'initCall', mode: 'voice', country: 'RU', price: 1_200_000 as MicroAmount },
  { method: 'initCall', mode: 'voice', country: 'KZ', price: 1_600_000 as MicroAmount },
  { method: 'initCall', mode: 'mix', country: 'RU', price: 1_500_000 as MicroAmount },
  { method: 'inboundCallWaiting', mode: '', country: anyCountry, price: 300_000 as MicroAmount },
  { method: 'checkPhone', mode: '', country: anyCountry, price: 50_000 as MicroAmount },
]

export async function seedDemo(deps: { readonly slots: SlotMap }, actor: Actor): Promise<Seeded> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    // Serialised: of two runs at once the second finds everything done.
    await lockTariff(session, defaultTariff)
    return {
      trunks: await seedTrunk(session, actor),
      callerRanges: await seedCallerRanges(session, actor),
      confirmationNumbers: await seedConfirmationNumbers(session, actor),
      prices: await seedPrices(session, actor),
    }
  })
}

async function seedTrunk(session: Session, actor: Actor): Promise<number> {
  if (!(await insertTrunk(session, trunk))) return 0
  await logAction(session, actor, { accountId: null, action: 'trunk added', details: trunk })
  return 1
}

async function seedCallerRanges(session: Session, actor: Actor): Promise<number> {
  const present = (await readCallerRanges(session)).filter((range) => range.trunk === trunk.name)
  const missing = callerRanges.filter(
    ({ country }) => codesCovered(present.filter((range) => range.country === country)).length < codesPossible,
  )
  for (const range of missing) await addCallerRangeIn(session, actor, range)
  return missing.length
}

// Spread evenly over the slots, so that each database has some.
async function seedConfirmationNumbers(session: Session, actor: Actor): Promise<number> {
  let created = 0
  for (let index = 0; index < confirmationCount; index++) {
    const number = confirmationFirst + index
    const slot = Math.floor((index * slotCount) / confirmationCount)
    if (!(await insertConfirmationNumber(session, number, trunk.name, slot))) continue
    const details = { number, trunk: trunk.name, slot }
    await logAction(session, actor, { accountId: null, action: 'confirmation number added', details })
    created++
  }
  return created
}

async function seedPrices(session: Session, actor: Actor): Promise<number> {
  const present = (await readTariffs(session)).find(({ code }) => code === defaultTariff)?.prices ?? []
  let created = 0
  for (const price of prices) {
    if (await isSold(session, present, price)) continue
    const validFrom = await insertPrice(session, defaultTariff, { ...price, validFrom: undefined })
    const details = { tariff: defaultTariff, ...price, price: formatDecimal(price.price), validFrom }
    await logAction(session, actor, { accountId: null, action: 'tariff price set', details })
    created++
  }
  return created
}

// A price for any country also counts for this one. By the database's clock, as when a call is charged.
async function isSold(
  session: Session,
  present: readonly Price[],
  { method, mode, country }: Omit<Price, 'validFrom'>,
): Promise<boolean> {
  const fitting = present.filter(
    (price) =>
      price.method === method && price.mode === mode && (price.country === country || price.country === anyCountry),
  )
  for (const { validFrom } of fitting) {
    if (await hasPassed(session, validFrom)) return true
  }
  return false
}
