import { onlyAccount } from '../../actions/accounts/accounts.ts'
import { createService, listServices, setService, showService } from '../../actions/accounts/services.ts'
import { rotateWebhookSecret } from '../../actions/webhooks/webhooks.ts'
import type { Service } from '../../db/accounts/service.ts'
import { adviceFor } from '../../domain/accounts/known-client.ts'
import {
  type Compatibility,
  compatibilities,
  compatibilityNames,
  type ServiceSettingName,
  serviceSettings,
} from '../../domain/accounts/service.ts'
import { oneOf } from '../../domain/values/parsers.ts'
import {
  type CliCommand,
  type CommandResult,
  type DatabaseContext,
  parseAccountId,
  parseServiceId,
} from '../core/context.ts'
import { parseOption } from '../core/parse-option.ts'
import { table } from '../core/table.ts'
import { addServiceKeyCommands, describeKeys, overlapHoursMax, parseHours } from './service-keys.ts'

const settingNames = Object.keys(serviceSettings) as ServiceSettingName[]

export function addServiceCommands(program: CliCommand): void {
  const services = program
    .command('services')
    .description('Manage services: the API clients of an account, with their limits and settings.')

  const make = services
    .command('create')
    .description(
      'Create a service. Its API key and webhook secret are shown only once. Caps default to the RINGPROOF_SERVICE_… settings.',
    )
    .option('--account <account>', 'account ID; not needed if there is only one account')
    .requiredOption('--name <name>', 'name of the service')
    .option('--test', 'a test service: it calls only test numbers and virtual phones, and is free')
  for (const name of settingNames.filter((setting) => setting !== 'name')) {
    make.option(`--${name} <${serviceSettings[name].hint}>`, serviceSettings[name].explains)
  }
  addCompatibility(make)
  make.option('--env', 'print BASE_URL, KEY, SERVICE_ID and WEBHOOK_SECRET as shell variables').work(create)

  const set = services.command('set').description('Change settings of a service.').argument('<service>', 'service ID')
  for (const name of settingNames) {
    set.option(`--${name} <${serviceSettings[name].hint}>`, serviceSettings[name].explains)
  }
  addCompatibility(set)
  set.work(change)

  services
    .command('list')
    .description('List services.')
    .option('--account <account>', 'list only services of this account ID')
    .work(list)

  services
    .command('show')
    .description('Show all settings of a service, its API keys, and what its client needs.')
    .argument('<service>', 'service ID')
    .work(show)

  addServiceKeyCommands(services)

  services
    .command('rotate-webhook-secret')
    .description(
      'Replace the webhook secret. The new one is shown only once; webhooks are signed with both until the overlap ends.',
    )
    .argument('<service>', 'service ID')
    .option('--overlap-hours <n>', `hours during which the old secret still signs, 0 to ${overlapHoursMax}`, '24')
    .work(rotateSecret)
}

function addCompatibility(command: CliCommand): void {
  const settings = compatibilityNames.map((name) => `${name}: ${settingsText(compatibilities[name])}`).join('; ')
  command.option(
    `--compatible-with <${compatibilityNames.join('|')}>`,
    `settings that existing clients of another service need (${settings})`,
  )
}

function settingsText(texts: Partial<Record<ServiceSettingName, string>>): string {
  return Object.entries(texts)
    .map(([name, text]) => `--${name} ${text}`)
    .join(' ')
}

async function create(
  open: DatabaseContext,
  options: Record<string, unknown> & { account?: string; name: string; test?: true; env?: true },
): Promise<CommandResult> {
  const accountId = options.account === undefined ? await onlyAccount(open) : parseAccountId(options.account)
  const { serviceId, key, webhookSecret } = await createService(open, open.actor, {
    accountId,
    name: options.name,
    isTest: options.test === true,
    texts: givenTexts(options),
  })
  const shown = [
    `${options.test ? 'Test service' : 'Service'} ${serviceId} created. Save these now, they are not shown again:`,
    `  API key        ${key}`,
    `  webhook secret ${webhookSecret}`,
    `Request header: Authorization: Bearer ${key}.${serviceId}`,
  ]
  const variables = [
    `export BASE_URL='${open.readConfig().publicUrl}'`,
    `export KEY='${key}'`,
    `export SERVICE_ID='${serviceId}'`,
    `export WEBHOOK_SECRET='${webhookSecret}'`,
  ]
  return {
    json: { service_id: serviceId, key, webhook_secret: webhookSecret },
    text: (options.env ? variables : shown).join('\n'),
  }
}

async function change(
  open: DatabaseContext,
  service: string,
  options: Record<string, unknown>,
): Promise<CommandResult> {
  const serviceId = parseServiceId(service)
  const changes = await setService(open, open.actor, { serviceId, texts: givenTexts(options) })
  const lines = changes.map(({ name, was, becomes }) => `  ${name}: ${quote(was)} → ${quote(becomes)}`)
  return {
    json: {
      service_id: serviceId,
      changes: Object.fromEntries(changes.map(({ name, was, becomes }) => [name, [was, becomes]])),
    },
    text:
      lines.length === 0
        ? `Service ${serviceId} already has these settings.`
        : `Service ${serviceId} changed:\n${lines.join('\n')}`,
  }
}

async function list(open: DatabaseContext, options: { account?: string }): Promise<CommandResult> {
  const accountId = options.account === undefined ? undefined : parseAccountId(options.account)
  const services = await listServices(open, accountId)
  return { json: services.map(facts), text: listText(services) }
}

async function show(open: DatabaseContext, text: string): Promise<CommandResult> {
  const { service, hint } = await showService(open, parseServiceId(text))
  const keys = await describeKeys(open, service.id)
  const advice = hint && adviceFor(hint).replace(' ID ', ` ${service.id} `)
  return {
    json: { ...facts(service), client_hint: advice ?? null, keys: keys.json },
    text: [fullText(service), '', keys.text, ...(advice === undefined ? [] : [`! ${advice}`])].join('\n'),
  }
}

function facts(service: Service): Record<string, unknown> {
  return {
    service_id: service.id,
    account_id: service.accountId,
    test: service.isTest,
    ...Object.fromEntries(settingNames.map((name) => [name.replaceAll('-', '_'), service.settings[name]])),
    last_request: service.lastRequestAt?.toISOString() ?? null,
    created: service.createdAt.toISOString(),
  }
}

async function rotateSecret(
  open: DatabaseContext,
  service: string,
  options: { overlapHours: string },
): Promise<CommandResult> {
  const serviceId = parseServiceId(service)
  const hours = parseHours(options.overlapHours)
  const secret = await rotateWebhookSecret(open, open.actor, { serviceId, overlapSeconds: hours * 3600 })
  const old = hours === 0 ? 'The old one no longer signs.' : `The old one still signs for ${hours} hours.`
  return {
    json: { service_id: serviceId, webhook_secret: secret },
    text: `New webhook secret of service ${serviceId}, not shown again:\n  ${secret}\n${old}`,
  }
}

// A setting that is given overrides the one that compatibility would choose.
function givenTexts(options: Record<string, unknown>): Partial<Record<ServiceSettingName, string>> {
  const compatibleWith = options['compatibleWith'] as string | undefined
  const preset = compatibleWith === undefined ? {} : compatibilities[parseCompatibility(compatibleWith)]
  const given = Object.fromEntries(
    settingNames.flatMap((name) => {
      const text = options[camelCase(name)]
      return typeof text === 'string' ? [[name, text]] : []
    }),
  )
  return { ...preset, ...given }
}

function parseCompatibility(text: string): Compatibility {
  return parseOption('compatibleWith', oneOf(...compatibilityNames), text)
}

function listText(services: readonly Service[]): string {
  if (services.length === 0)
    return 'There are no services yet. Create one: ringproof services create --account … --name …'
  return table(
    ['SERVICE', 'ACCOUNT', 'NAME', 'KIND', 'STATE', 'GEOGRAPHY', 'LAST REQUEST', 'CREATED'],
    services.map(({ id, accountId, isTest, settings, lastRequestAt, createdAt }) => [
      String(id),
      String(accountId),
      String(settings.name),
      isTest ? 'test' : 'live',
      String(settings.state),
      serviceSettings.geography.show(settings.geography),
      lastRequestAt?.toISOString().slice(0, 16) ?? 'never',
      createdAt.toISOString().slice(0, 10),
    ]),
  )
}

function fullText(service: Service): string {
  const rows = settingNames.map((name) => {
    const setting = serviceSettings[name]
    return [`--${name}`, quote(setting.show(service.settings[name])), setting.explains]
  })
  return `${service.isTest ? 'Test service' : 'Service'} ${service.id} of account ${service.accountId}\n${table(['SETTING', 'VALUE', 'MEANING'], rows)}`
}

function quote(text: string): string {
  return text === '' || /\s/.test(text) ? `'${text}'` : text
}

// Commander turns --inbound-seconds into inboundSeconds, and --calls-per-number-10-minutes into callsPerNumber10Minutes.
function camelCase(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
