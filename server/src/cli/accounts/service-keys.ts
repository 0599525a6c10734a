import { keyScopes } from '@ringproof/contract/lists/accounts.ts'
import { addKey, listKeys, revokeKey, rotateKey } from '../../actions/accounts/keys.ts'
import type { ApiKey } from '../../db/accounts/api-key.ts'
import { firstKeyName, parseKeyName, parseKeyScopes } from '../../domain/accounts/api-key.ts'
import type { ServiceId } from '../../domain/core/slot.ts'
import { UsageError } from '../../process/errors.ts'
import { type CliCommand, type CommandResult, type DatabaseContext, parseServiceId } from '../core/context.ts'
import { table } from '../core/table.ts'

export const overlapHoursMax = 24 * 30
const expiresDaysMax = 3_650

export function addServiceKeyCommands(services: CliCommand): void {
  services
    .command('rotate-key')
    .description('Replace an API key. The new key is shown only once; the old one stays valid until the overlap ends.')
    .argument('<service>', 'service ID')
    .option('--key <name>', 'name of the key to replace', firstKeyName)
    .option('--overlap-hours <n>', `hours during which the old key stays valid, 0 to ${overlapHoursMax}`, '24')
    .work(rotate)

  const keys = services.command('keys').description('Manage the API keys of a service.')

  keys
    .command('add')
    .description('Add an API key to a service. It is shown only once.')
    .argument('<service>', 'service ID')
    .requiredOption('--name <name>', 'name of the key, 1 to 40 characters')
    .option(
      '--scopes <scopes>',
      "permissions: start (everything that costs money), read, listen (webhooks on a developer's machine)",
      'start,read',
    )
    .option(
      '--expires-days <n>',
      `days until the key expires, 1 to ${expiresDaysMax}; without it the key does not expire`,
    )
    .work(add)

  keys
    .command('revoke')
    .description('Revoke an API key immediately, together with the key it replaced.')
    .argument('<service>', 'service ID')
    .argument('<name>', 'name of the key')
    .work(revoke)
}

async function rotate(
  open: DatabaseContext,
  service: string,
  options: { key: string; overlapHours: string },
): Promise<CommandResult> {
  const serviceId = parseServiceId(service)
  const hours = parseHours(options.overlapHours)
  const key = await rotateKey(open, open.actor, { serviceId, name: options.key, overlapSeconds: hours * 3600 })
  const old = hours === 0 ? 'The old key is no longer valid.' : `The old key stays valid for ${hours} hours.`
  return {
    json: { service_id: serviceId, key },
    text: `New API key of service ${serviceId}, not shown again:\n  ${key}\n${old}`,
  }
}

// For `services show`: with scopes, expiry and last use. The keys themselves are not stored.
export async function describeKeys(open: DatabaseContext, serviceId: ServiceId): Promise<CommandResult> {
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
  if (name === undefined) throw new UsageError(`--name takes 1 to 40 characters on one line, not "${options.name}".`)
  const scopes = parseKeyScopes(options.scopes)
  if (!scopes)
    throw new UsageError(
      `--scopes takes one or more of ${keyScopes.join(', ')}, comma-separated, not "${options.scopes}".`,
    )
  const expiresDays = options.expiresDays === undefined ? null : parseDays(options.expiresDays)
  const key = await addKey(open, open.actor, { serviceId, name, scopes, expiresDays })
  const until = expiresDays === null ? 'until it is revoked' : `for ${expiresDays} days`
  return {
    json: { service_id: serviceId, name, scopes, key },
    text: [
      `API key ${name} of service ${serviceId}, not shown again:`,
      `  ${key}`,
      `Scopes: ${scopes.join(', ')}. Valid ${until}.`,
    ].join('\n'),
  }
}

async function revoke(open: DatabaseContext, service: string, name: string): Promise<CommandResult> {
  const serviceId = parseServiceId(service)
  const left = await revokeKey(open, open.actor, { serviceId, name })
  const warning = `\nThe service has no valid key now. Add one: ringproof services keys add ${serviceId} --name …`
  return {
    json: { service_id: serviceId, name, keys_left: left },
    text: `API key ${name} of service ${serviceId} is revoked.${left === 0 ? warning : ''}`,
  }
}

export function parseHours(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > overlapHoursMax) {
    throw new UsageError(`--overlap-hours takes a whole number from 0 to ${overlapHoursMax}, not "${text}".`)
  }
  return Number(text)
}

function parseDays(text: string): number {
  if (!/^[1-9]\d*$/.test(text) || Number(text) > expiresDaysMax) {
    throw new UsageError(`--expires-days takes a whole number from 1 to ${expiresDaysMax}, not "${text}".`)
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

function minuteOf(time: Date | null): string | undefined {
  return time?.toISOString().slice(0, 16)
}
