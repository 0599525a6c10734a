// Our numbers that subscribers call. Each belongs to the trunk that it is reached over and to a slot. An inbound call names
// no account, but the called number leads to the database with the pending request. So a request takes a number from the
// database of its account, and two databases never give one subscriber the same number.

import { type Slot, slotCount } from '../core/slot.ts'
import { servingTrunks } from './routing.ts'
import type { Trunk } from './trunk.ts'

export type ConfirmationNumber = {
  readonly number: number
  readonly trunk: string
  readonly slot: Slot
  // Given to no further subscriber; those who have it may still call it.
  readonly isRemoved: boolean
}

export type ConfirmationTable = {
  readonly trunks: readonly Trunk[]
  readonly confirmationNumbers: readonly ConfirmationNumber[]
}

// The database looks at no more than these. An account with more pending requests for one subscriber is abusive.
const candidatesMax = 200

// Only a virtual phone calls over the test trunk. A test number calls nobody, so any number serves it.
type WantedNumber = {
  readonly country: string
  readonly line: 'carrier' | 'test' | 'scenario'
  readonly isLocalShard: (slot: Slot) => boolean
}

// The numbers that a subscriber of the country can be given, in order from a random one on. The fraction is in [0, 1).
export function candidatesFor(
  { trunks, confirmationNumbers }: ConfirmationTable,
  { country, line, isLocalShard }: WantedNumber,
  random: number,
): readonly ConfirmationNumber[] {
  const carriers = servingTrunks(trunks, country)
  const test = trunks.filter(({ isTest, isOn }) => isTest && isOn)
  const [preferred, otherwise] = line === 'scenario' ? [test, carriers] : [carriers, line === 'test' ? test : []]
  const serving = new Set((preferred.length > 0 ? preferred : otherwise).map(({ name }) => name))
  const fitting = confirmationNumbers.filter(
    ({ trunk, slot, isRemoved }) => !isRemoved && serving.has(trunk) && isLocalShard(slot),
  )
  const first = Math.floor(random * fitting.length)
  return [...fitting.slice(first), ...fitting.slice(0, first)].slice(0, candidatesMax)
}

// The slot of the n-th number that is added, from 0. 37 is coprime to 64 and about half of it, so numbers in a row land far
// apart and two or eight databases get about the same share each.
export function slotOfNth(n: number): Slot {
  return ((n * 37) % slotCount) as Slot
}
