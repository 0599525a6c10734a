// Everything that is stored about the person with a phone number, over all databases and accounts. The number itself is
// stored nowhere: it is hashed under the key of every account and looked up. There is no index for that, so all stored
// verifications are read.

import { listAccountIds } from '../../db/accounts/account.ts'
import type { Database } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readOptOut } from '../../db/protection/opt-out.ts'
import { type NumberCall, readCallbacks, readNumberCalls } from '../../db/verifications/personal-data.ts'
import type { Verification } from '../../db/verifications/verification.ts'
import { searchVerifications } from '../../db/verifications/verification-search.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import { numberRefOf } from '../../domain/numbers/number-ref.ts'
import { type PhoneNumber, tenantHashes } from '../../domain/numbers/phone-number.ts'
import { type Person, unsealPerson } from '../../domain/verifications/person.ts'

export type PersonalData = {
  // Newest first.
  readonly verifications: readonly PersonalVerification[]
  // The calls of the last days that the limits of the number are counted by; undefined if there are none.
  readonly numberCalls: readonly NumberCall[] | undefined
  readonly optedOutAt: Date | undefined
}

export type PersonalVerification = Verification &
  Person & {
    // Of an inbound verification.
    readonly callbackUrl: string | undefined
    // Under this name the vault may have the number, until the webhook is delivered.
    readonly vaultName: string | undefined
  }

export type PersonalDataDeps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly tenantKeys: KeyRing
  readonly subscriberKeys: KeyRing
  readonly slotKeys: KeyRing
}

// Far more than the limits of a number allow in the retention time.
const verificationsMax = 100_000

export async function findPersonalData(deps: PersonalDataDeps, phone: PhoneNumber): Promise<PersonalData> {
  const { slots } = deps
  const number = numberRefOf({ phoneSubscriber: deps.subscriberKeys, phoneSlot: deps.slotKeys }, phone)
  const numberDatabase = slots.databaseOf(number.slot)
  const [numberCalls, optedOutAt, ...lists] = await Promise.all([
    readNumberCalls(numberDatabase, number.hashes),
    readOptOut(numberDatabase, number.optOutDigest),
    ...slots.databases.map((database) => verificationsIn(deps, database, phone)),
  ])
  return { verifications: lists.flat().toSorted((a, b) => b.id - a.id), numberCalls, optedOutAt }
}

async function verificationsIn(
  { recordKeys, tenantKeys }: PersonalDataDeps,
  database: Database,
  phone: PhoneNumber,
): Promise<readonly PersonalVerification[]> {
  const accounts = await listAccountIds(database)
  const phoneHashes = accounts.flatMap((accountId) => tenantHashes(tenantKeys, accountId, phone))
  const everything = { firstId: 0, endId: Number.MAX_SAFE_INTEGER }
  const rows = await searchVerifications(database, { ...everything, phoneHashes }, verificationsMax)
  const callbacks = await readCallbacks(
    database,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const callback = callbacks.get(row.id)
    return {
      ...row,
      ...unsealPerson(recordKeys, row.serviceId, row.personSealed),
      callbackUrl: callback && unseal(recordKeys, 'callback', row.serviceId, callback.sealed),
      vaultName: callback?.vaultName ?? undefined,
    }
  })
}
