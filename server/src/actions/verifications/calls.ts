// Verifications of all customers for operators, newest first.

import type { OperatorRight } from '@ringproof/contract/web/access.ts'
import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { listAccountIds, readAccountNames } from '../../db/accounts/account.ts'
import { readService } from '../../db/accounts/service.ts'
import type { Actor } from '../../db/core/action-log.ts'
import type { Database } from '../../db/core/database.ts'
import { searchLedger } from '../../db/money/ledger-entry.ts'
import type { User } from '../../db/people/user.ts'
import { readPhone } from '../../db/phones/virtual-phone.ts'
import { readSipMessages } from '../../db/verifications/sip-message.ts'
import { readVerification, readVerificationDetail } from '../../db/verifications/verification.ts'
import { searchVerifications } from '../../db/verifications/verification-search.ts'
import { type AccountId, slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { readFreeText } from '../../domain/numbers/free-text-number.ts'
import { type PhoneNumber, tenantHashes } from '../../domain/numbers/phone-number.ts'
import type { CommandPhone } from '../../domain/phones/virtual-phone.ts'
import { maySeeCode } from '../../domain/verifications/code-visibility.ts'
import { legOf } from '../../domain/verifications/legs.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import { callRow } from '../../domain/verifications/shown-call.ts'
import { Denial } from '../../process/errors.ts'
import { logByPerson } from '../people/create-session.ts'
import { ledgerLines } from './own-verification-view.ts'
import { shownMessages } from './sip-messages.ts'
import { type ListDeps, listVerifications, type VerificationQuery } from './verifications.ts'

type Deps = ListDeps & {
  readonly nowSeconds: () => number
  readonly commandPhone: CommandPhone
}

export async function listCalls(deps: ListDeps, query: VerificationQuery, limit: number): Promise<WebOutput<'calls'>> {
  const { verifications, nextBefore } = await listVerifications(deps, query, limit)
  return { calls: verifications.map(callRow), nextBefore: nextBefore ?? null }
}

// Finds calls of all customers by ID or by a phone number. A number is stored as a digest under a key of each account, so it is
// hashed once per account, for as long as a person waits; who searched is written to the audit log, the number is not.

type Found = WebOutput<'find-calls'>

const foundMax = 50

const secondsMax = 5

// Hashed and searched for at once.
const accountsAtOnce = 2_000

export async function findCalls(
  deps: Pick<Deps, 'slots' | 'keys' | 'nowSeconds'>,
  actor: Actor,
  by: Pick<User, 'email'>,
  text: string,
): Promise<Found> {
  const typed = text.trim()
  // An ID has more digits than a number that anybody is called at.
  if (/^\d{13,16}$/.test(typed)) return { ids: [Number(typed)], isComplete: true }
  const digits = /^[+\d\s().-]+$/.test(typed) ? readFreeText(typed) : undefined
  if (digits === undefined) throw new Denial('invalid', ['text'])
  await logByPerson(deps.slots.globalDatabase, actor, by, {
    accountId: null,
    action: 'calls searched by number',
    details: {},
  })
  const endSecond = deps.nowSeconds() + secondsMax
  const parts = await Promise.all(
    deps.slots.databases.map((database) => searchDatabase(deps, database, digits as PhoneNumber, endSecond)),
  )
  const ids = parts.flatMap((part) => part.ids).toSorted((a, b) => b - a)
  return { ids: ids.slice(0, foundMax), isComplete: parts.every(({ isComplete }) => isComplete) }
}

async function searchDatabase(
  { keys, nowSeconds }: Pick<Deps, 'slots' | 'keys' | 'nowSeconds'>,
  database: Database,
  phone: PhoneNumber,
  endSecond: number,
): Promise<Found> {
  const accounts = await listAccountIds(database)
  const ids: VerificationId[] = []
  for (let at = 0; at < accounts.length; at += accountsAtOnce) {
    if (nowSeconds() > endSecond) return { ids, isComplete: false }
    const phoneHashes = accounts
      .slice(at, at + accountsAtOnce)
      .flatMap((account) => tenantHashes(keys.phoneTenant, account, phone))
    const range = { firstId: 0, endId: Number.MAX_SAFE_INTEGER }
    const found = await searchVerifications(database, { ...range, phoneHashes }, foundMax)
    ids.push(...found.map(({ id }) => id))
  }
  return { ids, isComplete: true }
}

// One call for operators: who, when, over which trunks, and every SIP message that is stored.

export async function showCall(
  deps: Pick<Deps, 'slots' | 'recordKeys' | 'nowSeconds'>,
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
    ...callRow({ ...verification, ...person, accountName: names.get(accountId) ?? '' }),
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

// Answers, declines (603), rejects as busy (486) or hangs up the call on a phone of the account. not-found: it has no such
// phone, or no call is there; unavailable: no process drives real handsets.
export async function actOnCall(
  { slots, commandPhone }: Pick<Deps, 'slots' | 'commandPhone'>,
  accountId: AccountId,
  { number, action }: WebInput<'act-on-call'>,
): Promise<void> {
  const phone = await readPhone(slots.globalDatabase, number as PhoneNumber)
  if (phone?.accountId !== accountId) throw new Denial('not-found')
  const reply = await commandPhone({ do: 'act', number: phone.number, action })
  if (!reply) throw new Denial('unavailable')
  if (reply.status !== 200) throw new Denial('not-found')
}
