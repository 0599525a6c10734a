// No process and no command works with other keys than those its databases are written with: what a foreign key seals or hashes can
// never be read together with the rest again.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import { type Database, nameOf, type Session } from '../../db/core/database.ts'
import { readKeyChecks, readUnknownKeys, recordNewRings, type SealedSample } from '../../db/core/key-check.ts'
import {
  countSealedWith,
  readSealedOtherwise,
  replaceSealed,
  type SealedColumn,
  type SealedRow,
  sealedColumns,
} from '../../db/core/sealed-column.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { compareKeys, type KeyFault, keyChecks, keyFaultSentence, nameOfKey } from '../../domain/crypto/key-check.ts'
import { type KeyRing, nonceBytes, seal, sealedWith, unseal } from '../../domain/crypto/sealing.ts'
import { sealTrunkPassword, unsealTrunkPassword } from '../../domain/trunks/trunk.ts'
import { UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
}

export type HeldKeys = {
  // Where the files are.
  readonly dir: string
  readonly rings: Rings
}

const recordRing = 'seal-records'

type Rings = Readonly<Record<string, KeyRing>>

// A database that does not know a ring learns its keys, once all that it does know agree.
export async function assertKeys(databases: readonly Database[], keys: HeldKeys): Promise<void> {
  const held = keyChecks(keys.rings)
  const unknown: Database[] = []
  for (const database of databases) {
    const { faults, isComplete } = await examineKeys(database, keys.rings, held)
    if (faults.length > 0) throw new UsageError(keyFaultSentence(keys.dir, nameOf(database), faults))
    if (!isComplete) unknown.push(database)
  }
  for (const database of unknown) {
    await recordNewRings(database, held)
    // Another process may have been first, with other keys.
    const faults = compareKeys(held, await readKeyChecks(database))
    if (faults.length > 0) throw new UsageError(keyFaultSentence(keys.dir, nameOf(database), faults))
  }
}

type Examined = { readonly faults: readonly KeyFault[]; readonly isComplete: boolean }

// Changes nothing.
export async function examineKeys(database: Database, rings: Rings, held = keyChecks(rings)): Promise<Examined> {
  const known = await readKeyChecks(database)
  if (known.length === 0) return { faults: await unopened(database, rings), isComplete: false }
  const knownRings = new Set(known.map(({ ring }) => ring))
  return {
    faults: compareKeys(held, known),
    isComplete: held.every(({ ring }) => knownRings.has(ring)),
  }
}

// Data that was written before its database knew the keys: those that open it are the right ones, and vouch for the rings in the same
// directory that only hash.
async function unopened(session: Session, rings: Rings): Promise<readonly KeyFault[]> {
  const { samples, hasVerifications } = await readUnknownKeys(session)
  if (samples.length === 0 && !hasVerifications) return []
  const recordKeys = rings[recordRing] ?? { active: 1, keys: new Map() }
  const empty = Object.entries(rings).filter(([, { keys }]) => keys.size === 0)
  const faults = [
    ...empty.map(([ring]): KeyFault => ({ file: nameOfKey({ ring, number: 1 }), fault: 'missing' })),
    ...(samples.length === 0 ? [faultOf(recordKeys.active, 'foreign')] : []),
    ...samples.flatMap((sample) => faultOfSample(recordKeys, sample)),
  ]
  return [...new Map(faults.map((one) => [one.file, one])).values()]
}

function faultOfSample(recordKeys: KeyRing, sample: SealedSample): readonly KeyFault[] {
  const number = sealedWith(sample.sealed)
  if (!recordKeys.keys.has(number)) return [faultOf(number, 'missing')]
  try {
    openSample(recordKeys, sample)
    return []
  } catch {
    return [faultOf(number, 'foreign')]
  }
}

function openSample(recordKeys: KeyRing, { table, column, owner, sealed }: SealedSample): void {
  const sealedColumn = sealedColumns.find((one) => one.table === table && one.column === column)
  if (!sealedColumn) throw new Error(`${table}.${column} is not listed as sealed`)
  if (table === 'trunks') unsealTrunkPassword(recordKeys, owner, sealed)
  else unseal(recordKeys, sealedColumn.purpose, Number(owner), sealed)
}

function faultOf(number: number, fault: KeyFault['fault']): KeyFault {
  return { file: nameOfKey({ ring: recordRing, number }), fault }
}

// Reseals everything sealed with an older key of the ring under the active key: webhook secrets, trunk passwords, receivers of
// notices, and the personal data of verifications, inbound requests and webhooks. In batches of 500 rows, while the service runs.

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
