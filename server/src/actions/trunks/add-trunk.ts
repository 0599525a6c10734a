import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertTrunk, readTrunks } from '../../db/trunks/trunk.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { UsageError } from '../../process/errors.ts'

// Takes calls within a second, once it has caller numbers.
export async function addTrunk(deps: { readonly slots: SlotMap }, actor: Actor, trunk: Trunk): Promise<void> {
  assertTrunkIsWhole(trunk)
  await inTransaction(deps.slots.globalDatabase, async (session) => {
    assertOneTestTrunk(trunk, await readTrunks(session))
    if (!(await insertTrunk(session, trunk)))
      throw new UsageError(`Trunk ${trunk.name} already exists. Change it with \`ringproof trunks set\`.`)
    await logAction(session, actor, { accountId: null, action: 'trunk added', details: withoutPassword(trunk) })
  })
}

// Checks options that depend on each other.
export function assertTrunkIsWhole(trunk: Trunk): void {
  if (trunk.outboundRegistration && (trunk.user === null || trunk.passwordSealed === null)) {
    throw new UsageError('--register on needs --user and --password-file.')
  }
  if (trunk.srtp && trunk.transport !== 'tls') {
    throw new UsageError('--srtp on needs --transport tls: otherwise the SRTP key would be sent unencrypted.')
  }
  if (trunk.fromUser !== null && trunk.callerIdHeader === 'from') {
    throw new UsageError('With --from-user the caller ID needs its own header: --caller-id-header pai or rpid.')
  }
}

// A second one would carry calls that the first was added for; an index in the database holds the same.
export function assertOneTestTrunk(trunk: Trunk, known: readonly Trunk[]): void {
  const other = trunk.isTest ? known.find(({ isTest, name }) => isTest && name !== trunk.name) : undefined
  if (other) throw new UsageError(`Trunk ${other.name} is the test trunk already. Set --test off on it first.`)
}

// For the action log.
export function withoutPassword(trunk: Trunk): Record<string, unknown> {
  return { ...trunk, passwordSealed: undefined }
}
