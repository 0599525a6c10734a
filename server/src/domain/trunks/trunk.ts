// A trunk: the connection to one carrier, its limits and the dialect it speaks.

import {
  type TrunkOptionName,
  type TrunkOptionValues,
  trunkOptionNames,
  trunkOptions,
} from '@ringproof/contract/lists/trunk-options.ts'
import { type KeyRing, type SealPurpose, seal, unseal } from '../crypto/sealing.ts'
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

// How a node sees the carrier behind a trunk, over OPTIONS and registration. The reasons are stored and shown, and `ringproof doctor`
// knows a fix for each.

export type TrunkState = {
  readonly isUp: boolean
  readonly reason: string
  // What Asterisk has found wrong; undefined if the carrier answers and, if we register, has accepted it.
  readonly fault?: TrunkFault | undefined
}

export type TrunkFault = 'lost' | 'silent' | 'unregistered' | 'rejected' | 'unknown' | 'refused-object' | 'unbound'

export const trunkReasons = {
  lost: 'Asterisk does not respond',
  silent: 'does not answer OPTIONS',
  answering: 'answers OPTIONS',
  unregistered: 'not registered',
  registered: 'registered',
  rejected: 'the carrier rejects our registration',
  unknown: 'Asterisk does not know it yet',
  refused: 'Asterisk refuses its',
  unbound: 'this node has no',
} as const

// A name for a trunk, from the host of its carrier: sip.example.org becomes `example`.

const lengthMax = 32

export function freeTrunkName(address: string, taken: readonly string[]): string {
  const host = address.toLowerCase().replace(/:\d+$/, '')
  const labels = /^[\d.]+$|^\[/.test(host) ? [] : host.split('.').slice(0, -1)
  const name = (labels.at(-1) ?? 'carrier').replaceAll(/[^a-z0-9-]/g, '').slice(0, lengthMax - 4) || 'carrier'
  const isTaken = (one: string) => one === testTrunk || taken.includes(one)
  for (let n = 1; ; n++) {
    const tried = n === 1 ? name : `${name}-${n}`
    if (!isTaken(tried)) return tried
  }
}

// The SIP password of a trunk, sealed for this trunk.

export function sealTrunkPassword(keys: KeyRing, trunk: string, password: string, nonce: Uint8Array): Buffer {
  return seal(keys, purposeOf(trunk), 0, password, nonce)
}

export function decryptTrunkPassword(keys: KeyRing, { name, passwordSealed }: Trunk): string | undefined {
  return passwordSealed === null ? undefined : unsealTrunkPassword(keys, name, passwordSealed)
}

export function unsealTrunkPassword(keys: KeyRing, trunk: string, sealed: Buffer): string {
  return unseal(keys, purposeOf(trunk), 0, sealed)
}

function purposeOf(trunk: string): SealPurpose {
  return `trunk-password:${trunk}`
}
