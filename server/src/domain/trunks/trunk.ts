// A trunk: the connection to one carrier, its limits and the dialect it speaks.

import {
  type TrunkOptionName,
  type TrunkOptionValues,
  trunkOptionNames,
  trunkOptions,
} from '@ringproof/contract/lists/trunk-options.ts'
import { isScenarioNumber } from '../numbers/test-number.ts'

// Leads to test numbers: nothing is dialled.
export const testTrunk = 'test'

export type Trunk = TrunkOptionValues & {
  readonly name: string
  readonly isOn: boolean
  // Takes no new call; calls in progress and inbound calls go on, and it stays registered.
  readonly isDraining: boolean
  readonly passwordSealed: Buffer | null
}

// Virtual phones are reached over the test trunk alone, and it reaches nothing else.
export function carries({ isTest }: Pick<Trunk, 'isTest'>, number: string): boolean {
  return isTest === isScenarioNumber(number)
}

export type Transport = Trunk['transport']

// A trunk switches from `record` to `enforce` after this many confirmed calls.
export const confirmedToEnforce = 100

// The values of a new trunk.
export const trunkDefaults: Omit<Trunk, 'name'> = {
  ...valuesBy((name) => trunkOptions[name].default),
  isOn: true,
  isDraining: false,
  passwordSealed: null,
}

export function optionsOf(trunk: Trunk): TrunkOptionValues {
  return valuesBy((name) => trunk[name])
}

function valuesBy(valueOf: (name: TrunkOptionName) => unknown): TrunkOptionValues {
  return Object.fromEntries(trunkOptionNames.map((name) => [name, valueOf(name)])) as unknown as TrunkOptionValues
}
