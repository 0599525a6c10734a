// Reseals everything sealed with an older key of the ring under the active key: webhook secrets, trunk passwords, receivers of
// notices, and the personal data of verifications, inbound requests and webhooks. In batches of 500 rows, while the service runs.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import type { Database } from '../../db/core/database.ts'
import {
  countSealedWith,
  readSealedOtherwise,
  replaceSealed,
  type SealedColumn,
  type SealedRow,
  sealedColumns,
} from '../../db/core/sealed-column.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { sealTrunkPassword, unsealTrunkPassword } from '../../domain/trunks/trunk-password.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
}

const rowsMax = 500

// Returns how many were resealed.
export async function resealRecords(deps: Deps, actor: Actor): Promise<number> {
  const { slots, recordKeys } = deps
  let resealed = 0
  for (const column of sealedColumns) {
    for (const database of databasesOf(slots, column)) resealed += await resealColumn(deps, database, column)
  }
  const details = { ring: 'seal-records', key: recordKeys.active, resealed }
  await logAction(slots.globalDatabase, actor, { accountId: null, action: 'records sealed anew', details })
  return resealed
}

// How many values only these ring keys can decrypt.
export async function countSealed({ slots }: Pick<Deps, 'slots'>, ringKeys: readonly number[]): Promise<number> {
  let count = 0
  for (const column of sealedColumns) {
    for (const database of databasesOf(slots, column)) count += await countSealedWith(database, column, ringKeys)
  }
  return count
}

function databasesOf({ globalDatabase, databases }: SlotMap, { isGlobal }: SealedColumn): readonly Database[] {
  return isGlobal ? [globalDatabase] : databases
}

async function resealColumn(deps: Deps, database: Database, column: SealedColumn): Promise<number> {
  let resealed = 0
  let after: SealedRow['key'] | undefined
  for (;;) {
    const rows = await readSealedOtherwise(database, column, deps.recordKeys.active, after, rowsMax)
    if (rows.length === 0) return resealed
    await replaceSealed(
      database,
      column,
      rows.map((row) => ({ ...row, next: resealOne(deps, column, row) })),
    )
    resealed += rows.length
    after = rows.at(-1)?.key
  }
}

function resealOne({ recordKeys, randomBytes }: Deps, { purpose }: SealedColumn, { owner, sealed }: SealedRow): Buffer {
  const nonce = randomBytes(nonceBytes)
  if (typeof owner === 'string') {
    return sealTrunkPassword(recordKeys, owner, unsealTrunkPassword(recordKeys, owner, sealed), nonce)
  }
  return seal(recordKeys, purpose, owner, unseal(recordKeys, purpose, owner, sealed), nonce)
}
