import { webhookStates } from '@ringproof/contract/lists/requests.ts'
import { recoverHost } from '../../actions/installation/restores.ts'
import { listWebhooks, resendWebhook } from '../../actions/webhooks/webhooks.ts'
import { showDeliveries } from '../../actions/webhooks/webhooks-view.ts'
import type { ListedWebhook } from '../../db/webhooks/webhook.ts'
import type { ReceiverHost } from '../../domain/webhooks/receiver-hosts.ts'
import { UsageError } from '../../process/errors.ts'
import {
  type CliCommand,
  type CommandResult,
  type DatabaseContext,
  parseServiceId,
  parseVerificationId,
} from '../core/context.ts'
import { table } from '../core/table.ts'

export function addWebhookCommands(program: CliCommand): void {
  const webhooks = program.command('webhooks').description('Show and resend webhooks for inbound calls.')

  webhooks
    .command('list')
    .description(
      'List the newest webhooks with the result of their last attempt, and whether a dead one can be resent.',
    )
    .option('--state <state>', `show only this state: ${webhookStates.join(', ')}`)
    .option('--service <service>', 'show only this service ID')
    .option('--by-host', 'show the backlog, and how the hosts of all customers did in the last 24 hours')
    .work(list)

  webhooks
    .command('resend')
    .description(
      'Resend a dead webhook, or all to a host whose number has not been erased yet. The schedule starts over.',
    )
    .argument('[verification]', 'verification ID (vendor_id in the API)')
    .option('--host <host>', 'all dead webhooks to this host, as `ringproof webhooks list --by-host` shows it')
    .work(resend)
}

async function list(
  open: DatabaseContext,
  options: { state?: string; service?: string; byHost?: true },
): Promise<CommandResult> {
  if (options.byHost) return showHosts(open)
  const state = webhookStates.find((known) => known === options.state)
  if (options.state !== undefined && !state)
    throw new UsageError(`--state takes one of ${webhookStates.join(', ')}, not "${options.state}".`)
  const serviceIds = options.service === undefined ? undefined : [parseServiceId(options.service)]
  const webhooks = await listWebhooks(open, { state, serviceIds })
  return { json: webhooks.map(asJson), text: asText(webhooks) }
}

async function resend(
  open: DatabaseContext,
  text: string | undefined,
  { host }: { host?: string },
): Promise<CommandResult> {
  if ((text === undefined) === (host === undefined)) throw new UsageError('Give either a verification ID or --host.')
  return text === undefined ? resendAll(open, host ?? '') : resendOne(open, text)
}

async function resendOne(open: DatabaseContext, text: string): Promise<CommandResult> {
  const id = parseVerificationId(text)
  await resendWebhook(open, open.actor, id)
  return { json: { vendor_id: id, state: 'due' }, text: `The webhook of verification ${id} is due again.` }
}

async function showHosts(open: DatabaseContext): Promise<CommandResult> {
  const { waiting, lateSeconds, hosts } = await showDeliveries(open)
  const late = lateSeconds === null ? 'none is late' : `the oldest is ${lateSeconds.toFixed(0)} s late`
  return {
    json: { waiting, late_seconds: lateSeconds, hosts: hosts.map(hostAsJson) },
    text: [`${waiting} webhooks wait, ${late}.`, ...(hosts.length === 0 ? [] : [hostTable(hosts)])].join('\n'),
  }
}

async function resendAll(open: DatabaseContext, host: string): Promise<CommandResult> {
  const count = await recoverHost(open, open.actor, host)
  return { json: { host, count }, text: `${count} webhooks to ${host} are due again.` }
}

function hostAsJson(host: ReceiverHost): Record<string, unknown> {
  const { accountIds, medianMs, failingSince, lastStatus, lastFailure, ...counts } = host
  return {
    ...counts,
    account_ids: accountIds,
    median_ms: medianMs,
    failing_since: failingSince === null ? null : new Date(failingSince).toISOString(),
    last_status: lastStatus,
    last_failure: lastFailure,
  }
}

function hostTable(hosts: readonly ReceiverHost[]): string {
  return table(
    ['HOST', 'ACCOUNTS', 'WEBHOOKS', 'DELIVERED', 'WAITING', 'RECOVERABLE', 'MEDIAN', 'FAILING SINCE', 'LAST'],
    hosts.map((host) => [
      host.host,
      host.accountIds.join(' '),
      String(host.webhooks),
      String(host.delivered),
      String(host.waiting),
      String(host.recoverable),
      host.medianMs === null ? 'none' : `${host.medianMs} ms`,
      host.failingSince === null ? 'no' : new Date(host.failingSince).toISOString().slice(0, 19),
      String(host.lastStatus ?? host.lastFailure ?? ''),
    ]),
  )
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
