// Distinguishes the keys that a database is written with from others. Each database stores a digest for every key, made with the key itself.

import { createHmac } from 'node:crypto'
import { deriveKey, type KeyRing } from './sealing.ts'

export type KeyCheck = {
  readonly ring: string
  readonly number: number
  readonly digest: Buffer
  // Whether new data has been written with it. Of the keys that are there, one a ring is active now.
  readonly isActivated: boolean
}

// missing: the database is written with it. foreign: another key has its name. newer: the database does not know it, and new data
// would be written with it.
export type KeyFault = { readonly file: string; readonly fault: 'missing' | 'foreign' | 'newer' }

export function keyChecks(rings: Readonly<Record<string, KeyRing>>): readonly KeyCheck[] {
  return Object.entries(rings).flatMap(([ring, { active, keys }]) =>
    [...keys].map(([number, key]) => ({
      ring,
      number,
      digest: createHmac('sha256', deriveKey(key, 'key-check')).update(`${ring}-${number}`).digest(),
      isActivated: number <= active,
    })),
  )
}

// What keeps these keys from being those of a database. A ring that the database does not know is new. A key that was added elsewhere
// may still have to be copied, and one that was destroyed elsewhere may still have to be deleted.
export function compareKeys(held: readonly KeyCheck[], known: readonly KeyCheck[]): readonly KeyFault[] {
  return eachRing(held, known).flatMap(({ ours, theirs }) => {
    const newest = newestActivated(theirs)
    const active = newestActivated(ours)
    return [
      ...theirs.filter(({ number }) => number <= newest && !find(ours, number)).map(faultOf('missing')),
      ...foreignKeys(ours, theirs),
      ...ours.filter(({ number }) => number === active && !find(theirs, number)).map(faultOf('newer')),
    ]
  })
}

// The same for a database that has just been restored to an earlier moment: since then keys may have been added, activated
// and, once a newer one was active, destroyed.
export function compareRestoredKeys(held: readonly KeyCheck[], known: readonly KeyCheck[]): readonly KeyFault[] {
  return eachRing(held, known).flatMap(({ ours, theirs }) => {
    const active = newestActivated(ours)
    return [
      ...theirs.filter(({ number }) => number >= active && !find(ours, number)).map(faultOf('missing')),
      ...foreignKeys(ours, theirs),
    ]
  })
}

// The keys of a restored database that have been destroyed since: what they sealed stays unreadable.
export function destroyedKeys(held: readonly KeyCheck[], known: readonly KeyCheck[]): readonly KeyCheck[] {
  return eachRing(held, known).flatMap(({ ours, theirs }) => theirs.filter(({ number }) => !find(ours, number)))
}

export function nameOfKey({ ring, number }: Pick<KeyCheck, 'ring' | 'number'>): string {
  return `${ring}-${number}.key`
}

export function keyFaultCause(dir: string, database: string, faults: readonly KeyFault[]): string {
  const named = faults.map(({ file, fault }) => `${file} ${clauses[fault]}`).join(', ')
  return `The keys in ${dir} are not those of the database ${database}: ${named}`
}

// One sentence, for the operator.
export function keyFaultSentence(dir: string, database: string, faults: readonly KeyFault[]): string {
  const isNewer = faults.every(({ fault }) => fault === 'newer')
  const advice = isNewer
    ? 'if it was restored from a backup, run `ringproof backup finish-restore`, and if not, copy them'
    : 'copy them'
  return `${keyFaultCause(dir, database, faults)}; ${advice} from your backup of the keys to ${dir}.`
}

const clauses: Readonly<Record<KeyFault['fault'], string>> = {
  missing: 'is missing',
  foreign: 'is another key',
  newer: 'is newer than the database',
}

function eachRing(held: readonly KeyCheck[], known: readonly KeyCheck[]) {
  return [...new Set(known.map(({ ring }) => ring))].map((name) => ({
    ours: held.filter(({ ring }) => ring === name),
    theirs: known.filter(({ ring }) => ring === name),
  }))
}

function foreignKeys(ours: readonly KeyCheck[], theirs: readonly KeyCheck[]): readonly KeyFault[] {
  const isForeign = ({ number, digest }: KeyCheck) => find(theirs, number)?.digest.equals(digest) === false
  return ours.filter(isForeign).map(faultOf('foreign'))
}

function newestActivated(checks: readonly KeyCheck[]): number {
  return Math.max(0, ...checks.filter(({ isActivated }) => isActivated).map(({ number }) => number))
}

function find(checks: readonly KeyCheck[], number: number): KeyCheck | undefined {
  return checks.find((one) => one.number === number)
}

function faultOf(fault: KeyFault['fault']): (check: KeyCheck) => KeyFault {
  return (check) => ({ file: nameOfKey(check), fault })
}
