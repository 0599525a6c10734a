import type { Actor } from '../db/action-log.ts'
import { inTransaction, type Session } from '../db/database.ts'
import { replaceRecoveryCodes } from '../db/second-factor.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { UserId } from '../db/user.ts'
import { digestRecoveryCode, makeRecoveryCodes, recoveryCodesBytes } from '../domain/people/one-time-token.ts'
import { Denial } from '../errors.ts'
import type { Visitor } from './find-visitor.ts'
import { noteSecurityChange } from './note-security-change.ts'

type Deps = { readonly slots: SlotMap; readonly randomBytes: (bytes: number) => Uint8Array }

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
