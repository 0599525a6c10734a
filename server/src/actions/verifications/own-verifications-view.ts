// Verifications of an account for its people, newest first. What may not be seen is left out here, not in the page.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccount } from '../../db/accounts/account.ts'
import { listServices } from '../../db/accounts/service.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type CountFilter, readCounts } from '../../db/verifications/call-counts.ts'
import { findIdempotencyKeys } from '../../db/verifications/idempotency-key.ts'
import type { Verification } from '../../db/verifications/verification.ts'
import { findVerifications } from '../../db/verifications/verification-search.ts'
import { type AccountId, type ServiceId, slotOfAccount } from '../../domain/core/slot.ts'
import { clientDigests, uniqueDigests } from '../../domain/crypto/keyed-digest.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import { readFreeText } from '../../domain/numbers/free-text-number.ts'
import { type PhoneNumber, tenantHashes } from '../../domain/numbers/phone-number.ts'
import { hourMs } from '../../domain/values/time.ts'
import { maySeeCode } from '../../domain/verifications/code-visibility.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import { commonRow } from '../../domain/verifications/shown-call.ts'
import type { VerificationFilter } from '../../domain/verifications/verification-filter.ts'
import type { OwnReader } from '../people/visitor.ts'

type Deps = {
  readonly slots: SlotMap
  readonly keys: { readonly phoneTenant: KeyRing }
}

type Page = WebOutput<'verifications'>

export type OwnRow = Page['verifications'][number]

export type OwnDeps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly nowSeconds: () => number
}

export async function listOwnVerifications(
  deps: OwnDeps,
  reader: OwnReader,
  filter: VerificationFilter,
  limit: number,
): Promise<Page> {
  const { accountId, rights } = reader
  const database = deps.slots.databaseOf(slotOfAccount(accountId))
  // One more than asked for shows whether there are more.
  const [{ verifications, searchedTo }, services] = await Promise.all([
    findVerifications(database, { ...filter, accountId }, limit + 1),
    listServices(database, accountId),
  ])
  const names = new Map(services.map(({ id, settings }) => [id, String(settings.name)]))
  const shown = verifications.slice(0, limit)
  const nextBefore = verifications.length > limit ? shown.at(-1)?.id : searchedTo
  return {
    verifications: shown.map((verification) => ownRow(deps, rights, names, verification)),
    nextBefore: nextBefore ?? null,
  }
}

export function ownRow(
  { recordKeys, nowSeconds }: OwnDeps,
  rights: OwnReader['rights'],
  names: ReadonlyMap<ServiceId, string>,
  verification: Verification,
): OwnRow {
  const { serviceId, code } = verification
  const { phoneMask, client } = unsealPerson(recordKeys, serviceId, verification.personSealed)
  const isSeen = maySeeCode(verification, rights, nowSeconds() * 1_000)
  return {
    ...commonRow({ ...verification, phoneMask }),
    serviceId,
    serviceName: names.get(serviceId) ?? '',
    client,
    code: isSeen ? code : null,
    isCodeHidden: code !== null && !isSeen,
  }
}

// How many verifications of an account there were, hour by hour or day by day, for the chart above their list.

const hoursMax = 72

export async function countOwnVerifications(
  { slots }: Pick<Deps, 'slots'>,
  filter: CountFilter,
): Promise<WebOutput<'verification-counts'>> {
  const database = slots.databaseOf(slotOfAccount(filter.accountId))
  const account = await readAccount(database, filter.accountId)
  const zone = account?.timeZone ?? 'UTC'
  const by = filter.until.getTime() - filter.from.getTime() <= hoursMax * hourMs ? 'hour' : 'day'
  const counts = await readCounts<'hour' | 'day'>(database, filter, [by], zone)
  return {
    by,
    from: filter.from.getTime(),
    until: filter.until.getTime(),
    counts: counts
      .map(({ calls, succeeded, failed, charged, ...count }) => ({
        at: count[by],
        calls,
        succeeded,
        failed,
        charged: toDecimal(charged as MicroAmount),
      }))
      .toSorted((one, other) => one.at - other.at),
  }
}

// Turns what a person typed into a condition for a list: a phone number, the customer's ID of a request (unique), or what the
// customer calls the person (client). What comes back names none of them: it may stand in an address.

type Condition = {
  readonly number: string | null
  readonly client: string | null
  readonly ids: string | null
}

const nothing: Condition = { number: null, client: null, ids: null }

const idsMax = 20

export async function findOwnVerifications(
  { slots, keys: { phoneTenant } }: Deps,
  accountId: AccountId,
  text: string,
): Promise<Condition> {
  const typed = text.trim()
  // An ID has more digits than a number that anybody is called at.
  if (/^\d{13,16}$/.test(typed)) return { ...nothing, ids: typed }
  const digits = /^[+\d\s().-]+$/.test(typed) ? readFreeText(typed) : undefined
  if (digits !== undefined) {
    return { ...nothing, number: tokenOf(tenantHashes(phoneTenant, accountId, digits as PhoneNumber)) }
  }
  const database = slots.databaseOf(slotOfAccount(accountId))
  const services = await listServices(database, accountId)
  const keys = services.flatMap(({ id }) =>
    uniqueDigests(phoneTenant, id, typed).map((digest) => ({ serviceId: id, digest })),
  )
  const ids = await findIdempotencyKeys(database, keys)
  if (ids.length > 0) return { ...nothing, ids: ids.slice(0, idsMax).join(',') }
  return { ...nothing, client: tokenOf(clientDigests(phoneTenant, accountId, typed)) }
}

// A keyed digest is as opaque as a random name, and needs no place to be kept.
function tokenOf(digests: readonly Buffer[]): string {
  return digests.map((digest) => digest.toString('base64url')).join('.')
}

export function digestsOf(token: string): readonly Buffer[] {
  return token.split('.').map((digest) => Buffer.from(digest, 'base64url'))
}
