import { paymentCallbackPath } from '@ringproof/contract/payments.ts'
import type { Command } from 'commander'
import { renewPaymentSecret } from '../actions/renew-payment-secret.ts'
import { setPaymentPage } from '../actions/set-payment-page.ts'
import { showPaymentSettings } from '../actions/show-payment-settings.ts'
import { Denial, UsageError } from '../errors.ts'
import { type CliContext, type CommandResult, type DatabaseContext, withDatabase } from './context.ts'

export function addPaymentCommands(program: Command, context: CliContext): void {
  const payments = program.command('payments').description('Set how customers pay.')
  payments
    .command('show')
    .description('Show the payment page and where it reports payments.')
    .option('--json', 'print JSON')
    .action(withDatabase(context, show))
  payments
    .command('set')
    .description('Set the payment page that "Top up" in the dashboard opens.')
    .requiredOption('--page <link>', 'link with {account} and {amount}; an empty text removes the page')
    .option('--json', 'print JSON')
    .action(withDatabase(context, set))
  payments
    .command('new-secret')
    .description('Print a new secret for the reports of the payment page. The old one is refused at once.')
    .option('--json', 'print JSON')
    .action(withDatabase(context, newSecret))
}

async function show(open: DatabaseContext): Promise<CommandResult> {
  const { pageLink, callbackUrl, hasSecret } = await showPaymentSettings({
    ...open,
    callbackUrl: callbackUrlOf(open),
  })
  return {
    json: { page: pageLink, callback_url: callbackUrl, secret: hasSecret },
    text: [
      `Payment page: ${pageLink || 'none; set it with `ringproof payments set --page …`'}`,
      `It reports payments to: ${callbackUrl}`,
      `Secret: ${hasSecret ? 'set' : 'none; make one with `ringproof payments new-secret`'}`,
    ].join('\n'),
  }
}

async function set(open: DatabaseContext, { page }: { page: string }): Promise<CommandResult> {
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

function callbackUrlOf({ readConfig }: DatabaseContext): string {
  return `${readConfig().publicUrl}${paymentCallbackPath}`
}

function byOperator({ actor }: DatabaseContext): { readonly email: string } {
  return { email: actor.operator ?? '' }
}
