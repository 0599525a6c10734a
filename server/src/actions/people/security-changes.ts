import { memberRights } from '@ringproof/contract/web/access.ts'
import { setTwoAuth } from '../../db/accounts/account.ts'
import type { Actor } from '../../db/core/action-log.ts'
import type { Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { listMembers, listMemberships, type Membership } from '../../db/people/membership.ts'
import { countTry } from '../../db/people/sign-in-failure.ts'
import { readUser, type UserId } from '../../db/people/user.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import { mailboxOf } from '../../domain/people/email.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import { messagesHourMax } from '../../domain/people/sign-in-throttle.ts'
import { hourSeconds } from '../../domain/values/time.ts'
import { logByPerson } from './create-session.ts'
import type { Visitor } from './visitor.ts'

type Deps = {
  readonly slots: SlotMap
}

// In the log of the account that the person is looking at; an operator without an account has an entry of the installation.
export async function noteSecurityChange(
  session: Session,
  actor: Actor,
  { user, membership }: Visitor,
  action: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await logByPerson(session, actor, user, { accountId: membership?.accountId ?? null, action, details })
}

// getAccount shows whether the account's owners sign in with a second step, and the Telegram ID of the first who has one.
export async function noteSecondFactors({ slots }: Deps, userId: UserId): Promise<void> {
  const owned = (await listMemberships(slots.globalDatabase, userId)).filter(isOwner)
  for (const { accountId } of owned) {
    const members = await listMembers(slots.globalDatabase, accountId)
    const owners = members.filter(isOwner)
    const users = await Promise.all(owners.map((owner) => readUser(slots.globalDatabase, owner.userId)))
    const telegramId = users.find((user) => user?.telegramSince)?.telegramId ?? null
    const twoAuth = owners.length > 0 && owners.every(({ hasFactor }) => hasFactor)
    await setTwoAuth(slots.databaseOf(slotOfAccount(accountId)), accountId, { twoAuth, telegramId })
  }
}

function isOwner({ role }: Pick<Membership, 'role'>): boolean {
  return memberRights(role).includes('manage')
}

// Counts a message to this mailbox. False: it has had enough for this hour. Links to set a new password are counted apart: they are
// the way back in, and a stranger must not use them up with other messages.
export async function countMessage({ slots }: Deps, email: string, isReset = false): Promise<boolean> {
  const digest = digestToken(`${isReset ? 'reset' : 'message'} ${mailboxOf(email)}`)
  return (await countTry(slots.globalDatabase, digest, hourSeconds)) <= messagesHourMax
}
