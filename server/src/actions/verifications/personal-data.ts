// Everything that is stored about the person with a phone number, over all databases and accounts. The number itself is
// stored nowhere: it is hashed under the key of every account and looked up. There is no index for that, so all stored
// verifications are read.

import { listAccountIds } from '../../db/accounts/account.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { type Database, inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteOptOut, readOptOut } from '../../db/protection/opt-out.ts'
import { readLadderVaults } from '../../db/verifications/ladder.ts'
import {
  type Erasure,
  eraseNumber,
  erasePersons,
  type NumberCall,
  readCallbacks,
  readNumberCalls,
} from '../../db/verifications/personal-data.ts'
import type { Verification } from '../../db/verifications/verification.ts'
import { searchVerifications } from '../../db/verifications/verification-search.ts'
import { slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { numberRefOf, type PhoneNumber, tenantHashes } from '../../domain/numbers/phone-number.ts'
import { erasedPerson, type Person, sealPerson, unsealPerson } from '../../domain/verifications/person.ts'
import { repeatWindowMs } from '../../domain/verifications/repeat.ts'

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
    // Of the first call of a ladder that is over: under this name NATS may have the number for minutes.
    readonly ladderVaultName: string | undefined
  }

type PersonalDataDeps = {
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
  const ids = rows.map(({ id }) => id)
  const callbacks = await readCallbacks(database, ids)
  const ladderVaults = await readLadderVaults(database, ids)
  return rows.map((row) => {
    const callback = callbacks.get(row.id)
    return {
      ...row,
      ...unsealPerson(recordKeys, row.serviceId, row.personSealed),
      callbackUrl: callback && unseal(recordKeys, 'callback', row.serviceId, callback.sealed),
      vaultName: callback?.vaultName ?? undefined,
      ladderVaultName: ladderVaults.get(row.id),
    }
  })
}

type Command = { readonly phone: PhoneNumber; readonly reference: string | undefined }

// Everything that is stored about a person, to be handed out. That it was handed out is logged, without the number.
export async function exportPersonalData(
  deps: PersonalDataDeps,
  actor: Actor,
  { phone, reference }: Command,
): Promise<PersonalData> {
  const data = await findPersonalData(deps, phone)
  const details = { verifications: data.verifications.length, ...(reference === undefined ? {} : { reference }) }
  await logAction(deps.slots.globalDatabase, actor, { accountId: null, action: 'personal data exported', details })
  return data
}

// Erases the person with a phone number from everything that is stored. The vault comes first: when the database no longer
// has the name of an entry, nobody could find it. Verifications in progress are left for a second run, because their call is
// still placed or awaited. Ledger entries contain no person and stay.

type Deps = PersonalDataDeps & {
  readonly randomBytes: (bytes: number) => Uint8Array
  // Overwrites sealed numbers in NATS; those that are gone are skipped.
  readonly eraseFromVault: (numbers: VaultNumbers) => Promise<void>
}

export type VaultNumbers = {
  // Of inbound calls, until their webhooks are delivered.
  readonly names: readonly string[]
  // Calls that may still be repeated.
  readonly repeatableIds: readonly VerificationId[]
  // Of verifications of /v2.
  readonly ladderNames: readonly string[]
}

type ErasePersonalDataCommand = {
  readonly phone: PhoneNumber
  // Otherwise an opted-out number stays opted out.
  readonly withOptOut: boolean
  // The operator's ID of the person's request, for the action log.
  readonly reference: string | undefined
}

type ErasedData = {
  readonly verifications: number
  // Not erased: they are not over yet.
  readonly inProgress: number
  readonly hadNumberCalls: boolean
  readonly isOptOutRemoved: boolean
}

const hashBytes = 32

export async function erasePersonalData(
  deps: Deps,
  actor: Actor,
  command: ErasePersonalDataCommand,
): Promise<ErasedData> {
  const { slots } = deps
  const { verifications } = await findPersonalData(deps, command.phone)
  const over = verifications.filter(({ endedAt }) => endedAt !== null)
  const numbers = vaultNumbersOf(over)
  if (Object.values(numbers).flat().length > 0) await deps.eraseFromVault(numbers)
  let erased = 0
  for (const [database, own] of Map.groupBy(over, ({ id }) => slots.databaseOf(slotOfVerification(id)))) {
    erased += await eraseIn(deps, actor, { database, own, reference: command.reference })
  }
  const { hadNumberCalls, isOptOutRemoved } = await eraseNumberData(deps, actor, command)
  return { verifications: erased, inProgress: verifications.length - erased, hadNumberCalls, isOptOutRemoved }
}

// For twice as long as a number is kept: clocks and lifetimes are not exact.
function vaultNumbersOf(verifications: readonly PersonalVerification[]): VaultNumbers {
  return {
    names: verifications.flatMap(({ vaultName }) => vaultName ?? []),
    repeatableIds: verifications
      .filter(({ mode, acceptedAgoMs }) => mode !== 'inbound' && acceptedAgoMs < 2 * repeatWindowMs)
      .map(({ id }) => id),
    ladderNames: verifications.flatMap(({ ladderVaultName }) => ladderVaultName ?? []),
  }
}

async function eraseIn(
  deps: Deps,
  actor: Actor,
  {
    database,
    own,
    reference,
  }: { database: Database; own: readonly PersonalVerification[]; reference: string | undefined },
): Promise<number> {
  return inTransaction(database, async (session) => {
    const erased = await erasePersons(
      session,
      own.map((verification) => erasureOf(deps, verification)),
    )
    await logErasure(session, actor, { verifications: erased.length, reference })
    return erased.length
  })
}

function erasureOf({ recordKeys, randomBytes }: Deps, { id, serviceId }: PersonalVerification): Erasure {
  return {
    id,
    // Random, so that erased verifications of one person have nothing in common.
    hash: randomBytes(hashBytes),
    person: sealPerson(recordKeys, serviceId, erasedPerson, randomBytes(nonceBytes)),
    callback: seal(recordKeys, 'callback', serviceId, '', randomBytes(nonceBytes)),
  }
}

async function eraseNumberData(
  deps: Deps,
  actor: Actor,
  { phone, withOptOut, reference }: ErasePersonalDataCommand,
): Promise<Pick<ErasedData, 'hadNumberCalls' | 'isOptOutRemoved'>> {
  const number = numberRefOf({ phoneSubscriber: deps.subscriberKeys, phoneSlot: deps.slotKeys }, phone)
  return inTransaction(deps.slots.databaseOf(number.slot), async (session) => {
    const hadNumberCalls = await eraseNumber(session, number.hashes)
    const isOptOutRemoved = withOptOut && (await deleteOptOut(session, number.optOutDigest))
    if (hadNumberCalls || isOptOutRemoved) {
      await logErasure(session, actor, { limits: hadNumberCalls, opt_out: isOptOutRemoved, reference })
    }
    return { hadNumberCalls, isOptOutRemoved }
  })
}

// Without the number, its mask and its hashes: the log would be a list of those who asked to be forgotten.
async function logErasure(
  session: Parameters<typeof logAction>[0],
  actor: Actor,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await logAction(session, actor, { accountId: null, action: 'personal data erased', details })
}
