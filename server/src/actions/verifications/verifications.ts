// Finds verifications by what is known about them, newest first, over all databases. A phone number, a client and a unique are
// found by their keyed digests.

import { listAccountIds, readAccountNames } from '../../db/accounts/account.ts'
import { listServiceIds } from '../../db/accounts/service.ts'
import type { Database } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { findRestoreOver, type Restore } from '../../db/installation/restore.ts'
import { countCalls, type StatisticsFilter } from '../../db/verifications/call-statistics.ts'
import { findIdempotencyKeys } from '../../db/verifications/idempotency-key.ts'
import { readVerification, type Verification } from '../../db/verifications/verification.ts'
import { findVerifications } from '../../db/verifications/verification-search.ts'
import {
  type AccountId,
  slotOfAccount,
  slotOfService,
  slotOfVerification,
  type VerificationId,
} from '../../domain/core/slot.ts'
import { clientDigests, uniqueDigests } from '../../domain/crypto/keyed-digest.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { type PhoneNumber, tenantHashes } from '../../domain/numbers/phone-number.ts'
import { type Explanation, explain } from '../../domain/verifications/call-explanation.ts'
import { type CallStatistics, mergeStatistics, type StatisticsKey } from '../../domain/verifications/call-statistics.ts'
import { type Person, unsealPerson } from '../../domain/verifications/person.ts'
import type { VerificationFilter } from '../../domain/verifications/verification-filter.ts'
import { UsageError } from '../../process/errors.ts'

export type ListDeps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly keys: { readonly phoneTenant: KeyRing }
}

export type VerificationQuery = VerificationFilter & {
  readonly phone?: PhoneNumber | undefined
  readonly client?: string | undefined
  readonly unique?: string | undefined
}

export type ListedVerification = Verification & Person & { readonly accountName: string }

export type VerificationPage = {
  readonly verifications: readonly ListedVerification[]
  // Everything from this ID on was searched, and there may be more below it. Undefined: the whole range was searched.
  readonly nextBefore: VerificationId | undefined
}

export async function listVerifications(
  deps: ListDeps,
  query: VerificationQuery,
  limit: number,
): Promise<VerificationPage> {
  const pages = await Promise.all(
    databasesOf(deps.slots, query).map((database) => searchDatabase(deps, database, query, limit)),
  )
  // Below this ID some database was not searched, so what the others have there belongs to the next page.
  const searchedTo = Math.max(0, ...pages.map((page) => page.searchedTo ?? 0)) as VerificationId
  const found = pages
    .flatMap(({ verifications }) => verifications)
    .filter(({ id }) => id >= searchedTo)
    .toSorted((a, b) => b.id - a.id)
  const shown = found.slice(0, limit)
  const nextBefore = found.length > limit ? shown.at(-1)?.id : searchedTo || undefined
  const names = await readAccountNames(deps.slots.databases, [...new Set(shown.map(({ accountId }) => accountId))])
  return {
    verifications: shown.map((call) => ({ ...call, accountName: names.get(call.accountId) ?? '' })),
    nextBefore,
  }
}

function databasesOf(slots: SlotMap, { accountId, serviceId }: VerificationQuery): readonly Database[] {
  if (serviceId !== undefined) return [slots.databaseOf(slotOfService(serviceId))]
  return accountId === undefined ? slots.databases : [slots.databaseOf(slotOfAccount(accountId))]
}

type Searched = {
  readonly verifications: readonly (Verification & Person)[]
  readonly searchedTo: VerificationId | undefined
}

async function searchDatabase(
  deps: ListDeps,
  database: Database,
  query: VerificationQuery,
  limit: number,
): Promise<Searched> {
  const { phone, client, unique, ...range } = query
  const { recordKeys, keys } = deps
  const digestsBy = async (digests: (accountId: AccountId) => readonly Buffer[]) =>
    (range.accountId === undefined ? await listAccountIds(database) : [range.accountId]).flatMap(digests)
  const filter: VerificationFilter = {
    ...range,
    phoneHashes:
      phone === undefined ? range.phoneHashes : await digestsBy((id) => tenantHashes(keys.phoneTenant, id, phone)),
    clientDigests:
      client === undefined ? range.clientDigests : await digestsBy((id) => clientDigests(keys.phoneTenant, id, client)),
    ids: unique === undefined ? range.ids : await idsOf(database, keys.phoneTenant, query, unique),
  }
  // One more than asked for shows whether there are more.
  const { verifications: rows, searchedTo } = await findVerifications(database, filter, limit + 1)
  const verifications = rows.map((row) => ({ ...row, ...unsealPerson(recordKeys, row.serviceId, row.personSealed) }))
  return { verifications, searchedTo: rows.length > limit ? rows.at(-1)?.id : searchedTo }
}

async function idsOf(
  database: Database,
  tenantKeys: KeyRing,
  { serviceId }: VerificationQuery,
  unique: string,
): Promise<readonly VerificationId[]> {
  const services = serviceId === undefined ? await listServiceIds(database) : [serviceId]
  return findIdempotencyKeys(
    database,
    services.flatMap((id) => uniqueDigests(tenantKeys, id, unique).map((digest) => ({ serviceId: id, digest }))),
  )
}

type Shown = {
  readonly verification: Verification
  readonly phoneMask: string
  readonly accountName: string
  // Only for a call that has ended.
  readonly explanation: Explanation | undefined
}

export async function showVerification(
  { slots, recordKeys }: Pick<ListDeps, 'slots' | 'recordKeys'>,
  id: VerificationId,
): Promise<Shown> {
  const database = slots.databaseOf(slotOfVerification(id))
  const verification = await readVerification(database, id)
  if (!verification) throw new UsageError(whyMissing(id, await findRestoreOver(database, id)))
  const { reason, sipStatus, accountId, serviceId, personSealed } = verification
  const names = await readAccountNames([database], [accountId])
  const { phoneMask } = unsealPerson(recordKeys, serviceId, personSealed)
  return {
    verification,
    phoneMask,
    accountName: names.get(accountId) ?? '',
    explanation: reason === null ? undefined : explain(reason, sipStatus),
  }
}

function whyMissing(id: VerificationId, restore: Restore | undefined): string {
  if (!restore) return `Verification ${id} does not exist, or is older than RINGPROOF_VERIFICATION_DAYS.`
  const [from, to] = [restore.restoredTo, restore.finishedAt].map((time) => time.toISOString().slice(0, 19))
  return `Verification ${id} is not known: a restore from a backup lost everything between ${from} and ${to} UTC.`
}

// Over all databases.
export async function showStatistics(
  { slots }: Pick<ListDeps, 'slots'>,
  by: readonly StatisticsKey[],
  filter: StatisticsFilter,
): Promise<readonly CallStatistics[]> {
  const counts = await Promise.all(slots.databases.map((database) => countCalls(database, by, filter)))
  return mergeStatistics(counts.flat(), by)
}
