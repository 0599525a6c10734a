// Finds calls of all customers by ID or by a phone number. A number is stored as a digest under a key of each account, so it is
// hashed once per account, for as long as a person waits; who searched is written to the audit log, the number is not.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { listAccountIds } from '../../db/accounts/account.ts'
import type { Actor } from '../../db/core/action-log.ts'
import type { Database } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import type { User } from '../../db/people/user.ts'
import { searchVerifications } from '../../db/verifications/verification-search.ts'
import type { VerificationId } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { readFreeText } from '../../domain/numbers/free-text-number.ts'
import { type PhoneNumber, tenantHashes } from '../../domain/numbers/phone-number.ts'
import { Denial } from '../../process/errors.ts'
import { logByPerson } from '../people/create-session.ts'

type Deps = {
  readonly slots: SlotMap
  readonly keys: { readonly phoneTenant: KeyRing }
  readonly nowSeconds: () => number
}

type Found = WebOutput<'find-calls'>

const foundMax = 50
const secondsMax = 5
// Hashed and searched for at once.
const accountsAtOnce = 2_000

export async function findCalls(deps: Deps, actor: Actor, by: Pick<User, 'email'>, text: string): Promise<Found> {
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
  { keys, nowSeconds }: Deps,
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
