// The filters of the dashboard and of the console, as they stand in an address. Lists, their files and the counts above them read them
// here; the compiler finds a filter that is not read, and a counted one that counts are not kept by.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import { digestsOf } from '../../../actions/verifications/own-verifications-view.ts'
import type { CountFilter } from '../../../db/verifications/call-counts.ts'
import { type AccountId, firstIdOfSecond, type ServiceId, type VerificationId } from '../../../domain/core/slot.ts'
import { dayMs, hourMs } from '../../../domain/values/time.ts'
import { endsOfSide } from '../../../domain/verifications/call-explanation.ts'
import { sideNames } from '../../../domain/verifications/shown-status.ts'
import type { CountedFilter, VerificationFilter } from '../../../domain/verifications/verification-filter.ts'

type Range = { readonly from?: string; readonly until?: string; readonly before?: string }
type Counted = Omit<WebInput<'verification-counts'>, keyof Range>
type Listed = Omit<WebInput<'verifications'> & WebInput<'calls'>, keyof Range | keyof Counted>
type Readers<Input, Filter> = {
  readonly [Field in keyof Input]-?: (value: NonNullable<Input[Field]>) => Partial<Filter>
}

// Half a year and a year are asked for by day.
const rangeMsMax = 400 * dayMs

const statesOf = {
  succeeded: ['succeeded'],
  failed: ['failed'],
  open: ['accepted', 'dialling'],
} as const

const counted: Readers<Counted, CountedFilter> = {
  traffic: (traffic) => ({ isTest: traffic === 'test' }),
  status: (status) => ({ states: statesOf[status] }),
  mode: (mode) => ({ mode }),
  country: (country) => ({ country }),
  provider: (provider) => ({ provider }),
  trunk: (trunk) => ({ trunk }),
  reason: (reason) => ({ reason }),
  service: (service) => ({ serviceId: Number(service) as ServiceId }),
}

const listed: Readers<Listed, VerificationFilter> = {
  number: (number) => ({ phoneHashes: digestsOf(number) }),
  client: (client) => ({ clientDigests: digestsOf(client) }),
  ids: (ids) => ({ ids: ids.split(',').map((id) => Number(id) as VerificationId) }),
  account: (account) => ({ accountId: Number(account) as AccountId }),
  sip: (sip) => ({ sipStatus: Number(sip) }),
  side: (side) => ({ ends: endsOfSide(sideNames[side]) }),
}

export function verificationFilter(input: Range & Partial<Counted & Listed>): VerificationFilter {
  const { from, until, before } = input
  const untilId = until === undefined ? Number.MAX_SAFE_INTEGER : idOfMs(until)
  return {
    ...readWith({ ...counted, ...listed }, input),
    firstId: from === undefined ? 0 : idOfMs(from),
    endId: Math.min(untilId, before === undefined ? untilId : Number(before)),
  }
}

// Whole hours; the last day unless the address says otherwise.
export function countFilter(input: Range & Partial<Counted>, nowMs: number): Omit<CountFilter, 'accountId'> {
  const { from, until } = input
  const untilMs = Math.ceil(Math.min(Number(until ?? nowMs), nowMs + hourMs) / hourMs) * hourMs
  const fromMs = Math.floor(Math.max(Number(from ?? untilMs - dayMs), untilMs - rangeMsMax) / hourMs) * hourMs
  const { isTest = false, ...filter } = readWith(counted, input)
  return { ...filter, isTest, from: new Date(Math.min(fromMs, untilMs)), until: new Date(untilMs) }
}

function readWith<Input, Filter>(readers: Readers<Input, Filter>, input: Partial<Input>): Partial<Filter> {
  const parts = (Object.keys(readers) as (keyof Input)[]).map((field) => {
    const value = input[field]
    return value === undefined || value === null ? {} : readers[field](value)
  })
  return Object.assign({}, ...parts) as Partial<Filter>
}

function idOfMs(ms: string): number {
  return firstIdOfSecond(Math.ceil(Number(ms) / 1_000))
}
