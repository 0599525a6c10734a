// A trunk: the connection to one carrier, its limits and the dialect it speaks.

import type { callerIdHeaders, sipTransports } from '@ringproof/contract/lists/trunks.ts'
import { anyCountry } from '../money/tariff.ts'
import type { NumberFormat } from '../numbers/number-format.ts'
import { isScenarioNumber } from '../numbers/test-number.ts'

// Leads to test numbers: nothing is dialled.
export const testTrunk = 'test'

export type Trunk = {
  readonly name: string
  readonly isOn: boolean
  // Takes no new call; calls in progress and inbound calls go on, and it stays registered.
  readonly isDraining: boolean
  // Leads to the virtual phones, and carries nothing else.
  readonly isTest: boolean
  readonly priority: number
  readonly countries: readonly string[]
  readonly channels: number
  readonly callsPerSecond: number
  readonly countsEarlyMedia: boolean
  // Ring time of a flash call. Null: the default of the installation.
  readonly ringSeconds: number | null
  // Host of the carrier, with the port if it is not the default. Empty in a scripted network.
  readonly address: string
  readonly transport: Transport
  // The SIP user, if the carrier wants a password. Null: the carrier authenticates us by address.
  readonly user: string | null
  readonly passwordSealed: Buffer | null
  readonly outboundRegistration: boolean
  // Dialled before every number.
  readonly calledPrefix: string
  readonly calledFormat: NumberFormat
  readonly callerFormat: NumberFormat
  readonly callerIdHeader: CallerIdHeader
  // Replaces the caller ID in From, for carriers that want their customer's user name there.
  readonly fromUser: string | null
  // Format of the caller ID on inbound calls.
  readonly inboundFormat: NumberFormat
  readonly identity: Identity
  readonly returnPath: ReturnPathMode
  // Whether inbound calls over UDP may come through a relay. A relay can be made to show our reply to a stranger.
  readonly allowsRelay: boolean
  // Whether audio is encrypted: SRTP with SDES keys, over TLS only.
  readonly srtp: boolean
}

// Virtual phones are reached over the test trunk alone, and it reaches nothing else.
export function carries({ isTest }: Pick<Trunk, 'isTest'>, number: string): boolean {
  return isTest === isScenarioNumber(number)
}

export type Transport = (typeof sipTransports)[number]

export type CallerIdHeader = (typeof callerIdHeaders)[number]

// Which header identifies an inbound caller: P-Asserted-Identity, or From if the carrier sent none; or From only, for a
// carrier that verifies From and passes other headers on unchecked.
export const identities = ['pai', 'from'] as const
export type Identity = (typeof identities)[number]

// What happens to an inbound call over UDP whose sender has not shown that it received our reply. `record`: it verifies and
// is counted. `enforce`: it verifies nothing. A trunk switches from record to enforce after this many confirmed calls.
export const returnPathModes = ['record', 'enforce'] as const
export type ReturnPathMode = (typeof returnPathModes)[number]
export const confirmedToEnforce = 100

// The values of a new trunk.
export const trunkDefaults = {
  isOn: true,
  isDraining: false,
  isTest: false,
  priority: 100,
  countries: [anyCountry] as readonly string[],
  countsEarlyMedia: false,
  ringSeconds: null,
  address: '',
  transport: 'udp',
  user: null,
  passwordSealed: null,
  outboundRegistration: false,
  calledPrefix: '',
  calledFormat: 'e164-no-plus',
  callerFormat: 'e164-no-plus',
  callerIdHeader: 'pai',
  fromUser: null,
  inboundFormat: 'e164',
  identity: 'pai',
  returnPath: 'record',
  allowsRelay: false,
  srtp: false,
} satisfies Partial<Trunk>
