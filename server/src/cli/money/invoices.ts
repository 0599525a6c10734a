import { payInvoice } from '../../actions/money/invoices.ts'
import { type Invoice, listInvoices } from '../../db/money/invoice.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { UsageError } from '../../process/errors.ts'
import { type CliCommand, type CommandResult, type DatabaseContext, parseAccountId } from '../core/context.ts'
import { parseLimit } from '../core/list-page.ts'
import { amountColumn, type Column, listResult, withCurrency } from '../core/table.ts'

export function addInvoiceCommands(program: CliCommand): void {
  const invoices = program.command('invoices').description('List invoices and credit those that were paid.')
  const list = invoices
    .command('list')
    .description('List invoices, newest first.')
    .option('--account <account>', 'only this account ID')
    .option('--unpaid', 'only those that were not paid yet')
    .option('--limit <count>', 'at most this many', '100')
  list.workList(listAll)
  invoices
    .command('paid')
    .description('Credit the account of an invoice whose money has arrived. Each invoice is credited once.')
    .argument('<number>', 'number of the invoice')
    .work(pay)
}

async function listAll(
  open: DatabaseContext,
  options: { account?: string; unpaid?: true; limit: string },
): Promise<CommandResult> {
  const accountId = options.account === undefined ? undefined : parseAccountId(options.account)
  const filter = { accountId, isUnpaid: options.unpaid === true }
  const found = await listInvoices(open.slots.globalDatabase, filter, parseLimit(options.limit))
  return listResult(columnsIn(open), found, 'There are no invoices.')
}

async function pay(open: DatabaseContext, text: string): Promise<CommandResult> {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError(`Invalid invoice number: ${text}. \`ringproof invoices list\` shows all invoices.`)
  }
  const number = Number(text)
  const { accountId, amount, balance, entryId, isRepeated } = await payInvoice(open, open.actor, number)
  const done = isRepeated
    ? `Invoice ${number} was credited before as entry ${entryId}: nothing changed.`
    : `Invoice ${number} is paid: ${open.money(amount)} was credited to account ${accountId}.`
  return {
    json: {
      invoice: number,
      account_id: accountId,
      balance: toDecimal(balance),
      entry_id: entryId,
      repeated: isRepeated,
    },
    text: `${done}\nAccount ${accountId} now has ${open.money(balance)} available.`,
  }
}

const columnsIn = (open: DatabaseContext): readonly Column<Invoice>[] => [
  { name: 'invoice', head: 'INVOICE', value: ({ number }) => number },
  { name: 'account_id', head: 'ACCOUNT', value: ({ accountId }) => accountId },
  ...withCurrency<Invoice>(
    open,
    amountColumn(open, { name: 'amount', head: 'AMOUNT', amount: ({ amount }) => amount }),
  ),
  {
    name: 'created',
    head: 'CREATED',
    value: ({ createdAt }) => createdAt.toISOString(),
    text: ({ createdAt }) => createdAt.toISOString().slice(0, 10),
  },
  {
    name: 'paid',
    head: 'PAID',
    value: ({ paidAt }) => paidAt?.toISOString() ?? null,
    text: ({ paidAt }) => paidAt?.toISOString().slice(0, 10) ?? 'no',
  },
]
