// Verifications of an account for its people, newest first. What may not be seen is left out here, not in the page.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { listServices } from '../../db/accounts/service.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import type { Verification } from '../../db/verifications/verification.ts'
import {
  compareVerifications,
  type Found,
  searchVerifications,
  type VerificationFilter,
} from '../../db/verifications/verification-search.ts'
import { type ServiceId, secondOfVerification, slotOfAccount } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { toDecimal, zeroMoney } from '../../domain/money/money.ts'
import { chargeOf } from '../../domain/verifications/charge.ts'
import { maySeeCode } from '../../domain/verifications/code-visibility.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import { statusOf } from '../../domain/verifications/shown-status.ts'
import type { OwnReader } from '../people/find-visitor.ts'

export type OwnFilter = Omit<VerificationFilter, 'accountId' | 'isTest'> & { readonly isTest: boolean }
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
  filter: OwnFilter,
  limit: number,
): Promise<Page> {
  const database = deps.slots.databaseOf(slotOfAccount(reader.accountId))
  const { firstId, endId, isTest, ...other } = filter
  const own = { firstId, endId, isTest, accountId: reader.accountId }
  const isIndexed = Boolean(other.ids ?? other.phoneHashes ?? other.clientDigests) || isEmpty(other)
  // One more than asked for shows whether there are more.
  const [{ verifications, searchedTo }, services]: [Found, Awaited<ReturnType<typeof listServices>>] =
    await Promise.all([
      isIndexed
        ? searchVerifications(database, { ...own, ...other }, limit + 1).then((found) => whole(found))
        : compareVerifications(database, own, other, limit + 1),
      listServices(database, reader.accountId),
    ])
  const names = new Map(services.map(({ id, settings }) => [id, String(settings.name)]))
  const shown = verifications.slice(0, limit)
  const nextBefore = verifications.length > limit ? shown.at(-1)?.id : searchedTo
  return {
    verifications: shown.map((verification) => ownRow(deps, reader.rights, names, verification)),
    nextBefore: nextBefore ?? null,
  }
}

export function ownRow(
  { recordKeys, nowSeconds }: OwnDeps,
  rights: OwnReader['rights'],
  names: ReadonlyMap<ServiceId, string>,
  verification: Verification,
): OwnRow {
  const { id, serviceId, mode, isTest, code, reason, sipStatus } = verification
  const { phoneMask, client } = unsealPerson(recordKeys, serviceId, verification.personSealed)
  const isSeen = maySeeCode(verification, rights, nowSeconds() * 1_000)
  const isOver = verification.endedAt !== null
  return {
    id,
    at: secondOfVerification(id) * 1_000,
    serviceId,
    serviceName: names.get(serviceId) ?? '',
    phoneMask,
    client,
    mode,
    status: statusOf(verification),
    isTest,
    code: isSeen ? code : null,
    isCodeHidden: code !== null && !isSeen,
    country: verification.country,
    provider: verification.phoneInfo?.mnp ?? '',
    region: verification.phoneInfo?.region ?? '',
    reason,
    sipStatus,
    ringDelayMs: verification.postDialMs,
    charged: toDecimal(isOver ? chargeOf(verification) : zeroMoney),
  }
}

function whole(verifications: readonly Verification[]): Found {
  return { verifications, searchedTo: undefined }
}

function isEmpty(conditions: object): boolean {
  return Object.values(conditions).every((value) => value === undefined)
}
