import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertLink, useLink } from '../../db/people/one-time-link.ts'
import { putTelegramCode } from '../../db/people/second-factor.ts'
import { changeUser, readUser, type User } from '../../db/people/user.ts'
import { deleteWebSessions, readWebSession } from '../../db/people/web-session.ts'
import { digestToken, makeSixDigits, makeToken, tokenBytes } from '../../domain/people/one-time-token.ts'
import { codeWindow, codeWindowSeconds } from '../../domain/people/sign-in-throttle.ts'
import { inEnglish, inRussian } from '../../domain/values/period.ts'
import { Denial } from '../../process/errors.ts'
import { noteSecurityChange } from './security-changes.ts'
import type { Visitor } from './visitor.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly sendTelegram: (telegramId: number, text: string) => Promise<void>
}

// The token of a link that opens the bot. It works once, for ten minutes, and while the session that asked for it is open.
export async function issueTelegramLink(
  { slots, randomBytes }: Pick<Deps, 'slots' | 'randomBytes'>,
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

const sentences = {
  en: (code: string) => `${code} is your sign-in code. Share it with no one. It works for ${inEnglish(codeWindow)}.`,
  ru: (code: string) => `${code} — код для входа. Не сообщайте его никому. Действует ${inRussian(codeWindow)}.`,
}

// A new code replaces the one before, and gives no more tries.
export async function sendTelegramCode({ slots, randomBytes, sendTelegram }: Deps, user: User): Promise<void> {
  if (!user.telegramSince || user.telegramId === null) throw new Denial('invalid')
  const code = makeSixDigits(randomBytes(4))
  await putTelegramCode(slots.globalDatabase, user.id, digestToken(`telegram ${code}`), codeWindowSeconds)
  await sendTelegram(user.telegramId, sentences[user.language](code)).catch(() => {
    throw new Denial('unavailable')
  })
}

export async function removeTelegram({ slots }: Pick<Deps, 'slots'>, actor: Actor, visitor: Visitor): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    await changeUser(session, visitor.user.id, { telegramId: null, telegramName: '', telegramSince: null })
    await noteSecurityChange(session, actor, visitor, 'second factor removed', { factor: 'telegram' })
  })
}
