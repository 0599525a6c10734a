import type { ApiResponse } from '@ringproof/contract/responses.ts'
import { lockAccount, readAccount } from '../../db/accounts/account.ts'
import { insertApiKey } from '../../db/accounts/api-key.ts'
import { readClientHint } from '../../db/accounts/client-hint.ts'
import {
  insertService,
  listServices as listInDatabase,
  lockService,
  nextServiceId,
  readService,
  type Service,
  setService as setServiceInDatabase,
} from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { apiKeyRandomBytes, defaultScopes, firstKeyName, makeApiKey, storedKey } from '../../domain/accounts/api-key.ts'
import { type ClientHint, hintOfClient } from '../../domain/accounts/known-client.ts'
import { type NewServiceCaps, type ServiceSettingName, serviceSettings } from '../../domain/accounts/service.ts'
import {
  changesOf,
  conflictsOf,
  readSettings,
  type SettingChange,
  type SettingTexts,
  type SettingValues,
} from '../../domain/accounts/service-changes.ts'
import { type AccountId, type ServiceId, slotOfAccount, slotOfService } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal } from '../../domain/crypto/sealing.ts'
import { unixSeconds } from '../../domain/values/time.ts'
import { makeWebhookSecret, webhookSecretRandomBytes } from '../../domain/webhooks/webhook.ts'
import { Denial, UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly newServiceCaps: NewServiceCaps
}

type Command = {
  readonly accountId: AccountId
  readonly name: string
  // Calls only test numbers and the virtual phones of its account, and is free. It stays one.
  readonly isTest?: boolean
  // Initial settings; they override the installation's default caps.
  readonly texts?: Readonly<Partial<Record<ServiceSettingName, string>>>
}

// The key and the secret are never shown again.
type Created = { readonly serviceId: ServiceId; readonly key: string; readonly webhookSecret: string }

export async function createService(deps: Deps, actor: Actor, command: Command): Promise<Created> {
  const { accountId, isTest = false } = command
  const name = serviceSettings.name.parse(command.name)
  if (name === undefined) throw new UsageError(`Invalid --name. Use 1 to 100 characters without control characters.`)
  const settings = parseTexts({ ...deps.newServiceCaps, ...command.texts })
  const key = makeApiKey(deps.randomBytes(apiKeyRandomBytes))
  const webhookSecret = makeWebhookSecret(deps.randomBytes(webhookSecretRandomBytes))
  const slot = slotOfAccount(accountId)
  return inTransaction(deps.slots.databaseOf(slot), async (session) => {
    const { closedAt } = await lockAccount(session, accountId)
    if (closedAt)
      throw new UsageError(
        `Account ${accountId} is closed. \`ringproof accounts set ${accountId} --state active\` opens it again.`,
      )
    const serviceId = await nextServiceId(session, slot)
    const nonce = deps.randomBytes(nonceBytes)
    const webhookSecretSealed = seal(deps.recordKeys, 'webhook-secret', serviceId, webhookSecret, nonce)
    await insertService(session, { id: serviceId, accountId, name, isTest, webhookSecretSealed })
    await insertApiKey(session, serviceId, storedKey(firstKeyName, defaultScopes({ isTest }), key), null)
    await setServiceInDatabase(session, serviceId, settings)
    await logAction(session, actor, {
      accountId,
      action: 'service created',
      details: { service: serviceId, name, isTest },
    })
    return { serviceId, key, webhookSecret }
  })
}

export async function getService(deps: Pick<Deps, 'slots'>, apiClient: ApiClient): Promise<ApiResponse<'getService'>> {
  const database = deps.slots.databaseOf(slotOfService(apiClient.serviceId))
  const [service, account] = await Promise.all([
    readService(database, apiClient.serviceId),
    readAccount(database, apiClient.accountId),
  ])
  if (!service || !account) throw new Error(`service ${apiClient.serviceId} of an authenticated client does not exist`)
  return {
    status: true,
    service_status: service.id,
    name: String(service.settings.name),
    creation_time: unixSeconds(service.createdAt),
    last_request: service.lastRequestAt ? unixSeconds(service.lastRequestAt) : 0,
    owner: account.email,
    use_direction: String(service.settings['use-direction']),
  }
}

// Oldest first. With an account only its database is read.
export async function listServices(
  deps: Pick<Deps, 'slots'>,
  accountId: AccountId | undefined,
): Promise<readonly Service[]> {
  const { slots } = deps
  if (accountId !== undefined) return listInDatabase(slots.databaseOf(slotOfAccount(accountId)), accountId)
  const lists = await Promise.all(slots.databases.map((database) => listInDatabase(database)))
  return lists.flat().toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id)
}

type SetServiceCommand = {
  readonly serviceId: ServiceId
  readonly texts: SettingTexts
  // What a person saw before the change; if another change came first, nothing is saved.
  readonly was?: SettingTexts
}

export async function setService(
  deps: Pick<Deps, 'slots'>,
  actor: Actor,
  { serviceId, texts, was = {} }: SetServiceCommand,
): Promise<readonly SettingChange[]> {
  const values = parseTexts(texts)
  return inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const service = await lockService(session, serviceId)
    const conflicts = conflictsOf(service.settings, was)
    if (conflicts.length > 0) throw new Denial('conflict', conflicts)
    const changes = changesOf(service.settings, values)
    if (changes.length === 0) return changes
    await setServiceInDatabase(session, serviceId, values)
    const details = {
      service: serviceId,
      changes: Object.fromEntries(changes.map(({ name, was: before, becomes }) => [name, [before, becomes]])),
    }
    await logAction(session, actor, { accountId: service.accountId, action: 'service changed', details })
    return changes
  })
}

function parseTexts(texts: SettingTexts): SettingValues {
  const { values, mistakes } = readSettings(texts)
  if (mistakes.length > 0) {
    const sentences = mistakes.map(
      (name) => `${name} takes ${serviceSettings[name].hint}: ${serviceSettings[name].explains}`,
    )
    throw new UsageError(sentences.join('\n'))
  }
  if (values.size === 0) throw new UsageError('No setting was given. See `ringproof services set --help`.')
  return values
}

// Only a test service may call a virtual phone. An account that has none gets one with the first such call: it is free, and it
// calls no one else.
export async function findTestService(
  deps: Parameters<typeof createService>[0],
  actor: Actor,
  accountId: AccountId,
): Promise<ServiceId> {
  const services = await listInDatabase(deps.slots.databaseOf(slotOfAccount(accountId)), accountId)
  const known = services.find(({ isTest, settings }) => isTest && settings.state === 'on')
  if (known) return known.id
  const { serviceId } = await createService(deps, actor, { accountId, name: 'Tests', isTest: true })
  return serviceId
}

type Shown = {
  readonly service: Service
  // A known client that uses the service without the settings it needs.
  readonly hint: ClientHint | undefined
}

export async function showService(deps: Pick<Deps, 'slots'>, id: ServiceId): Promise<Shown> {
  const database = deps.slots.databaseOf(slotOfService(id))
  const service = await readService(database, id)
  if (!service) throw new UsageError(`Service ${id} does not exist. \`ringproof services list\` shows all services.`)
  const seen = await readClientHint(database, id)
  const { settings } = service
  const has = {
    idAlias: String(settings['id-alias']),
    statusStyle: String(settings['status-style']),
    repeats: settings.repeats === true,
  }
  return { service, hint: seen && hintOfClient(seen.client, has) }
}
