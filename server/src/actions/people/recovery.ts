import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { listMemberships } from '../../db/people/membership.ts'
import { deletePasskey, listPasskeys, replaceRecoveryCodes } from '../../db/people/second-factor.ts'
import { changeUser, findUser, type User, type UserId } from '../../db/people/user.ts'
import { deleteWebSessions } from '../../db/people/web-session.ts'
import { digestRecoveryCode, makeRecoveryCodes, recoveryCodesBytes } from '../../domain/people/one-time-token.ts'
import { Denial, UsageError } from '../../process/errors.ts'
import { factorsOf } from './create-session.ts'
import { noteSecondFactors, noteSecurityChange } from './security-changes.ts'
import type { Visitor } from './visitor.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
}

// The old codes stop working.
export async function renewRecoveryCodes(deps: Deps, actor: Actor, visitor: Visitor): Promise<readonly string[]> {
  const { user } = visitor
  if (!user.totpSince) throw new Denial('invalid')
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    await noteSecurityChange(session, actor, visitor, 'recovery codes renewed')
    return writeRecoveryCodes(deps, session, user.id)
  })
}

export async function writeRecoveryCodes(
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  session: Session,
  userId: UserId,
): Promise<readonly string[]> {
  const codes = makeRecoveryCodes(randomBytes(recoveryCodesBytes))
  await replaceRecoveryCodes(session, userId, codes.map(digestRecoveryCode))
  return codes
}

const action = 'second factors removed'

const none = { totpSealed: null, totpSince: null, telegramId: null, telegramName: '', telegramSince: null }

// For a person who has lost every second factor: the next sign-in takes the password alone. Their sessions end, because the
// factors may be in other hands. Every account they belong to has an entry in its log.
export async function removeFactors(
  deps: Pick<Deps, 'slots'>,
  actor: Actor,
  email: string,
): Promise<ReturnType<typeof factorsOf>> {
  const { globalDatabase } = deps.slots
  const user = await findUser(globalDatabase, email.trim().toLowerCase())
  if (!user) throw new UsageError(`Nobody has the e-mail address ${email}.`)
  await inTransaction(globalDatabase, async (session) => {
    await changeUser(session, user.id, none)
    await replaceRecoveryCodes(session, user.id, [])
    for (const { id } of await listPasskeys(session, user.id)) await deletePasskey(session, user.id, id)
    await deleteWebSessions(session, user.id)
    await logAction(session, actor, { accountId: null, action, details: detailsOf(user) })
    for (const { accountId } of await listMemberships(session, user.id)) {
      await logAction(session, actor, { accountId, action, details: detailsOf(user) })
    }
  })
  await noteSecondFactors(deps, user.id)
  return factorsOf(user)
}

function detailsOf({ email }: User): Readonly<Record<string, unknown>> {
  return { member: email }
}
