import {
  type ApiKey,
  deleteApiKey,
  deleteReplacedKeys,
  insertApiKey,
  listApiKeys,
  replaceApiKey,
} from '../../db/accounts/api-key.ts'
import { lockService, readService } from '../../db/accounts/service.ts'
import { insertStartStep } from '../../db/accounts/start-step.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  apiKeyRandomBytes,
  dashboardKeyName,
  firstKeyName,
  type KeyScope,
  keysPerServiceMax,
  makeApiKey,
  storedKey,
} from '../../domain/accounts/api-key.ts'
import { type AccountId, type ServiceId, slotOfAccount, slotOfService } from '../../domain/core/slot.ts'
import { daySeconds, hourSeconds } from '../../domain/values/time.ts'
import { UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
}

type Command = {
  readonly serviceId: ServiceId
  readonly name: string
  readonly scopes: readonly KeyScope[]
  // Null: valid until revoked.
  readonly expiresDays: number | null
}

// Returns the key, which is never shown again.
export async function addKey(deps: Deps, actor: Actor, command: Command): Promise<string> {
  const { serviceId, name, scopes, expiresDays } = command
  if (name === dashboardKeyName) throw new UsageError(`The name ${name} is reserved. Choose another name.`)
  const key = makeApiKey(deps.randomBytes(apiKeyRandomBytes))
  await inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await lockService(session, serviceId)
    const keys = (await listApiKeys(session, serviceId)).filter(({ isReplaced }) => !isReplaced)
    if (keys.some((known) => known.name === name)) {
      throw new UsageError(`Service ${serviceId} already has a key named ${name}. Revoke it, or choose another name.`)
    }
    if (keys.length >= keysPerServiceMax) {
      throw new UsageError(`Service ${serviceId} has ${keys.length} keys, the maximum. Revoke one first.`)
    }
    await insertApiKey(
      session,
      serviceId,
      storedKey(name, scopes, key),
      expiresDays === null ? null : expiresDays * daySeconds,
    )
    const details = { service: serviceId, key: name, scopes, expiresDays }
    await logAction(session, actor, { accountId, action: 'service key added', details })
  })
  return key
}

const dashboardKeySeconds = hourSeconds

// The key with which the dashboard itself calls the API for a person who presses "run here". It replaces the one before.
export async function addDashboardKey(deps: Deps, actor: Actor, serviceId: ServiceId): Promise<string> {
  const key = makeApiKey(deps.randomBytes(apiKeyRandomBytes))
  await inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await lockService(session, serviceId)
    await deleteApiKey(session, serviceId, dashboardKeyName)
    await insertApiKey(session, serviceId, storedKey(dashboardKeyName, ['start', 'read'], key), dashboardKeySeconds)
    const details = { service: serviceId, key: dashboardKeyName, expiresSeconds: dashboardKeySeconds }
    await logAction(session, actor, { accountId, action: 'service key added', details })
  })
  return key
}

// The keys of a service without their values: only digests are stored.
export async function listKeys({ slots }: Pick<Deps, 'slots'>, serviceId: ServiceId): Promise<readonly ApiKey[]> {
  const database = slots.databaseOf(slotOfService(serviceId))
  if (!(await readService(database, serviceId)))
    throw new UsageError(`Service ${serviceId} does not exist. \`ringproof services list\` shows all services.`)
  return listApiKeys(database, serviceId)
}

type RotateKeyCommand = { readonly serviceId: ServiceId; readonly name?: string; readonly overlapSeconds: number }

// Returns the new key, which is never shown again. It has the name, scopes and expiry of the key it replaces.
export async function rotateKey(deps: Deps, actor: Actor, command: RotateKeyCommand): Promise<string> {
  const { serviceId, name = firstKeyName, overlapSeconds } = command
  const key = makeApiKey(deps.randomBytes(apiKeyRandomBytes))
  await inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await lockService(session, serviceId)
    const keys = await listApiKeys(session, serviceId)
    const current = keys.find((known) => known.name === name && !known.isReplaced)
    if (!current) {
      throw new UsageError(
        `Service ${serviceId} has no key named ${name}. \`ringproof services show ${serviceId}\` shows its keys.`,
      )
    }
    if (!current.isValid) {
      throw new UsageError(
        `The key ${name} expired at ${current.validUntil?.toISOString()}. Revoke it and add another.`,
      )
    }
    const { scopes } = current
    await replaceApiKey(session, serviceId, storedKey(name, scopes, key), overlapSeconds)
    const details = { service: serviceId, key: name, overlapSeconds }
    await logAction(session, actor, { accountId, action: 'service key rotated', details })
  })
  return key
}

// Ends the overlap of a rotation now.
export async function endOldKey(
  deps: Pick<Deps, 'slots'>,
  actor: Actor,
  { serviceId, name }: { readonly serviceId: ServiceId; readonly name: string },
): Promise<void> {
  await inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await lockService(session, serviceId)
    if (!(await deleteReplacedKeys(session, serviceId, name)))
      throw new UsageError(`Service ${serviceId} has no old key named ${name}.`)
    const details = { service: serviceId, key: name }
    await logAction(session, actor, { accountId, action: 'old service key ended', details })
  })
}

type RevokeKeyCommand = { readonly serviceId: ServiceId; readonly name: string }

// Returns how many valid keys the service has left.
export async function revokeKey(
  deps: Pick<Deps, 'slots'>,
  actor: Actor,
  { serviceId, name }: RevokeKeyCommand,
): Promise<number> {
  return inTransaction(deps.slots.databaseOf(slotOfService(serviceId)), async (session) => {
    const { accountId } = await lockService(session, serviceId)
    if (!(await deleteApiKey(session, serviceId, name))) {
      throw new UsageError(
        `Service ${serviceId} has no key named ${name}. \`ringproof services show ${serviceId}\` shows its keys.`,
      )
    }
    await logAction(session, actor, {
      accountId,
      action: 'service key revoked',
      details: { service: serviceId, key: name },
    })
    return (await listApiKeys(session, serviceId)).filter(({ isValid }) => isValid).length
  })
}

// The person has copied the key: the second step of the checklist.
export async function noteKeyStored({ slots }: Pick<Deps, 'slots'>, accountId: AccountId): Promise<void> {
  await insertStartStep(slots.databaseOf(slotOfAccount(accountId)), accountId, 'key')
}
