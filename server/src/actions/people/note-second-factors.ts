import { memberRights } from '@ringproof/contract/web/access.ts'
import { setTwoAuth } from '../../db/accounts/account.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { listMembers, listMemberships, type Membership } from '../../db/people/membership.ts'
import { readUser, type UserId } from '../../db/people/user.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'

// getAccount shows whether the account's owners sign in with a second step, and the Telegram ID of the first who has one.
export async function noteSecondFactors({ slots }: { readonly slots: SlotMap }, userId: UserId): Promise<void> {
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
