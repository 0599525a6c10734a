import type { Language } from '@ringproof/contract/lists/people.ts'
import { setAccountProfile } from '../../db/accounts/account.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { changeUser, type User } from '../../db/people/user.ts'
import { chooseAccount as writeChoice } from '../../db/people/web-session.ts'
import { isTimeZone } from '../../domain/accounts/quiet-hours.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { Denial } from '../../process/errors.ts'
import type { Visitor } from './find-visitor.ts'

type Deps = { readonly slots: SlotMap }

export async function setProfile(
  { slots }: Deps,
  { id, name, language }: User,
  changes: { readonly name?: string; readonly language?: Language },
): Promise<void> {
  await changeUser(slots.globalDatabase, id, { name, language, ...changes })
}

export async function chooseAccount({ slots }: Deps, visitor: Visitor, accountId: AccountId): Promise<void> {
  if (!visitor.memberships.some((one) => one.accountId === accountId)) throw new Denial('not-found')
  await writeChoice(slots.globalDatabase, visitor.session.digest, accountId)
}

export async function setOwnAccount(
  { slots }: Deps,
  actor: Actor,
  user: User,
  accountId: AccountId,
  changes: { readonly name?: string; readonly timeZone?: string },
): Promise<void> {
  if (changes.timeZone !== undefined && !isTimeZone(changes.timeZone)) throw new Denial('invalid', ['timeZone'])
  if (changes.name?.trim() === '') throw new Denial('invalid', ['name'])
  const database = slots.databaseOf(slotOfAccount(accountId))
  await inTransaction(database, async (session) => {
    await setAccountProfile(session, accountId, changes)
    await logAction(session, actor, { accountId, action: 'account changed', details: { ...changes, user: user.email } })
  })
}
