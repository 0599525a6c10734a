// Our numbers that subscribers call. Each belongs to the trunk it is reached over and to a slot: a call knows no account,
// but the number it was made to says in which database somebody waits for it. So a wait takes a number of its own account's
// database, and two databases never give one subscriber the same number.

import { type Slot, slotCount } from '../slot.ts'
import { servingTrunks, type Trunk } from './routing.ts'

export type ConfirmationNumber = { readonly number: number; readonly trunk: string; readonly slot: Slot }

// Whoever has more waits than this for one subscriber is up to no good; so many are looked at and no more.
const candidatesMax = 200

// Those that a subscriber of the country can be told, from a random one on; randomBytes is in [0, 1).
export function candidatesFor(
  trunks: readonly Trunk[],
  numbers: readonly ConfirmationNumber[],
  country: string,
  isLocalShard: (slot: Slot) => boolean,
  randomBytes: number,
): readonly ConfirmationNumber[] {
  const serving = new Set(servingTrunks(trunks, country).map(({ name }) => name))
  const fitting = numbers.filter(({ trunk, slot }) => serving.has(trunk) && isLocalShard(slot))
  const first = Math.floor(randomBytes * fitting.length)
  return [...fitting.slice(first), ...fitting.slice(0, first)].slice(0, candidatesMax)
}

// The slot of the n-th number that is added, from 0. Thirty-seven has no divisor in common with sixty-four and is a good
// half of it: any few numbers in a row lie far apart, so that two databases or eight of them get about as many each.
export function slotOfNth(n: number): Slot {
  return ((n * 37) % slotCount) as Slot
}
