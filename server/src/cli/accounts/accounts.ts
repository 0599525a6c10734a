import { blockAccount, createAccount, reopenAccount, setAccount } from '../../actions/accounts/accounts.ts'
import { moveMoney } from '../../actions/money/ledger.ts'
import { type Account, listAccounts } from '../../db/accounts/account.ts'
import type { AccountId } from '../../domain/core/slot.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { defaultTariff } from '../../domain/money/tariff.ts'
import { oneOf, onOff } from '../../domain/values/parsers.ts'
import { parseText } from '../../domain/values/text.ts'
import { UsageError } from '../../process/errors.ts'
import {
  type CliCommand,
  type CommandResult,
  type DatabaseContext,
  parseAccountId,
  parseAmount,
} from '../core/context.ts'
import { parseOption } from '../core/parse-option.ts'
import { amountColumn, type Column, listResult, withCurrency } from '../core/table.ts'
import { addAccountReportCommands } from './account-reports.ts'

export function addAccountCommands(program: CliCommand): void {
  const accounts = program.command('accounts').description('Manage accounts.')

  accounts
    .command('create')
    .description('Create an account.')
    .requiredOption('--email <email>', 'e-mail address of the customer')
    .option('--balance <amount>', 'initial balance', '0')
    .option('--tariff <code>', 'price list of the account', defaultTariff)
    .option('--quiet', 'print only the account ID')
    .work(create)

  addMoneyCommands(accounts)

  accounts
    .command('set')
    .description('Change settings of an account.')
    .argument('<account>', 'account ID')
    .option('--tariff <code>', 'price list from now on')
    .option(
      '--must-verify-phone <on|off>',
      'on: the owner must verify a phone first; until off, starts return code 1005',
    )
    .option(
      '--state <blocked|active>',
      'blocked: all API requests are rejected; active: blocked no longer, and open again if the owner has closed it',
    )
    .option('--reason <text>', `with --state: ${reasonHelp}`)
    .work(set)

  accounts.command('list').description('List all accounts.').workList(list)
  addAccountReportCommands(accounts)
}

function addMoneyCommands(accounts: CliCommand): void {
  for (const [move, description] of [
    ['credit', 'Add money to an account, for a payment received.'],
    ['debit', 'Take money from an account, for a refund or to correct a credit.'],
  ] as const) {
    accounts
      .command(move)
      .description(description)
      .argument('<account>', 'account ID')
      .argument('<amount>', 'amount, such as 100 or 0.85')
      .requiredOption('--reference <text>', 'your payment ID; each ID counts once per account, so a retry is safe')
      .requiredOption('--reason <text>', reasonHelp)
      .work((open, account: string, amount: string, options: MoneyOptions) =>
        bookMoney(open, { move, account, amount, ...options }),
      )
  }
}

type MoneyOptions = { reference: string; reason: string }

const reasonHelp = 'why, for the audit log'

function parseReason(text: string): string {
  const reason = parseText(text, 1, 200)
  if (reason === undefined) throw new UsageError('--reason takes 1 to 200 characters without control characters.')
  return reason
}

async function create(
  open: DatabaseContext,
  options: { email: string; balance: string; tariff: string; quiet?: true },
): Promise<CommandResult> {
  const balance = parseAmount(options.balance)
  const id = await createAccount(open, open.actor, { email: options.email, balance, tariff: options.tariff })
  return {
    json: { account_id: id },
    text: options.quiet
      ? String(id)
      : `Account ${id} created${balance > 0 ? ` with ${open.money(balance)}` : ''}.\nNext: ringproof services create --account ${id} --name …`,
  }
}

async function bookMoney(
  open: DatabaseContext,
  given: MoneyOptions & { move: 'credit' | 'debit'; account: string; amount: string },
): Promise<CommandResult> {
  const accountId = parseAccountId(given.account)
  const { move, reference } = given
  const command = { accountId, move, amount: parseAmount(given.amount), reference, reason: parseReason(given.reason) }
  const moved = await moveMoney(open, open.actor, command)
  const { balance, entryId, isRepeated } = moved
  const first = `Reference ${reference} was booked before as entry ${entryId}: nothing changed.\n`
  return {
    json: { account_id: accountId, balance: toDecimal(balance), entry_id: entryId, repeated: isRepeated },
    text: `${isRepeated ? first : ''}Account ${accountId} now has ${open.money(balance)} available.`,
  }
}

type SetOptions = { tariff?: string; mustVerifyPhone?: string; state?: string; reason?: string }

async function set(
  open: DatabaseContext,
  account: string,
  { tariff, mustVerifyPhone, state: stateText, reason: reasonText }: SetOptions,
): Promise<CommandResult> {
  const accountId = parseAccountId(account)
  if (tariff === undefined && mustVerifyPhone === undefined && stateText === undefined)
    throw new UsageError('No setting was given. See `ringproof accounts set --help`.')
  const state = stateText === undefined ? undefined : parseOption('state', oneOf('blocked', 'active'), stateText)
  const reason = reasonText === undefined ? undefined : parseReason(reasonText)
  const changes = await setAccount(open, open.actor, {
    accountId,
    tariff,
    mustVerifyPhone: mustVerifyPhone === undefined ? undefined : parseOption('mustVerifyPhone', onOff, mustVerifyPhone),
  })
  const isStateNew = state !== undefined && (await setState(open, accountId, state, reason))
  const words = [
    ...(tariff === undefined ? [] : [`${'tariff' in changes ? 'now' : 'already'} uses tariff ${tariff}`]),
    ...(mustVerifyPhone === undefined ? [] : [mustVerifyPhone === 'on' ? phoneRequired : phoneNotRequired]),
    ...(state === undefined ? [] : [`is ${isStateNew ? 'now' : 'already'} ${state}`]),
  ]
  return {
    json: { account_id: accountId, changes, ...(state === undefined ? {} : { state, state_changed: isStateNew }) },
    text: `Account ${accountId} ${words.join(' and ')}.`,
  }
}

// The services of an account that its owner has closed stay archived.
async function setState(
  open: DatabaseContext,
  accountId: AccountId,
  state: 'blocked' | 'active',
  reason: string | undefined,
): Promise<boolean> {
  const isBlockNew = await blockAccount(open, open.actor, { accountId, blocked: state === 'blocked', reason })
  const isReopened = state === 'active' && (await reopenAccount(open, open.actor, accountId))
  return isBlockNew || isReopened
}

const phoneRequired = 'must verify a phone before it can start calls (code 1005)'
const phoneNotRequired = 'can start calls'

async function list(open: DatabaseContext): Promise<CommandResult> {
  const empty = 'There are no accounts yet. Create one: ringproof accounts create --email …'
  return listResult(columnsIn(open), await listAccounts(open.slots.databases), empty)
}

const columnsIn = (open: DatabaseContext): readonly Column<Account>[] => [
  { name: 'account_id', head: 'ACCOUNT', value: ({ id }) => id },
  { name: 'email', head: 'E-MAIL', value: ({ email }) => email },
  ...withCurrency<Account>(
    open,
    { name: 'tariff', head: 'TARIFF', value: ({ tariff }) => tariff },
    amountColumn(open, { name: 'balance', head: 'BALANCE', amount: ({ balance }) => balance }),
    amountColumn(open, { name: 'held', head: 'HELD', amount: ({ held }) => held }),
  ),
  {
    name: 'blocked',
    head: 'STATE',
    value: ({ blockedAt }) => blockedAt !== null,
    text: ({ blockedAt, closedAt }) => (closedAt ? 'closed' : blockedAt ? 'blocked' : 'ok'),
  },
  {
    name: 'created',
    head: 'CREATED',
    value: ({ createdAt }) => createdAt.toISOString(),
    text: ({ createdAt }) => createdAt.toISOString().slice(0, 10),
  },
]
