import type { Command } from 'commander'
import { listWebhooks } from '../actions/list-webhooks.ts'
import { resendWebhook } from '../actions/resend-webhook.ts'
import type { ListedWebhook } from '../db/webhook.ts'
import { UsageError } from '../errors.ts'
import {
  type CliContext,
  type CommandResult,
  type DatabaseContext,
  parseServiceId,
  parseVerificationId,
  withDatabase,
} from './context.ts'
import { table } from './table.ts'

const states = ['due', 'delivered', 'dead'] as const

export function addWebhookCommands(program: Command, context: CliContext): void {
  const webhooks = program.command('webhooks').description('Show and resend webhooks for inbound calls.')

  webhooks
    .command('list')
    .description('List the newest webhooks with the result of their last attempt.')
    .option('--state <state>', `show only this state: ${states.join(', ')}`)
    .option('--service <service>', 'show only this service ID')
    .option('--json', 'print JSON')
    .action(withDatabase(context, list))

  webhooks
    .command('dead')
    .description('List webhooks that could not be delivered, and whether they can be resent.')
    .option('--service <service>', 'show only this service ID')
    .option('--json', 'print JSON')
    .action(withDatabase(context, (open, options: { service?: string }) => list(open, { ...options, state: 'dead' })))

  webhooks
    .command('resend')
    .description('Resend a dead webhook. Its retry schedule starts over.')
    .argument('<verification>', 'verification ID (vendor_id in the API)')
    .option('--json', 'print JSON')
    .action(withDatabase(context, resend))
}

async function list(open: DatabaseContext, options: { state?: string; service?: string }): Promise<CommandResult> {
  const state = states.find((known) => known === options.state)
  if (options.state !== undefined && !state)
    throw new UsageError(`--state takes one of ${states.join(', ')}, not "${options.state}".`)
  const serviceId = options.service === undefined ? undefined : parseServiceId(options.service)
  const webhooks = await listWebhooks(open, { state, serviceId })
  return { json: webhooks.map(asJson), text: asText(webhooks) }
}

async function resend(open: DatabaseContext, text: string): Promise<CommandResult> {
  const id = parseVerificationId(text)
  await resendWebhook(open, open.actor, id)
  return { json: { vendor_id: id, state: 'due' }, text: `The webhook of verification ${id} is due again.` }
}

function asJson(webhook: ListedWebhook): Record<string, unknown> {
  return {
    vendor_id: webhook.id,
    service_id: webhook.serviceId,
    state: webhook.state,
    reason: webhook.reason,
    called: webhook.calledAt.toISOString(),
    next: webhook.state === 'due' ? webhook.dueAt.toISOString() : null,
    can_be_resent: webhook.state === 'dead' && webhook.isNumberThere,
    attempts: webhook.attempts,
    last_status: webhook.lastStatus,
    last_failure: webhook.lastFailure,
    last_ms: webhook.lastMs,
    last_response: webhook.lastResponse,
  }
}

function asText(webhooks: readonly ListedWebhook[]): string {
  if (webhooks.length === 0) return 'No webhooks found.'
  return table(
    ['VERIFICATION', 'SERVICE', 'STATE', 'CALLED', 'ATTEMPTS', 'LAST', 'RESPONSE'],
    webhooks.map((webhook) => [
      String(webhook.id),
      String(webhook.serviceId),
      stateText(webhook),
      webhook.calledAt.toISOString().slice(0, 19),
      String(webhook.attempts),
      lastText(webhook),
      webhook.lastResponse ?? '',
    ]),
  )
}

function stateText({ state, reason, isNumberThere }: ListedWebhook): string {
  if (state !== 'dead') return state
  return `dead (${reason ?? ''}${isNumberThere ? ', can be resent' : ''})`
}

function lastText({ lastStatus, lastFailure, lastMs }: ListedWebhook): string {
  return lastMs === null ? 'none' : `${lastStatus ?? lastFailure ?? ''} in ${lastMs} ms`
}
