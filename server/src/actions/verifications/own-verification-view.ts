import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { listServices } from '../../db/accounts/service.ts'
import { type LedgerEntry, searchLedger } from '../../db/money/ledger-entry.ts'
import { readPhoneCallWebhooks } from '../../db/phones/phone-call.ts'
import { findStartRequest } from '../../db/requests/api-request.ts'
import { readVerification, readVerificationDetail } from '../../db/verifications/verification.ts'
import { slotOfAccount, slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import type { Move } from '../../domain/money/ledger.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { maySeeCode } from '../../domain/verifications/code-visibility.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import { sideOf } from '../../domain/verifications/shown-status.ts'
import { Denial } from '../../process/errors.ts'
import type { OwnReader } from '../people/visitor.ts'
import { showApiRequest } from '../requests/requests-view.ts'
import { type OwnDeps, ownRow } from './own-verifications-view.ts'

type Shown = WebOutput<'verification'>

const kinds: Partial<Readonly<Record<Move, Shown['ledger'][number]['kind']>>> = {
  hold: 'held',
  capture: 'captured',
  release: 'released',
}

// Of another account: as if it did not exist.
export async function showOwnVerification(deps: OwnDeps, reader: OwnReader, id: VerificationId): Promise<Shown> {
  const { accountId, rights } = reader
  if (slotOfVerification(id) !== slotOfAccount(accountId)) throw new Denial('not-found')
  const database = deps.slots.databaseOf(slotOfAccount(accountId))
  const verification = await readVerification(database, id)
  if (verification?.accountId !== accountId) throw new Denial('not-found')
  const [moments, entries, attempts, services] = await Promise.all([
    readVerificationDetail(database, id),
    searchLedger(database, { firstId: id, endId: id + 1, accountId }, 2),
    readPhoneCallWebhooks(database, [id]),
    listServices(database, accountId),
  ])
  const names = new Map(services.map((service) => [service.id, String(service.settings.name)]))
  const { unique } = unsealPerson(deps.recordKeys, verification.serviceId, verification.personSealed)
  const number = verification.callerNumber === null ? null : String(verification.callerNumber)
  // The number that a person calls is no secret.
  const isSeen = verification.mode === 'inbound' || maySeeCode(verification, rights, deps.nowSeconds() * 1_000)
  return {
    ...ownRow(deps, rights, names, verification),
    ...moments,
    ringMs: verification.ringMs,
    endedBy: verification.endedBy,
    atFault: sideOf(verification),
    attempt: verification.attempt,
    callerStart: number === null ? null : number.slice(0, -4),
    callerEnd: number === null || !isSeen ? null : number.slice(-4),
    unique: unique ?? null,
    price: toDecimal(verification.price),
    firstId: verification.firstId,
    repeatIds: [...verification.repeatIds],
    ledger: ledgerLines(entries),
    webhooks: attempts.map(({ endedAt, status, failure }) => ({
      at: endedAt.getTime(),
      status,
      error: failure ?? '',
    })),
  }
}

export function ledgerLines(entries: readonly LedgerEntry[]): Shown['ledger'] {
  return entries
    .flatMap(({ move, createdAt, amount, sequence }) => {
      const kind = kinds[move]
      return kind === undefined ? [] : [{ at: createdAt.getTime(), kind, amount: toDecimal(amount), sequence }]
    })
    .toReversed()
}

type Arguments = Parameters<typeof showApiRequest>

// The request that started a verification. Undefined if the log has no row: it is kept no longer, or was only counted.
export async function showStartRequest(
  deps: Arguments[0],
  viewer: Arguments[1],
  verificationId: VerificationId,
  publicUrl: string,
): ReturnType<typeof showApiRequest> {
  const slot = slotOfAccount(viewer.accountId)
  if (slotOfVerification(verificationId) !== slot) return undefined
  const id = await findStartRequest(deps.slots.databaseOf(slot), viewer.accountId, verificationId)
  return id === undefined ? undefined : showApiRequest(deps, viewer, id, publicUrl)
}
