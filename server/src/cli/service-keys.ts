import type { Command } from 'commander'
import { addKey } from '../actions/add-key.ts'
import { listKeys } from '../actions/list-keys.ts'
import { revokeKey } from '../actions/revoke-key.ts'
import { rotateKey } from '../actions/rotate-key.ts'
import type { ApiKey } from '../db/api-key.ts'
import { firstKeyName, keyScopes, parseKeyName, parseKeyScopes } from '../domain/accounts/api-key.ts'
import { UsageError } from '../errors.ts'
import { type CliContext, type CommandResult, type DatabaseContext, parseServiceId, withDatabase } from './context.ts'
import { table } from './table.ts'

export const overlapHoursMax = 24 * 30
const expiresDaysMax = 3_650

export function addServiceKeyCommands(services: Command, context: CliContext): void {
  services
    .command('rotate-key')
    .description('Replace a key of a service. The new one is shown once, the old one stays valid for a while.')
    .argument('<service>', 'its ID')
    .option('--key <name>', 'which key to replace', firstKeyName)
    .option('--overlap-hours <n>', `hours for which the old key stays valid, 0 to ${overlapHoursMax}`, '24')
    .option('--json', 'print JSON')
    .action(withDatabase(context, rotate))

  const keys = services
    .command('keys')
    .description('Manage the API keys of a service: names, scopes, expiry, last use.')

  keys
    .command('list')
    .description('Show the keys of a service. The keys themselves are not stored.')
    .argument('<service>', 'its ID')
    .option('--json', 'print JSON')
    .action(withDatabase(context, list))

  keys
    .command('add')
    .description('Add a key to a service. It is shown once.')
    .argument('<service>', 'its ID')
    .requiredOption('--name <name>', 'what the key is for, 1 to 40 characters')
    .option('--scopes <scopes>', 'what it may do: start (everything that spends money), read', keyScopes.join(','))
    .option('--expires-days <n>', `days for which it is valid, 1 to ${expiresDaysMax}; without: until it is revoked`)
    .option('--json', 'print JSON')
    .action(withDatabase(context, add))

  keys
    .command('revoke')
    .description('Revoke a key at once, together with the one it replaced.')
    .argument('<service>', 'its ID')
    .argument('<name>', 'the name of the key')
    .option('--json', 'print JSON')
    .action(withDatabase(context, revoke))
}

async function rotate(
  open: DatabaseContext,
  service: string,
  options: { key: string; overlapHours: string },
): Promise<CommandResult> {
  const serviceId = parseServiceId(service)
  const hours = parseHours(options.overlapHours)
  const key = await rotateKey(open, open.actor, { serviceId, name: options.key, overlapSeconds: hours * 3600 })
  const old = hours === 0 ? 'The old key is refused from now on.' : `The old key stays valid for ${hours} hours.`
  return {
    json: { service_id: serviceId, key },
    text: `The new key of service ${serviceId}, not shown again:\n  ${key}\n${old}`,
  }
}

async function list(open: DatabaseContext, service: string): Promise<CommandResult> {
  const serviceId = parseServiceId(service)
  const keys = await listKeys(open, serviceId)
  return {
    json: keys.map((key) => ({
      name: key.name,
      scopes: key.scopes,
      state: stateOf(key),
      valid_until: key.validUntil?.toISOString() ?? null,
      last_used: key.lastUsedAt?.toISOString() ?? null,
      created: key.createdAt.toISOString(),
    })),
    text:
      keys.length === 0
        ? `Service ${serviceId} has no keys. Add one: ringproof services keys add ${serviceId} --name …`
        : table(['NAME', 'SCOPES', 'STATE', 'VALID UNTIL', 'LAST USED', 'CREATED'], keys.map(rowOf)),
  }
}

async function add(
  open: DatabaseContext,
  service: string,
  options: { name: string; scopes: string; expiresDays?: string },
): Promise<CommandResult> {
  const serviceId = parseServiceId(service)
  const name = parseKeyName(options.name)
  if (name === undefined) throw new UsageError('--name takes 1 to 40 characters on one line')
  const scopes = parseKeyScopes(options.scopes)
  if (!scopes) throw new UsageError(`--scopes takes ${keyScopes.join(', ')} or both, comma-separated`)
  const expiresDays = options.expiresDays === undefined ? null : parseDays(options.expiresDays)
  const key = await addKey(open, open.actor, { serviceId, name, scopes, expiresDays })
  const until = expiresDays === null ? 'until it is revoked' : `for ${expiresDays} days`
  return {
    json: { service_id: serviceId, name, scopes, key },
    text: [
      `The key ${name} of service ${serviceId}, not shown again:`,
      `  ${key}`,
      `It may ${scopes.join(' and ')}, and is valid ${until}.`,
    ].join('\n'),
  }
}

async function revoke(open: DatabaseContext, service: string, name: string): Promise<CommandResult> {
  const serviceId = parseServiceId(service)
  const left = await revokeKey(open, open.actor, { serviceId, name })
  const warning = `\nThe service has no valid key now. Add one: ringproof services keys add ${serviceId} --name …`
  return {
    json: { service_id: serviceId, name, keys_left: left },
    text: `The key ${name} of service ${serviceId} is refused from now on.${left === 0 ? warning : ''}`,
  }
}

export function parseHours(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > overlapHoursMax) {
    throw new UsageError(`--overlap-hours takes a whole number from 0 to ${overlapHoursMax}`)
  }
  return Number(text)
}

function parseDays(text: string): number {
  if (!/^[1-9]\d*$/.test(text) || Number(text) > expiresDaysMax) {
    throw new UsageError(`--expires-days takes a whole number from 1 to ${expiresDaysMax}`)
  }
  return Number(text)
}

function rowOf(key: ApiKey): readonly string[] {
  return [
    key.name,
    key.scopes.join(','),
    stateOf(key),
    minuteOf(key.validUntil) ?? 'no expiry',
    minuteOf(key.lastUsedAt) ?? 'never',
    minuteOf(key.createdAt) ?? '',
  ]
}

function stateOf({ isValid, isReplaced }: ApiKey): string {
  if (!isValid) return 'expired'
  return isReplaced ? 'replaced' : 'valid'
}

function minuteOf(moment: Date | null): string | undefined {
  return moment?.toISOString().slice(0, 16)
}
