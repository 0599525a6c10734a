// No process and no command works with other keys than those its databases are written with: what a foreign key seals or hashes can
// never be read together with the rest again.

import { type Database, nameOf, type Session } from '../../db/core/database.ts'
import { readKeyChecks, readUnknownKeys, recordNewRings, type SealedSample } from '../../db/core/key-check.ts'
import { sealedColumns } from '../../db/core/sealed-column.ts'
import { compareKeys, type KeyFault, keyChecks, keyFaultSentence, nameOfKey } from '../../domain/crypto/key-check.ts'
import { type KeyRing, sealedWith, unseal } from '../../domain/crypto/sealing.ts'
import { unsealTrunkPassword } from '../../domain/trunks/trunk-password.ts'
import { UsageError } from '../../process/errors.ts'

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
