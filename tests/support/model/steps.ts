// Random steps: what a history of the service is made of.

import type { CallMode } from '@ringproof/contract/methods.ts'
import fc from 'fast-check'

export type Step =
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'credit'; readonly account: number; readonly amount: number }
  | AcceptStep
  | { readonly type: 'sweep'; readonly account: number | undefined }
  | CallStep

export type AcceptStep = {
  readonly type: 'accept'
  readonly service: number
  readonly number: number
  readonly price: number
  readonly mode: CallMode
  readonly isTest: boolean
  readonly key: number | undefined
  readonly fault: ShardFault | undefined
}

// What goes wrong between two databases. Slow: so much time passes between reservation and accept, in which a rival service
// may call the number; and a retry may pin the verification meanwhile. Lost response: the accept was
// committed, but its request does not know. The other two: the process dies after that step.
export type ShardFault =
  | { readonly type: 'slow'; readonly ms: number; readonly rival: number | undefined; readonly pins: boolean }
  | { readonly type: 'lost-response' | 'dies-after-reserve' | 'dies-after-accept' }

// About a call, counted back from the newest; its current attempt, or one before or after.
export type CallStep = {
  readonly type: 'claim' | 'rang' | 'outcome' | 'undo' | 'retry'
  readonly back: number
  readonly attemptOff: number
  readonly succeeded: boolean
}

export const accountCount = 3
export const numberCount = 4
// This number has opted out.
export const optedOutNumber = 3

// Waits that end right at a boundary, besides many that end anywhere; days are rare, or no limit would ever be reached.
const waits = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
  { weight: 30, arbitrary: fc.integer({ min: 15_000, max: 70_000 }) },
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      1,
      4_999,
      5_000,
      9_999,
      10_000,
      14_999,
      15_000,
      15_000,
      55_000,
      60_000,
      599_999,
      600_000,
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(3_600_000, 86_399_999, 86_400_000, 43_200_000) },
)

const serviceIndex = fc.constantFrom(0, 0, 1, 1, 2, 3, 4)

const shardFaults: fc.Arbitrary<ShardFault | undefined> = fc.oneof(
  { weight: 10, arbitrary: fc.constant(undefined) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('slow' as const),
      ms: fc.constantFrom(0, 1, 4_999, 5_000, 5_001, 12_000, 60_000),
      rival: fc.option(serviceIndex, { nil: undefined, freq: 2 }),
      pins: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('lost-response' as const, 'dies-after-reserve' as const, 'dies-after-accept' as const),
    }),
  },
)

const accepts: fc.Arbitrary<AcceptStep> = fc.record({
  type: fc.constant('accept' as const),
  service: serviceIndex,
  number: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, optedOutNumber),
  price: fc.constantFrom(0, 1, 400_000, 800_000, 1_500_000),
  mode: fc.constantFrom('flash' as const, 'voice' as const, 'mix' as const),
  isTest: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
  key: fc.option(fc.nat({ max: 40 }), { nil: undefined, freq: 2 }),
  fault: shardFaults,
})

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 22, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: waits }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('credit' as const),
      account: fc.nat(accountCount - 1),
      amount: fc.integer({ min: 1, max: 30_000_000 }),
    }),
  },
  { weight: 26, arbitrary: accepts },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('sweep' as const),
      account: fc.option(fc.nat(accountCount - 1), { nil: undefined, freq: 2 }),
    }),
  },
  {
    weight: 50,
    arbitrary: fc.record({
      type: fc.constantFrom(
        ...(['claim', 'claim', 'claim', 'claim', 'claim', 'rang', 'rang', 'rang'] as const),
        ...(['outcome', 'outcome', 'outcome', 'outcome', 'undo', 'retry'] as const),
      ),
      back: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 5, 20),
      attemptOff: fc.constantFrom(0, 0, 0, 0, 0, 0, -1, 1),
      succeeded: fc.boolean(),
    }),
  },
)

export function histories(length: number): fc.Arbitrary<Step[]> {
  return fc.array(steps, { minLength: length, maxLength: length })
}
