// The authenticator app of a person. A new secret counts only after a code from it was typed (confirm-totp.ts), so that nobody
// locks themselves out.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { changeUser, type User } from '../../db/people/user.ts'
import { type KeyRing, nonceBytes, seal } from '../../domain/crypto/sealing.ts'
import { base32, totpSecretBytes, totpUri } from '../../domain/people/totp.ts'
import { Denial } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
}

export async function startTotp(
  { slots, recordKeys, randomBytes }: Deps,
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
