// A trunk: one carrier, how it is reached and how it spells numbers.

import { anyCountry } from '../money/tariff.ts'
import type { NumberFormat } from '../numbers/number-format.ts'

export type Trunk = {
  readonly name: string
  readonly isOn: boolean
  readonly priority: number
  readonly countries: readonly string[]
  readonly channels: number
  readonly callsPerSecond: number
  readonly countsEarlyMedia: boolean
  // How long a flash call rings; null: as everywhere.
  readonly ringSeconds: number | null
  // Where its carrier is: a name or an address, with the port if it is not the usual one. Empty in a scripted network.
  readonly address: string
  readonly transport: Transport
  // Who we are to a carrier that wants a password, and whether it wants us to register; null: it knows our address.
  readonly user: string | null
  readonly passwordSealed: Buffer | null
  readonly outboundRegistration: boolean
  // What stands before every number that is dialled.
  readonly calledPrefix: string
  readonly calledFormat: NumberFormat
  readonly callerFormat: NumberFormat
  readonly callerIdHeader: CallerIdHeader
  // Stands in From instead of the number we show, where the carrier wants its own customer there.
  readonly fromUser: string | null
  // How the carrier spells who calls us.
  readonly inboundFormat: NumberFormat
  readonly identity: Identity
  readonly returnPath: ReturnPathMode
  // Whether calls over UDP may come through a relay of the carrier, which can be made to show our reply to a stranger.
  readonly allowsRelay: boolean
  // Whether sound is encrypted: SRTP with its key in the SDP, over TLS alone.
  readonly srtp: boolean
}

export const transports = ['udp', 'tcp', 'tls'] as const
export type Transport = (typeof transports)[number]

// Which headers show our number: From alone, or P-Asserted-Identity or Remote-Party-ID besides.
export const callerIdHeaders = ['from', 'pai', 'rpid'] as const
export type CallerIdHeader = (typeof callerIdHeaders)[number]

// Which header of an inbound call names the caller: P-Asserted-Identity, with From only where the carrier sent none; or From
// alone, for a carrier that verifies From and passes on whatever else the caller wrote.
export const identities = ['pai', 'from'] as const
export type Identity = (typeof identities)[number]

// What an inbound call over UDP is worth whose sender has not shown that it received our reply: it still verifies, and is
// counted; or it verifies nothing. A trunk that records begins to enforce by itself after so many calls that did show it.
export const returnPathModes = ['record', 'enforce'] as const
export type ReturnPathMode = (typeof returnPathModes)[number]
export const confirmedToEnforce = 100

// How a trunk is where nothing is said about it.
export const trunkDefaults = {
  isOn: true,
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
