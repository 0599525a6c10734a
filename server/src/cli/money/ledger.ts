import { auditLedger, listLedger } from '../../actions/money/ledger.ts'
import type { LedgerEntry } from '../../db/money/ledger-entry.ts'
import { type Move, moves } from '../../domain/money/ledger.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { UsageError } from '../../process/errors.ts'
import {
  type CliCommand,
  type CommandResult,
  type DatabaseContext,
  parseAccountId,
  parseVerificationId,
} from '../core/context.ts'
import { type PageOptions, parseLimit, withPages } from '../core/list-page.ts'
import { amountColumn, type Column, listResult, withCurrency } from '../core/table.ts'
import { parseIdRange, type TimeOptions, withTimeRange } from '../core/time-range.ts'

const moveNames = Object.keys(moves) as Move[]

export function addLedgerCommands(program: CliCommand): void {
  const ledger = program.command('ledger').description('List ledger entries and check them.')

  ledger
    .command('audit')
    .description(
      'Compare every balance with its ledger entries and every hold with its active verification. The sum over all accounts must be zero.',
    )
    .work(audit)

  const list = ledger
    .command('list')
    .description('List ledger entries, newest first. Entries of rolled-up days are only in `accounts statement`.')
    .option('--account <account>', 'only this account ID')
    .option('--verification <verification>', 'only this verification ID')
    .option('--move <move>', `only this kind of entry: ${moveNames.join(', ')}`)
  withPages(withTimeRange(list, '24h, or everything with --verification')).workList(listPage)
}

async function audit(open: DatabaseContext): Promise<CommandResult> {
  const { accounts, sum, faults } = await auditLedger(open)
  if (faults.length > 0) throw new UsageError(`The ledger has discrepancies:\n  ${faults.join('\n  ')}`)
  return {
    json: { accounts, sum: toDecimal(sum), faults },
    text: `No discrepancies in ${accounts} accounts; the sum is ${open.money(sum)}.`,
  }
}

type ListOptions = TimeOptions & PageOptions & { account?: string; verification?: string; move?: string }

async function listPage(open: DatabaseContext, options: ListOptions): Promise<CommandResult> {
  const range = parseIdRange(options, '24h')
  const move = moveNames.find((name) => name === options.move)
  if (options.move !== undefined && move === undefined) {
    throw new UsageError(`--move takes one of ${moveNames.join(', ')}, not "${options.move}".`)
  }
  const { entries, nextBefore } = await listLedger(
    open,
    {
      firstId: range.firstId,
      endId: options.before === undefined ? range.endId : Math.min(range.endId, parseVerificationId(options.before)),
      accountId: options.account === undefined ? undefined : parseAccountId(options.account),
      verificationId: options.verification === undefined ? undefined : parseVerificationId(options.verification),
      move,
    },
    parseLimit(options.limit),
  )
  const { json, text, csv } = listResult(
    columnsIn(open),
    entries,
    'No ledger entry found. --since sets the time range.',
  )
  const note = nextBefore === undefined ? undefined : `The next page: --before ${nextBefore}`
  return { json: { entries: json, next_before: nextBefore ?? null }, text, csv, note }
}

const columnsIn = (open: DatabaseContext): readonly Column<LedgerEntry>[] => [
  { name: 'entry_id', head: 'ENTRY', value: ({ id }) => id },
  { name: 'sequence', head: 'SEQ', value: ({ sequence }) => sequence },
  {
    name: 'time',
    head: 'TIME',
    value: ({ createdAt }) => createdAt.toISOString(),
    text: ({ createdAt }) => createdAt.toISOString().slice(0, 19),
  },
  { name: 'account_id', head: 'ACCOUNT', value: ({ accountId }) => accountId },
  { name: 'move', head: 'MOVE', value: ({ move }) => move },
  { name: 'from', head: 'FROM', value: ({ move }) => moves[move].from },
  { name: 'to', head: 'TO', value: ({ move }) => moves[move].to },
  ...withCurrency<LedgerEntry>(
    open,
    amountColumn(open, { name: 'amount', head: 'AMOUNT', amount: ({ amount }) => amount }),
  ),
  { name: 'reference', head: 'REFERENCE', value: ({ reference }) => reference },
]
