import { inTransaction } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { changeUser, lockUser, type User } from '../db/user.ts'
import { type KeyRing, unseal } from '../domain/crypto/sealing.ts'
import { stepOfCode } from '../domain/people/totp.ts'
import { Denial } from '../errors.ts'
import { writeRecoveryCodes } from './renew-recovery-codes.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly nowSeconds: () => number
}

// Returns the recovery codes, which are never shown again.
export async function confirmTotp(deps: Deps, { id }: User, code: string): Promise<readonly string[]> {
  const { slots, recordKeys, nowSeconds } = deps
  return inTransaction(slots.globalDatabase, async (session) => {
    const user = await lockUser(session, id)
    if (!user.totpSealed || user.totpSince) throw new Denial('invalid')
    const secret = Buffer.from(unseal(recordKeys, 'totp', id, user.totpSealed), 'base64')
    const step = stepOfCode(secret, code, nowSeconds(), user.totpStep)
    if (step === undefined) throw new Denial('wrong-code', ['code'])
    await changeUser(session, id, { totpSince: new Date(nowSeconds() * 1_000), totpStep: step })
    return writeRecoveryCodes(deps, session, id)
  })
}
