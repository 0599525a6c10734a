import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { changeUser, lockUser } from '../../db/people/user.ts'
import { deleteWebSessions } from '../../db/people/web-session.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import { stepOfCode } from '../../domain/people/totp.ts'
import { Denial } from '../../process/errors.ts'
import type { Visitor } from './find-visitor.ts'
import { noteSecurityChange } from './note-security-change.ts'
import { writeRecoveryCodes } from './renew-recovery-codes.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly nowSeconds: () => number
}

// Returns the recovery codes, which are never shown again. Other sessions end: they were opened without this factor.
export async function confirmTotp(
  deps: Deps,
  actor: Actor,
  visitor: Visitor,
  code: string,
): Promise<readonly string[]> {
  const { slots, recordKeys, nowSeconds } = deps
  const { id } = visitor.user
  return inTransaction(slots.globalDatabase, async (session) => {
    const user = await lockUser(session, id)
    if (!user.totpSealed || user.totpSince) throw new Denial('invalid')
    const secret = Buffer.from(unseal(recordKeys, 'totp', id, user.totpSealed), 'base64')
    const step = stepOfCode(secret, code, nowSeconds(), user.totpStep)
    if (step === undefined) throw new Denial('wrong-code', ['code'])
    await changeUser(session, id, { totpSince: new Date(nowSeconds() * 1_000), totpStep: step })
    await deleteWebSessions(session, id, visitor.session.digest)
    await noteSecurityChange(session, actor, visitor, 'second factor added', { factor: 'app' })
    return writeRecoveryCodes(deps, session, id)
  })
}
