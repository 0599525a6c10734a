// Finds verifications by what an operator knows about them, newest first, over all databases. A phone number and a unique
// are found by their keyed hash. The client is only sealed, so it is compared after decrypting every verification of the
// range, up to a maximum; the page then says where the search stopped.

import { listAccountIds } from '../db/account.ts'
import type { Database } from '../db/database.ts'
import { findIdempotencyKeys } from '../db/idempotency-key.ts'
import { listServiceIds } from '../db/service.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { Verification } from '../db/verification.ts'
import { readPersons, searchVerifications, type VerificationFilter } from '../db/verification-search.ts'
import { type Person, unsealPerson } from '../domain/calls/person.ts'
import { uniqueDigests } from '../domain/crypto/keyed-digest.ts'
import type { KeyRing } from '../domain/crypto/sealing.ts'
import { type PhoneNumber, tenantHashes } from '../domain/numbers/phone-number.ts'
import { slotOfAccount, slotOfService, type VerificationId } from '../domain/slot.ts'

export type VerificationQuery = Omit<VerificationFilter, 'ids' | 'phoneHashes'> & {
  readonly phone: PhoneNumber | undefined
  readonly client: string | undefined
  readonly unique: string | undefined
}

export type ListedVerification = Verification & Person

export type VerificationPage = {
  readonly verifications: readonly ListedVerification[]
  // Everything from this ID on was searched, and there may be more below it. Undefined: the whole range was searched.
  readonly nextBefore: VerificationId | undefined
}

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing; readonly tenantKeys: KeyRing }

// Decrypted in each database when searching by client: seconds, and little memory.
export const decryptedMax = 100_000
const batchRows = 10_000

export async function listVerifications(
  deps: Deps,
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
  const verifications = found.slice(0, limit)
  const nextBefore = found.length > limit ? verifications.at(-1)?.id : searchedTo || undefined
  return { verifications, nextBefore }
}

function databasesOf(slots: SlotMap, { accountId, serviceId }: VerificationQuery): readonly Database[] {
  if (serviceId !== undefined) return [slots.databaseOf(slotOfService(serviceId))]
  return accountId === undefined ? slots.databases : [slots.databaseOf(slotOfAccount(accountId))]
}

type Searched = {
  readonly verifications: readonly ListedVerification[]
  readonly searchedTo: VerificationId | undefined
}

async function searchDatabase(
  deps: Deps,
  database: Database,
  query: VerificationQuery,
  limit: number,
): Promise<Searched> {
  const { phone, client, unique, ...range } = query
  const { recordKeys, tenantKeys } = deps
  const filter: VerificationFilter = {
    ...range,
    phoneHashes: phone === undefined ? undefined : await hashesIn(database, tenantKeys, query, phone),
    ids: unique === undefined ? undefined : await idsOf(database, tenantKeys, query, unique),
  }
  const decrypted = client === undefined ? undefined : await findClient(deps, database, filter, client, limit)
  // One more than asked for shows whether there are more.
  const rows = await searchVerifications(database, { ...filter, ...(decrypted && { ids: decrypted.ids }) }, limit + 1)
  const verifications = rows.map((row) => ({ ...row, ...unsealPerson(recordKeys, row.serviceId, row.personSealed) }))
  return { verifications, searchedTo: rows.length > limit ? rows.at(-1)?.id : decrypted?.searchedTo }
}

async function findClient(
  { recordKeys }: Deps,
  database: Database,
  filter: VerificationFilter,
  client: string,
  limit: number,
): Promise<{ readonly ids: readonly VerificationId[]; readonly searchedTo: VerificationId | undefined }> {
  const ids: VerificationId[] = []
  let { endId } = filter
  for (let rowsRead = 0; rowsRead < decryptedMax && ids.length <= limit; rowsRead += batchRows) {
    const rows = await readPersons(database, { ...filter, endId }, batchRows)
    for (const { id, serviceId, personSealed } of rows) {
      if (unsealPerson(recordKeys, serviceId, personSealed).client === client) ids.push(id)
    }
    if (rows.length < batchRows) return { ids, searchedTo: undefined }
    endId = rows.at(-1)?.id ?? endId
  }
  return { ids, searchedTo: endId as VerificationId }
}

async function hashesIn(
  database: Database,
  tenantKeys: KeyRing,
  { accountId }: VerificationQuery,
  phone: PhoneNumber,
): Promise<readonly Buffer[]> {
  const accounts = accountId === undefined ? await listAccountIds(database) : [accountId]
  return accounts.flatMap((account) => tenantHashes(tenantKeys, account, phone))
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
