import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteOptOut, insertOptOut, readOptOut } from '../../db/protection/opt-out.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { lastingDigest, type PhoneNumber, slotOfDigest } from '../../domain/numbers/phone-number.ts'
import { isTestNumber } from '../../domain/numbers/test-number.ts'
import { UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly slotKeys: KeyRing
}

// The subscriber is no longer called: initCall and inboundCallWaiting return code 3. False if already opted out.
export async function addOptOut(deps: Deps, actor: Actor, phone: PhoneNumber, reason = ''): Promise<boolean> {
  if (isTestNumber(phone)) throw new UsageError('Test numbers cannot be opted out.')
  const digest = lastingDigest(deps.slotKeys, phone)
  return inTransaction(deps.slots.databaseOf(slotOfDigest(digest)), async (session) => {
    const isChanged = await insertOptOut(session, digest)
    // Only the digest: an opted-out number must not appear in a log.
    const details = { digest: digest.toString('hex').slice(0, 16), ...(reason === '' ? {} : { reason }) }
    if (isChanged) await logAction(session, actor, { accountId: null, action: 'opt-out added', details })
    return isChanged
  })
}

// The subscriber may be called again. False if the number was not opted out.
export async function removeOptOut(deps: Deps, actor: Actor, phone: PhoneNumber, reason = ''): Promise<boolean> {
  const digest = lastingDigest(deps.slotKeys, phone)
  return inTransaction(deps.slots.databaseOf(slotOfDigest(digest)), async (session) => {
    const isChanged = await deleteOptOut(session, digest)
    // Only the digest: an opted-out number must not appear in a log.
    const details = { digest: digest.toString('hex').slice(0, 16), ...(reason === '' ? {} : { reason }) }
    if (isChanged) await logAction(session, actor, { accountId: null, action: 'opt-out removed', details })
    return isChanged
  })
}

// Since when the number is opted out; undefined if it is not. Who searched is written to the audit log, the number is not.
export async function checkOptOut(
  { slots, slotKeys }: Deps,
  actor: Actor,
  phone: PhoneNumber,
): Promise<Date | undefined> {
  const digest = lastingDigest(slotKeys, phone)
  const details = { digest: digest.toString('hex').slice(0, 16) }
  await logAction(slots.globalDatabase, actor, { accountId: null, action: 'opt-out searched by number', details })
  return readOptOut(slots.databaseOf(slotOfDigest(digest)), digest)
}
