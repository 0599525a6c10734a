import { verificationModes, verificationStates } from '@ringproof/contract/lists/calls.ts'
import type { Command } from 'commander'
import {
  type ListedVerification,
  listVerifications,
  showVerification,
  type VerificationPage,
  type VerificationQuery,
} from '../../actions/verifications/verifications.ts'
import type { Verification } from '../../db/verifications/verification.ts'
import { secondOfVerification } from '../../domain/core/slot.ts'
import { type MicroAmount, zeroMoney } from '../../domain/money/money.ts'
import { describeVerification } from '../../domain/verifications/describe-verification.ts'
import { chargeOf } from '../../domain/verifications/verification.ts'
import { UsageError } from '../../process/errors.ts'
import {
  type CliContext,
  type CommandResult,
  type DatabaseContext,
  parseAccountId,
  parseServiceId,
  parseVerificationId,
  withDatabase,
} from '../core/context.ts'
import { type PageOptions, parseLimit, withPages } from '../core/list-page.ts'
import {
  amountColumn,
  type CellValue,
  type Column,
  currencyColumn,
  listResult,
  withListFormats,
} from '../core/table.ts'
import { parseIdRange, type TimeOptions, withTimeRange } from '../core/time-range.ts'
import { parsePhone } from '../numbers/phone-option.ts'

export function addVerificationCommands(program: Command, context: CliContext): void {
  const verifications = program.command('verifications').description('Find and show verifications.')

  const list = verifications
    .command('list')
    .description('List verifications, newest first. All filters can be combined.')
    .option('--account <account>', 'only this account ID')
    .option('--service <service>', 'only this service ID')
    .option('--phone <digits>', 'only this phone number, with its country code; - reads it from standard input')
    .option('--unique <text>', 'only this unique of a request')
    .option('--client <text>', 'only this client of a request; decrypts every verification of the time range')
    .option('--state <state>', `only this state: ${verificationStates.join(', ')}`)
    .option('--mode <mode>', `only this mode: ${verificationModes.join(', ')}`)
  withListFormats(withPages(withTimeRange(list, '24h, or everything with --unique'))).action(
    withDatabase(context, listPage),
  )

  verifications
    .command('show')
    .description('Show one verification: timeline, cause, charge.')
    .argument('<verification>', 'verification ID (vendor_id in the API)')
    .option('--json', 'print JSON')
    .action(withDatabase(context, show))
}

type ListOptions = TimeOptions &
  PageOptions & {
    account?: string
    service?: string
    phone?: string
    unique?: string
    client?: string
    state?: string
    mode?: string
  }

async function listPage(open: DatabaseContext, options: ListOptions): Promise<CommandResult> {
  const page = await listVerifications(open, parseQuery(options), parseLimit(options.limit))
  const { json, text, csv } = listResult(
    columnsIn(open),
    page.verifications,
    `No verification found since ${sinceOf(options)}.`,
  )
  return {
    json: { verifications: json, next_before: page.nextBefore ?? null },
    text,
    csv,
    note: noteOf(page),
  }
}

// A unique has an index, so the whole retention is searched.
function sinceOf({ since, unique }: ListOptions): string {
  return since ?? (unique === undefined ? '24h' : everything)
}

const everything = '2026-01-01'

function parseQuery(options: ListOptions): VerificationQuery {
  const range = parseIdRange(options, sinceOf(options))
  const state = parseOneOf('--state', verificationStates, options.state)
  const before = options.before === undefined ? range.endId : parseVerificationId(options.before)
  return {
    firstId: range.firstId,
    endId: Math.min(range.endId, before),
    accountId: options.account === undefined ? undefined : parseAccountId(options.account),
    serviceId: options.service === undefined ? undefined : parseServiceId(options.service),
    phone: options.phone === undefined ? undefined : parsePhone(options.phone),
    client: options.client,
    unique: options.unique,
    states: state === undefined ? undefined : [state],
    mode: parseOneOf('--mode', verificationModes, options.mode),
  }
}

function noteOf({ nextBefore }: VerificationPage): string | undefined {
  return nextBefore === undefined ? undefined : `The next page: --before ${nextBefore}`
}

function parseOneOf<T extends string>(option: string, known: readonly T[], text: string | undefined): T | undefined {
  const value = known.find((one) => one === text)
  if (text !== undefined && value === undefined) {
    throw new UsageError(`${option} takes one of ${known.join(', ')}, not "${text}".`)
  }
  return value
}

async function show(open: DatabaseContext, text: string): Promise<CommandResult> {
  const { verification, phoneMask, explanation } = await showVerification(open, parseVerificationId(text))
  const description = describeVerification({ ...verification, phoneMask }, open.money)
  const facts = Object.fromEntries(
    columnsIn(open).map(({ name, value }) => [name, value({ ...verification, phoneMask })]),
  )
  if (!explanation) return { json: { ...facts, description }, text: description }
  const { cause, atFault, advice } = explanation
  return {
    json: { ...facts, description, cause, at_fault: atFault, advice },
    text: `${description}\n${cause} At fault: ${atFault}. ${advice}`,
  }
}

type Shown = Verification & Pick<ListedVerification, 'phoneMask'>

// Leaves out the code and the customer's own data about the person.
const columnsIn = (open: DatabaseContext): readonly Column<Shown>[] => [
  { name: 'vendor_id', head: 'ID', value: ({ id }) => id },
  { name: 'accepted', head: 'ACCEPTED', value: acceptedAt, text: (row) => acceptedAt(row).slice(0, 19) },
  { name: 'account_id', value: ({ accountId }) => accountId },
  { name: 'service_id', head: 'SERVICE', value: ({ serviceId }) => serviceId },
  { name: 'mode', head: 'MODE', value: ({ mode }) => mode },
  { name: 'state', head: 'STATE', value: ({ state }) => state },
  { name: 'test', value: ({ isTest }) => isTest },
  { name: 'phone', head: 'PHONE', value: ({ phoneMask }) => phoneMask },
  { name: 'country', head: 'COUNTRY', value: ({ country }) => country },
  amountColumn(open, { name: 'price', head: 'PRICE', amount: ({ price }) => price }),
  amountColumn(open, { name: 'charged', amount: charged }),
  currencyColumn(open),
  { name: 'attempt', head: 'TRY', value: ({ attempt }) => attempt },
  { name: 'trunk', head: 'TRUNK', value: ({ trunk }) => trunk },
  { name: 'caller_number', value: ({ callerNumber }) => callerNumber },
  { name: 'dialled', value: ({ dialledAt }) => timeOf(dialledAt) },
  { name: 'rang', value: ({ rangAt }) => timeOf(rangAt) },
  { name: 'ended', value: ({ endedAt }) => timeOf(endedAt) },
  { name: 'reason', head: 'REASON', value: ({ reason }) => reason },
  { name: 'sip_status', head: 'SIP', value: ({ sipStatus }) => sipStatus },
  { name: 'post_dial_ms', head: 'PDD MS', value: ({ postDialMs }) => postDialMs },
  { name: 'ring_ms', head: 'RING MS', value: ({ ringMs }) => ringMs },
  { name: 'ended_by', value: ({ endedBy }) => endedBy },
]

function acceptedAt({ id }: Shown): string {
  return new Date(secondOfVerification(id) * 1000).toISOString()
}

function timeOf(date: Date | null): CellValue {
  return date?.toISOString() ?? null
}

function charged(verification: Shown): MicroAmount {
  return verification.endedAt === null ? zeroMoney : chargeOf(verification)
}
