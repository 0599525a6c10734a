import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { replaceRecoveryCodes } from '../../db/people/second-factor.ts'
import type { UserId } from '../../db/people/user.ts'
import { digestRecoveryCode, makeRecoveryCodes, recoveryCodesBytes } from '../../domain/people/one-time-token.ts'
import { Denial } from '../../process/errors.ts'
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
