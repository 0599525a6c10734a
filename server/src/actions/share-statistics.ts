import { type Actor, logAction } from '../db/action-log.ts'
import { inTransaction } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { insertShare } from '../db/statistics-share.ts'
import type { UserId } from '../db/user.ts'
import { type FrozenFilter, sharesMax } from '../domain/calls/statistics-share.ts'
import { digestToken, makeToken, tokenBytes } from '../domain/people/one-time-token.ts'
import type { AccountId } from '../domain/slot.ts'
import { Denial } from '../errors.ts'

type Deps = { readonly slots: SlotMap; readonly randomBytes: (bytes: number) => Uint8Array }

type Command = {
  readonly accountId: AccountId
  readonly createdBy: UserId
  readonly name: string
  readonly days: number
  readonly hasMoney: boolean
  readonly filter: FrozenFilter
}

// Makes a link that shows the statistics of this filter to anyone who has it. Returns its token, which is not shown again.
export async function shareStatistics(
  { slots, randomBytes }: Deps,
  actor: Actor,
  { days, ...command }: Command,
): Promise<string> {
  const { accountId, hasMoney } = command
  const token = makeToken(randomBytes(tokenBytes))
  const share = { ...command, days, digest: digestToken(token) }
  await inTransaction(slots.globalDatabase, async (session) => {
    const id = await insertShare(session, share, sharesMax)
    if (id === undefined) throw new Denial('too-many')
    const details = { share: id, days, amounts: hasMoney }
    await logAction(session, actor, { accountId, action: 'statistics shared', details })
  })
  return token
}
