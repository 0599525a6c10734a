// A verification as lists, files and detail pages show it, and the columns of its files: one table, so that a name means the same in the
// dashboard, in the console and on the command line.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { type AccountId, type ServiceId, secondOfVerification, type VerificationId } from '../core/slot.ts'
import { type MicroAmount, toDecimal, zeroMoney } from '../money/money.ts'
import type { PhoneInfo } from '../numbers/number-info.ts'
import type { CsvColumns, CsvValue } from '../values/text.ts'
import type { Ender } from './call-outcome.ts'
import { sideOf, statusOf } from './shown-status.ts'
import { chargeOf, type VerificationState } from './verification.ts'

type OwnRow = WebOutput<'verifications'>['verifications'][number]
type CallRow = WebOutput<'calls'>['calls'][number]

export type ShownCall = {
  readonly id: VerificationId
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  readonly mode: OwnRow['mode']
  readonly state: VerificationState
  readonly isTest: boolean
  readonly phoneMask: string
  readonly country: string
  readonly phoneInfo: PhoneInfo | null
  readonly price: MicroAmount
  readonly chargesFailed: boolean
  readonly attempt: number
  readonly trunk: string | null
  readonly callerNumber: number | null
  readonly dialledAt: Date | null
  readonly rangAt: Date | null
  readonly endedAt: Date | null
  readonly reason: string | null
  readonly sipStatus: number | null
  readonly postDialMs: number | null
  readonly ringMs: number | null
  readonly endedBy: Ender | null
}

type CommonRow = Omit<OwnRow, 'serviceId' | 'serviceName' | 'client' | 'code' | 'isCodeHidden'>

// What everybody who may see the verification sees of it in a list.
export function commonRow(call: ShownCall): CommonRow {
  const { id, phoneMask, mode, isTest, country, phoneInfo, reason, sipStatus, postDialMs, endedAt } = call
  return {
    id,
    at: secondOfVerification(id) * 1_000,
    phoneMask,
    mode,
    status: statusOf(call),
    isTest,
    country,
    provider: phoneInfo?.mnp ?? '',
    region: phoneInfo?.region ?? '',
    reason,
    sipStatus,
    ringDelayMs: postDialMs,
    charged: toDecimal(endedAt === null ? zeroMoney : chargeOf(call)),
  }
}

// For operators.
export function callRow(call: ShownCall & { readonly accountName: string }): CallRow {
  const { accountId, accountName, trunk } = call
  return { ...commonRow(call), accountId, accountName, trunk, atFault: sideOf(call) }
}

// What the columns of a file for operators are made of.
export type FileRow = CallRow & { readonly serviceId: number } & Pick<
    ShownCall,
    'state' | 'price' | 'attempt' | 'callerNumber' | 'dialledAt' | 'rangAt' | 'endedAt' | 'ringMs' | 'endedBy'
  >

export function fileRow(call: ShownCall & { readonly accountName: string }): FileRow {
  return { ...call, ...callRow(call) }
}

// Each column with the field that it shows.
const fields = {
  vendor_id: 'id',
  accepted: 'at',
  account_id: 'accountId',
  account: 'accountName',
  service_id: 'serviceId',
  mode: 'mode',
  status: 'status',
  state: 'state',
  test: 'isTest',
  phone: 'phoneMask',
  client: 'client',
  // Empty where it may not be seen.
  code: 'code',
  country: 'country',
  provider: 'provider',
  region: 'region',
  price: 'price',
  charged: 'charged',
  attempt: 'attempt',
  trunk: 'trunk',
  caller_number: 'callerNumber',
  dialled: 'dialledAt',
  rang: 'rangAt',
  ended: 'endedAt',
  reason: 'reason',
  sip_status: 'sipStatus',
  side_at_fault: 'atFault',
  post_dial_ms: 'ringDelayMs',
  ring_ms: 'ringMs',
  ended_by: 'endedBy',
} as const satisfies Readonly<Record<string, keyof Row>>

type Row = FileRow & Pick<OwnRow, 'client' | 'code'>
type ColumnName = keyof typeof fields
const names = Object.keys(fields) as readonly ColumnName[]

const customersOwn = ['client', 'code'] as const
// The last four digits of the caller number of a flash call are its code.
const commandLineOwn = ['caller_number'] as const

export const customerColumns = columnsOf([
  'vendor_id',
  'accepted',
  'service_id',
  'mode',
  'status',
  'test',
  'phone',
  ...customersOwn,
  'country',
  'provider',
  'region',
  'charged',
  'reason',
  'sip_status',
  'post_dial_ms',
])
export const commandLineColumns = columnsOf(allBut(names, customersOwn))
export const operatorColumns = columnsOf(allBut(allBut(names, customersOwn), commandLineOwn))

// Every file with amounts says in which currency they are. Without one no calls are sold, and it has none.
export function inCurrency<Shown>(columns: CsvColumns<Shown>, currency: string | undefined): CsvColumns<Shown> {
  if (currency === undefined) return columns.filter(([name]) => !amounts.has(name))
  return [...columns, ['currency', () => currency]]
}

const amounts: ReadonlySet<string> = new Set<ColumnName>(['price', 'charged'])

function columnsOf<Name extends ColumnName>(chosen: readonly Name[]): CsvColumns<Pick<Row, (typeof fields)[Name]>> {
  return chosen.map((name) => [name, (row) => valueOf(row, fields[name])] as const)
}

function valueOf<Field extends keyof Row>(row: Pick<Row, Field>, field: Field): CsvValue {
  const value: CsvValue | Date = row[field]
  if (field === 'at') return new Date(Number(value)).toISOString()
  if (field === 'price') return toDecimal(value as MicroAmount)
  return value instanceof Date ? value.toISOString() : value
}

function allBut<Name extends string, Left extends Name>(all: readonly Name[], left: readonly Left[]) {
  return all.filter((name): name is Exclude<Name, Left> => !left.some((one) => one === name))
}
