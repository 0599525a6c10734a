import { verificationModes, verificationStates } from '@ringproof/contract/lists/calls.ts'
import {
  type ListDeps,
  listVerifications,
  showVerification,
  type VerificationPage,
  type VerificationQuery,
} from '../../actions/verifications/verifications.ts'
import { describeVerification } from '../../domain/verifications/describe-verification.ts'
import { commandLineColumns, type FileRow, fileRow, inCurrency } from '../../domain/verifications/shown-call.ts'
import { UsageError } from '../../process/errors.ts'
import {
  type CliCommand,
  type CommandResult,
  type DatabaseContext,
  parseAccountId,
  parseServiceId,
  parseVerificationId,
} from '../core/context.ts'
import { type PageOptions, parseLimit, withPages } from '../core/list-page.ts'
import { type Column, listResult, withHeads } from '../core/table.ts'
import { parseIdRange, type TimeOptions, withTimeRange } from '../core/time-range.ts'
import { parsePhone } from '../numbers/phone-option.ts'

export function addVerificationCommands(program: CliCommand): void {
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
  withPages(withTimeRange(list, '24h, or everything with --unique')).workList(listPage)

  verifications
    .command('show')
    .description('Show one verification: timeline, cause, advice.')
    .argument('<verification>', 'verification ID (vendor_id in the API)')
    .work(show)
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
  const page = await listVerifications(depsOf(open), parseQuery(options), parseLimit(options.limit))
  const { json, text, csv } = listResult(
    columnsIn(open),
    page.verifications.map(fileRow),
    `No verification found since ${sinceOf(options)}.`,
  )
  return {
    json: { verifications: json, next_before: page.nextBefore ?? null },
    text,
    csv,
    note: noteOf(page),
  }
}

function depsOf({ slots, recordKeys, tenantKeys }: DatabaseContext): ListDeps {
  return { slots, recordKeys, keys: { phoneTenant: tenantKeys } }
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
  const { verification, phoneMask, accountName, explanation } = await showVerification(open, parseVerificationId(text))
  const description = describeVerification(
    { ...verification, phoneMask },
    open.currency === undefined ? undefined : open.money,
  )
  const row = fileRow({ ...verification, phoneMask, accountName })
  const facts = Object.fromEntries(columnsIn(open).map(({ name, value }) => [name, value(row)]))
  if (!explanation) return { json: { ...facts, description }, text: description }
  const { cause, atFault, advice } = explanation
  return {
    json: { ...facts, description, cause, at_fault: atFault, advice },
    text: `${description}\n${cause} At fault: ${atFault}. ${advice}`,
  }
}

// Those of the file that the console has, and the caller number. Without the code, and without the customer's own data about the person.
const columnsIn = ({ currency, money }: DatabaseContext): readonly Column<FileRow>[] =>
  withHeads(inCurrency(commandLineColumns, currency), {
    vendor_id: 'ID',
    accepted: { head: 'ACCEPTED', text: ({ at }) => new Date(at).toISOString().slice(0, 19) },
    service_id: 'SERVICE',
    mode: 'MODE',
    state: 'STATE',
    phone: 'PHONE',
    country: 'COUNTRY',
    price: { head: 'PRICE', text: ({ price }) => money(price) },
    attempt: 'TRY',
    trunk: 'TRUNK',
    reason: 'REASON',
    sip_status: 'SIP',
    post_dial_ms: 'PDD MS',
    ring_ms: 'RING MS',
  })
