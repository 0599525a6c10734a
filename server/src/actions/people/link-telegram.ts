import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertLink, useLink } from '../../db/people/one-time-link.ts'
import { changeUser, readUser, type User } from '../../db/people/user.ts'
import { deleteWebSessions, readWebSession } from '../../db/people/web-session.ts'
import { digestToken, makeToken, tokenBytes } from '../../domain/people/one-time-token.ts'
import type { Visitor } from './find-visitor.ts'

type Deps = { readonly slots: SlotMap; readonly randomBytes: (bytes: number) => Uint8Array }

// The token of a link that opens the bot. It works once, for ten minutes, and while the session that asked for it is open.
export async function issueTelegramLink(
  { slots, randomBytes }: Deps,
  { user, session }: Visitor,
): Promise<{ readonly token: string; readonly until: Date }> {
  const token = makeToken(randomBytes(tokenBytes))
  const until = await insertLink(slots.globalDatabase, {
    digest: digestToken(token),
    kind: 'telegram',
    email: user.email,
    userId: user.id,
    payload: { session: session.digest.toString('hex') },
  })
  return { token, until }
}

// The bot was opened with that link. Undefined if it no longer works.
export async function linkTelegram(
  { slots }: Pick<Deps, 'slots'>,
  token: string,
  from: { readonly id: number; readonly name: string },
  now: Date,
): Promise<User | undefined> {
  return inTransaction(slots.globalDatabase, async (session) => {
    const link = await useLink(session, 'telegram', digestToken(token))
    if (!link?.userId) return undefined
    const asking = await readWebSession(session, Buffer.from(link.payload['session'] ?? '', 'hex'))
    if (asking?.userId !== link.userId) return undefined
    await changeUser(session, link.userId, { telegramId: from.id, telegramName: from.name, telegramSince: now })
    // They were opened without this factor.
    await deleteWebSessions(session, link.userId, asking.digest)
    return readUser(session, link.userId)
  })
}
