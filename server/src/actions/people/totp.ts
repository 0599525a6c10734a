// The authenticator app of a person. A new secret counts only after a code from it was typed (confirm-totp.ts), so that nobody
// locks themselves out.

import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { replaceRecoveryCodes } from '../../db/people/second-factor.ts'
import { changeUser, lockUser, type User } from '../../db/people/user.ts'
import { deleteWebSessions } from '../../db/people/web-session.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { base32, stepOfCode, totpSecretBytes, totpUri } from '../../domain/people/totp.ts'
import { Denial } from '../../process/errors.ts'
import { writeRecoveryCodes } from './recovery.ts'
import { noteSecurityChange } from './security-changes.ts'
import type { Visitor } from './visitor.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly nowSeconds: () => number
}

export async function startTotp(
  { slots, recordKeys, randomBytes }: Pick<Deps, 'slots' | 'recordKeys' | 'randomBytes'>,
  user: User,
  issuer: string,
): Promise<{ readonly secret: string; readonly uri: string }> {
  if (user.totpSince) throw new Denial('taken')
  const secret = randomBytes(totpSecretBytes)
  const text = Buffer.from(secret).toString('base64')
  const totpSealed = seal(recordKeys, 'totp', user.id, text, randomBytes(nonceBytes))
  await changeUser(slots.globalDatabase, user.id, { totpSealed, totpStep: 0 })
  return { secret: base32(secret), uri: totpUri(issuer, user.email, secret) }
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

// With its recovery codes.
export async function removeTotp({ slots }: Pick<Deps, 'slots'>, actor: Actor, visitor: Visitor): Promise<void> {
  const { user } = visitor
  await inTransaction(slots.globalDatabase, async (session) => {
    await changeUser(session, user.id, { totpSealed: null, totpSince: null })
    await replaceRecoveryCodes(session, user.id, [])
    await noteSecurityChange(session, actor, visitor, 'second factor removed', { factor: 'app' })
  })
}
