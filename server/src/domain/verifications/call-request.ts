import type { CallMode } from '@ringproof/contract/methods.ts'
import type { AccountId, ServiceId, VerificationId } from '../core/slot.ts'
import type { MicroAmount } from '../money/money.ts'
import type { PhoneInfo } from '../numbers/number-info.ts'
import type { NumberPrefix } from '../numbers/number-prefix.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'

// What the database is asked to accept: everything that accept_calls evaluates and writes.
export type CallRequest = {
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  // Under every ring key that may still be in use. The first is of the active key and is the one that is written.
  readonly keyDigests: readonly Buffer[] | undefined
  readonly isTest: boolean
  readonly mode: CallMode
  readonly phoneHash: Buffer
  readonly personSealed: Buffer
  // Undefined when the customer named no client.
  readonly clientDigest: Buffer | undefined
  // Under every ring key, like the digests. Undefined when another database keeps the limits of the number.
  readonly numberHashes: readonly Buffer[] | undefined
  readonly country: string
  readonly phoneInfo: PhoneInfo | undefined
  readonly code: string
  readonly price: MicroAmount
  readonly trunk: string
  readonly callerNumber: number | undefined
  readonly calls10Minutes: number
  readonly callsDay: number
  readonly hourMax: number | null
  readonly dayMax: number | null
  readonly spendMax: MicroAmount | null
  // Undefined when another database keeps the opt-outs of the number.
  readonly optOutDigest: Buffer | undefined
  readonly prefix: NumberPrefix | undefined
  // Calls an hour to the prefix. Undefined: not counted.
  readonly prefixMax: number | undefined
  // Whether the tariff charges failed calls.
  readonly chargesFailed: boolean
  // The call that a free repeat repeats.
  readonly firstId?: VerificationId
  // The lease of the call before it in its ladder, whose cooldown is waived.
  readonly continuesLease?: number | undefined
}

// A validated request to verify a number by a call.
export type StartCommand = {
  readonly phone: PhoneNumber
  readonly code: string | undefined
  readonly client: string
  readonly unique: string | undefined
  readonly mode: CallMode
  // The call that this one repeats, free of charge.
  readonly repeatOf?: VerificationId
  // Of a verification of /v2.
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

// A validated request to wait for a subscriber's call. The webhook address is checked later.
export type InboundCommand = { readonly phone: PhoneNumber; readonly callbackUrl: string }
