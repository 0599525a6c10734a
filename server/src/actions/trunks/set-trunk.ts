import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { putTrunk, readTrunks } from '../../db/trunks/trunk.ts'
import { forgetReturnPathCounts } from '../../db/trunks/trunk-return-path.ts'
import { type KeyRing, nonceBytes } from '../../domain/crypto/sealing.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { sealTrunkPassword } from '../../domain/trunks/trunk-password.ts'
import { fieldChanges } from '../../domain/values/field-changes.ts'
import { UsageError } from '../../process/errors.ts'
import { assertOneTestTrunk, assertTrunkIsWhole, withoutPassword } from './add-trunk.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
}
type Command = { readonly name: string; readonly changes: Partial<Trunk>; readonly password: string | undefined }

// Takes effect on every node within a second. Calls in progress are not affected.
export async function setTrunk(deps: Deps, actor: Actor, { name, changes, password }: Command): Promise<Trunk> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const trunks = await readTrunks(session)
    const known = trunks.find((trunk) => trunk.name === name)
    if (!known) throw new UsageError(`Trunk ${name} does not exist. \`ringproof trunks list\` shows all trunks.`)
    const passwordSealed =
      password === undefined
        ? known.passwordSealed
        : sealTrunkPassword(deps.recordKeys, name, password, deps.randomBytes(nonceBytes))
    const trunk = { ...known, ...changes, passwordSealed }
    assertTrunkIsWhole(trunk)
    assertOneTestTrunk(trunk, trunks)
    await putTrunk(session, trunk)
    // Otherwise the old counts would make it enforce again at once.
    if (changes.returnPath === 'record') await forgetReturnPathCounts(session, name)
    await logAction(session, actor, { accountId: null, action: 'trunk set', details: changeOf(known, trunk) })
    return trunk
  })
}

// A new password is logged as such, without a trace of either.
function changeOf(known: Trunk, trunk: Trunk): Readonly<Record<string, unknown>> {
  const isNewPassword = trunk.passwordSealed !== known.passwordSealed
  const changes = fieldChanges(withoutPassword(known), withoutPassword(trunk))
  return { name: trunk.name, ...changes, ...(isNewPassword ? { password: 'changed' } : {}) }
}
