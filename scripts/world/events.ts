// What happens in the world, as the product would see it. Times are Unix milliseconds, amounts micro-units.

import type { RefusalName } from '@ringproof/contract/errors.ts'
import type { CallMode } from '@ringproof/contract/methods.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import type { CallOutcome, CallProgress } from '../../server/src/domain/verifications/call-outcome.ts'
import type { Refusal } from '../../server/src/process/errors.ts'
import type { CustomerName, ProviderName, TrunkName, WorldMode } from './cast.ts'

export type PlacedAttempt = {
  readonly trunk: TrunkName
  readonly callerNumber: number
  readonly dialledMs: number
  readonly progress: CallProgress
  readonly outcome: CallOutcome
}

type Started = {
  readonly key: string
  readonly customer: CustomerName
  readonly phone: PhoneNumber
  readonly atMs: number
  readonly endedMs: number
  readonly price: number
  readonly isSucceeded: boolean
  readonly balanceBefore: number
}

export type Call = Started & {
  readonly mode: CallMode
  readonly code: string
  readonly client: string
  readonly unique: string | undefined
  // The last one counts.
  readonly attempts: readonly [PlacedAttempt, ...PlacedAttempt[]]
}

export type Waiting = Started & {
  readonly trunk: TrunkName
  readonly confirmationNumber: number
  // None unless the subscriber called.
  readonly deliveries: readonly Delivery[]
}

// One attempt to deliver a webhook.
export type Delivery = {
  readonly atMs: number
  readonly durationMs: number
  readonly status: number
  readonly response: string
}

export type Refused = {
  readonly key: string
  readonly customer: CustomerName
  readonly phone: PhoneNumber
  readonly mode: WorldMode
  readonly atMs: number
  readonly name: RefusalName
  readonly refusal: Refusal
}

export type PaymentIn = {
  readonly customer: CustomerName
  readonly atMs: number
  readonly amount: number
  readonly reference: string
}

// What became of traffic that left a trunk.
export type SwitchedOver = {
  readonly provider: ProviderName
  readonly from: string
  readonly to: string
  readonly phase: 'trial' | 'moved'
  readonly sinceMs: number
  readonly movedMs: number | null
  readonly endedMs: number | null
  readonly reason: string | null
  readonly fromCount: RingCount
  readonly toCount: RingCount
  readonly usual: number | null
  readonly recoveredSinceMs: number | null
  readonly holdMs: number
  // When the counts above were taken, for the audit log.
  readonly movedCounts: { readonly from: RingCount; readonly to: RingCount } | null
}

type RingCount = { readonly dialled: number; readonly rang: number }

export type RouteMinute = RingCount & {
  readonly minuteMs: number
  readonly provider: ProviderName
  readonly trunk: TrunkName
}

export type History = {
  readonly calls: readonly Call[]
  readonly waitings: readonly Waiting[]
  readonly refused: readonly Refused[]
  readonly payments: readonly PaymentIn[]
  readonly switchOvers: readonly SwitchedOver[]
  readonly routeMinutes: readonly RouteMinute[]
  readonly carried: Carried
}

// What the world goes on with.
export type Carried = {
  readonly balances: Readonly<Record<CustomerName, number>>
  readonly usuals: readonly (RingCount & {
    readonly provider: ProviderName
    readonly trunk: TrunkName
    readonly countedToMs: number
  })[]
}
