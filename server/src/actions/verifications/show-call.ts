// One call for operators: who, when, over which trunks, and every SIP message that is stored.

import type { OperatorRight } from '@ringproof/contract/web/access.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccountNames } from '../../db/accounts/account.ts'
import { readService } from '../../db/accounts/service.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { searchLedger } from '../../db/money/ledger-entry.ts'
import { readSipMessages } from '../../db/verifications/sip-message.ts'
import { readVerification, readVerificationDetail } from '../../db/verifications/verification.ts'
import { slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { maySeeCode } from '../../domain/verifications/code-visibility.ts'
import { legOf } from '../../domain/verifications/legs.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import { Denial } from '../../process/errors.ts'
import { callRow } from './list-calls.ts'
import { ledgerLines } from './show-own-verification.ts'
import { shownMessages } from './show-sip-messages.ts'

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing; readonly nowSeconds: () => number }

export async function showCall(
  deps: Deps,
  rights: readonly OperatorRight[],
  id: VerificationId,
): Promise<WebOutput<'call'>> {
  const { slots, recordKeys, nowSeconds } = deps
  const database = slots.databaseOf(slotOfVerification(id))
  const verification = await readVerification(database, id)
  if (!verification) throw new Denial('not-found')
  const { accountId, serviceId, callerNumber } = verification
  const [moments, entries, names, service, attempts] = await Promise.all([
    readVerificationDetail(database, id),
    searchLedger(database, { firstId: id, endId: id + 1, accountId }, 2),
    readAccountNames([database], [accountId]),
    readService(database, serviceId),
    readSipMessages(database, id),
  ])
  const person = unsealPerson(recordKeys, serviceId, verification.personSealed)
  // The number that a person calls is no secret.
  const isSeen = verification.mode === 'inbound' || maySeeCode(verification, rights, nowSeconds() * 1_000)
  const number = callerNumber === null ? null : String(callerNumber)
  const { endUntil: _, ...times } = moments
  const { startedAt, messages } = shownMessages(attempts, person.phoneMask, isSeen ? number?.slice(-4) : undefined)
  return {
    ...callRow({ ...verification, ...person }, names.get(accountId) ?? ''),
    ...times,
    serviceId,
    serviceName: String(service?.settings.name ?? ''),
    ringMs: verification.ringMs,
    endedBy: verification.endedBy,
    attempt: verification.attempt,
    callerStart: number === null ? null : number.slice(0, -4),
    callerEnd: number === null || !isSeen ? null : number.slice(-4),
    price: toDecimal(verification.price),
    ledger: ledgerLines(entries),
    legs: attempts.map(legOf),
    messagesFrom: startedAt,
    messages,
  }
}
