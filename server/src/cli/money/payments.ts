import { paymentCallbackPath } from '@ringproof/contract/payments.ts'
import { setSeller } from '../../actions/money/invoices.ts'
import { renewPaymentSecret, setPaymentPage, showPaymentSettings } from '../../actions/money/payments.ts'
import type { Seller } from '../../domain/money/legal-details.ts'
import { Denial, UsageError } from '../../process/errors.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'

export function addPaymentCommands(program: CliCommand): void {
  const payments = program.command('payments').description('Set how customers pay.')
  payments.command('show').description('Show the payment page and where it reports payments.').work(show)
  payments
    .command('set')
    .description('Set the payment page that "Top up" in the dashboard opens, or the company on invoices, or both.')
    .option('--page <link>', 'link with {account} and {amount}; an empty text removes the page')
    .option(
      '--seller <name>',
      'full name of the company that invoices and acts name as the supplier: customers can then request invoices. The options below are its details; what is not given is removed',
    )
    .option('--tax-number <digits>', 'INN or BIN: 10 or 12 digits; required with --seller')
    .option('--address <address>', 'legal address; required with --seller')
    .option('--reason-code <digits>', 'KPP: 9 digits')
    .option('--bank <name>', 'bank')
    .option('--bank-code <code>', 'BIC of the bank')
    .option('--bank-account <account>', 'settlement account')
    .option('--correspondent-account <account>', 'correspondent account of the bank')
    .option('--signatory <name>', 'who signs')
    .option('--vat-note <text>', 'sentence about VAT below the total')
    .work(set)
  payments
    .command('new-secret')
    .description('Print a new secret for the reports of the payment page. The old one is refused at once.')
    .work(newSecret)
}

type SetOptions = Partial<Omit<Seller, 'name'>> & { page?: string; seller?: string }

async function set(open: DatabaseContext, { page, seller: name, ...details }: SetOptions): Promise<CommandResult> {
  const [detail] = Object.keys(details)
  if (name === undefined && detail !== undefined) throw new UsageError('--seller is missing: whose details these are.')
  const results = [
    ...(name === undefined ? [] : [await setSupplier(open, { ...noDetails, ...details, name })]),
    ...(page === undefined ? [] : [await setPage(open, page)]),
  ]
  if (results.length === 0) throw new UsageError('Give --page or --seller. See `ringproof payments set --help`.')
  return {
    json: Object.assign({}, ...results.map(({ json }) => json)),
    text: results.map(({ text }) => text).join('\n'),
  }
}

const noDetails: Omit<Seller, 'name'> = {
  taxNumber: '',
  address: '',
  reasonCode: '',
  bank: '',
  bankCode: '',
  bankAccount: '',
  correspondentAccount: '',
  signatory: '',
  vatNote: '',
}

async function show(open: DatabaseContext): Promise<CommandResult> {
  const {
    pageLink,
    callbackUrl,
    hasSecret,
    seller: supplier,
  } = await showPaymentSettings({
    ...open,
    callbackUrl: callbackUrlOf(open),
  })
  return {
    json: { page: pageLink, callback_url: callbackUrl, secret: hasSecret, seller: supplier },
    text: [
      `Payment page: ${pageLink || 'none; set it with `ringproof payments set --page …`'}`,
      `It reports payments to: ${callbackUrl}`,
      `Secret: ${hasSecret ? 'set' : 'none; make one with `ringproof payments new-secret`'}`,
      `Invoices are sent by: ${supplier?.name ?? 'nobody; set it with `ringproof payments set --seller …`'}`,
    ].join('\n'),
  }
}

async function setPage(open: DatabaseContext, page: string): Promise<CommandResult> {
  await setPaymentPage(open, open.actor, byOperator(open), page).catch((error: unknown) => {
    if (!(error instanceof Denial)) throw error
    throw new UsageError(
      `--page takes a link that begins with https:// or http:// and contains {account} and {amount} after the host, such as https://pay.example.org/start?account={account}&amount={amount}. Not: ${page}`,
    )
  })
  return { json: { page }, text: page === '' ? 'There is no payment page now.' : `"Top up" now opens ${page}` }
}

async function newSecret(open: DatabaseContext): Promise<CommandResult> {
  const secret = await renewPaymentSecret(open, open.actor, byOperator(open))
  const callbackUrl = callbackUrlOf(open)
  return {
    json: { secret, callback_url: callbackUrl },
    text: secret,
    note: `Give it to your payment page, which reports payments to ${callbackUrl}. It is not shown again, and the secret before it no longer works.`,
  }
}

async function setSupplier(open: DatabaseContext, given: Seller): Promise<CommandResult> {
  await setSeller(open, open.actor, byOperator(open), given).catch((error: unknown) => {
    if (!(error instanceof Denial)) throw error
    throw new UsageError(
      `This is not valid: ${error.fields.join(', ')}. The tax number has 10 or 12 digits, the reason code 9 or none; name and address are not empty.`,
    )
  })
  return { json: { seller: given.name }, text: `Invoices and acts now name ${given.name} as the supplier.` }
}

function callbackUrlOf({ readConfig }: DatabaseContext): string {
  return `${readConfig().publicUrl}${paymentCallbackPath}`
}

function byOperator({ actor }: DatabaseContext): { readonly email: string } {
  return { email: actor.operator ?? '' }
}
