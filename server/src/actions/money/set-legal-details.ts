import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readLegalDetails, writeLegalDetails } from '../../db/money/legal-details.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { type LegalDetails, trimmedDetails, wrongDetail } from '../../domain/money/legal-details.ts'
import { Denial } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
}

// What invoices and acts name as the customer from now on. The log says that it changed, not to what.
export async function setLegalDetails(
  { slots, recordKeys, randomBytes }: Deps,
  actor: Actor,
  accountId: AccountId,
  details: LegalDetails,
): Promise<void> {
  const wrong = wrongDetail(details)
  if (wrong !== undefined) throw new Denial('invalid', [wrong])
  const text = JSON.stringify(trimmedDetails(details))
  const sealed = seal(recordKeys, 'legal-details', accountId, text, randomBytes(nonceBytes))
  await inTransaction(slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    await writeLegalDetails(session, accountId, sealed)
    await logAction(session, actor, { accountId, action: 'legal details changed', details: {} })
  })
}

export async function findLegalDetails(
  { slots, recordKeys }: Pick<Deps, 'slots' | 'recordKeys'>,
  accountId: AccountId,
): Promise<LegalDetails | undefined> {
  const sealed = await readLegalDetails(slots.databaseOf(slotOfAccount(accountId)), accountId)
  return sealed && (JSON.parse(unseal(recordKeys, 'legal-details', accountId, sealed)) as LegalDetails)
}
