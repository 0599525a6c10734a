import { showAccount } from '../../actions/accounts/accounts.ts'
import { showStatement } from '../../actions/money/papers-view.ts'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import type { StatementLine } from '../../domain/money/statement.ts'
import { type CliCommand, type CommandResult, type DatabaseContext, parseAccountId } from '../core/context.ts'
import { amountColumn, type Column, listResult, table, withCurrency } from '../core/table.ts'
import { parseTimeRange, type TimeOptions, withTimeRange } from '../core/time-range.ts'

export function addAccountReportCommands(accounts: CliCommand): void {
  accounts
    .command('show')
    .description('Show one account: its services and last actions.')
    .argument('<account>', 'account ID')
    .work(show)

  const statement = accounts
    .command('statement')
    .description(
      'Print the statement of an account: payments one by one, charges by day, running balance. Days are in UTC; a charge counts for the day on which its verification was accepted.',
    )
    .argument('<account>', 'account ID')
  withTimeRange(statement, '30d').workList(printStatement)
}

async function show(open: DatabaseContext, text: string): Promise<CommandResult> {
  const { account, services, actions } = await showAccount(open, parseAccountId(text))
  const state = account.blockedAt ? `blocked since ${account.blockedAt.toISOString()}` : 'active'
  const serviceRows = services.map(({ id, settings, lastRequestAt }) => [
    String(id),
    String(settings.name),
    String(settings.state),
    lastRequestAt?.toISOString().slice(0, 19) ?? 'never',
  ])
  const sells = open.currency !== undefined
  return {
    json: {
      account_id: account.id,
      email: account.email,
      ...(sells && {
        tariff: account.tariff,
        balance: toDecimal(account.balance),
        held: toDecimal(account.held),
        currency: open.currency,
      }),
      blocked: account.blockedAt !== null,
      created: account.createdAt.toISOString(),
      active: account.activeAt.toISOString(),
      services: services.map(({ id, settings, lastRequestAt }) => ({
        service_id: id,
        name: settings.name,
        state: settings.state,
        last_request: lastRequestAt?.toISOString() ?? null,
      })),
      actions: actions.map(({ action, createdAt }) => ({ action, time: createdAt.toISOString() })),
    },
    text: [
      `Account ${account.id}, ${account.email}, ${state}${sells ? `, tariff ${account.tariff}` : ''}, created ${account.createdAt.toISOString().slice(0, 10)}`,
      ...(sells
        ? [`${open.money(account.balance)} available, ${open.money(account.held)} held for calls in progress`]
        : []),
      '',
      services.length === 0
        ? `No services. Create one: ringproof services create --account ${account.id} --name …`
        : table(['SERVICE', 'NAME', 'STATE', 'LAST REQUEST'], serviceRows),
      '',
      table(
        ['TIME', 'ACTION'],
        actions.map(({ action, createdAt }) => [createdAt.toISOString().slice(0, 19), action]),
      ),
    ].join('\n'),
  }
}

type PrintedLine = {
  readonly day: string
  readonly kind: StatementLine['kind'] | 'opening' | 'closing'
  readonly change: MicroAmount | null
  readonly balance: MicroAmount
  readonly entries: number | null
  readonly entryId: number | null
  readonly reference: string | null
}

async function printStatement(open: DatabaseContext, text: string, options: TimeOptions): Promise<CommandResult> {
  const accountId = parseAccountId(text)
  const { firstSecond, endSecond } = parseTimeRange({ since: options.since ?? '30d', until: options.until })
  const firstDay = dayOf(firstSecond)
  const lastDay = options.until === undefined ? undefined : dayOf(endSecond - 1)
  const statement = await showStatement(open, { accountId, firstDay, lastDay })
  const { opening, lines, closing, email, available, held } = statement
  const none = { change: null, entries: null, entryId: null, reference: null }
  const {
    json,
    text: shown,
    csv,
  } = listResult<PrintedLine>(
    columnsIn(open),
    [
      { ...none, day: firstDay, kind: 'opening', balance: opening },
      ...lines,
      { ...none, day: lastDay ?? 'now', kind: 'closing', balance: closing },
    ],
    '',
  )
  const summary = `${open.money(available)} available now, ${open.money(held)} held for calls in progress.`
  return {
    json: {
      account_id: accountId,
      email,
      opening: toDecimal(opening),
      lines: json.slice(1, -1),
      closing: toDecimal(closing),
      available_now: toDecimal(available),
      held_now: toDecimal(held),
      currency: open.currency,
    },
    text: `Account ${accountId}, ${email}\n${shown}\n${summary}`,
    csv,
  }
}

const columnsIn = (open: DatabaseContext): readonly Column<PrintedLine>[] => [
  { name: 'date', head: 'DATE', value: ({ day }) => day },
  { name: 'kind', head: 'KIND', value: ({ kind }) => kind },
  ...withCurrency<PrintedLine>(
    open,
    amountColumn(open, { name: 'change', head: 'CHANGE', amount: ({ change }) => change }),
    amountColumn(open, { name: 'balance', head: 'BALANCE', amount: ({ balance }) => balance }),
  ),
  { name: 'entries', head: 'ENTRIES', value: ({ entries }) => entries },
  { name: 'entry_id', value: ({ entryId }) => entryId },
  { name: 'reference', head: 'REFERENCE', value: ({ reference }) => reference },
]

function dayOf(second: number): string {
  return new Date(second * 1_000).toISOString().slice(0, 10)
}
