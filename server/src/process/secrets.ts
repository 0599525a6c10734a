// The keys that never enter the database, one file each: `<ring>-<number>.key`, 32 bytes in base64, readable only by the
// owner. A ring has one or more keys: all of them decrypt and are used for lookups; the active one seals and hashes new
// data. `<ring>.active` names the active key; without that file it is the lowest number.
//
// A key is replaced in two steps, so that no process ever needs a key that it lacks:
//
//   distributed   The file is on every host. It decrypts, but seals nothing yet.
//   active        `<ring>.active` names it. The previous key still decrypts what it sealed.
//   destroyed     The file is deleted once everything written under it has expired.

import { createSecretKey, type KeyObject } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { KeyRing } from '../domain/crypto/sealing.ts'
import { dayMs } from '../domain/values/time.ts'
import { UsageError } from './errors.ts'

export type RingName = keyof typeof rings
export type Secrets = Readonly<Record<RingName, KeyRing>>

export const rings = {
  'phone-tenant': 'hashes phone numbers and idempotency keys in verifications, apart for every account',
  'phone-subscriber': 'hashes phone numbers for limits and inbound calls, one hash over all accounts',
  'phone-slot': 'chooses the slot of a phone number; it never changes',
  'seal-numbers': 'seals call orders on the bus, and phone numbers on their way to webhooks',
  'seal-records':
    'seals what is kept long: webhook secrets, trunk passwords, masks, what customers write about a person',
} as const

export const ringNames = Object.keys(rings) as RingName[]
const keyBytes = 32

// Returns the files created; none if every ring has a key.
export function makeMissingSecrets(dir: string, randomBytes: (bytes: number) => Uint8Array): readonly string[] {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return emptyRings(dir).map((ring) => writeKey(dir, firstKey(ring), randomBytes))
}

export function emptyRings(dir: string): readonly RingName[] {
  return ringNames.filter((ring) => keyFiles(dir, ring).length === 0)
}

export function firstKey(ring: RingName): string {
  return `${ring}-1.key`
}

export type KeyFile = {
  readonly ring: RingName
  readonly number: number
  readonly file: string
  readonly state: 'next' | 'active' | 'old'
  readonly madeAt: Date
  // Since when the key is active; undefined for the first key.
  readonly activeSince: Date | undefined
}

// The keys of a ring, sorted by number.
export function listKeys(dir: string, ring: RingName): readonly KeyFile[] {
  const files = keyFiles(dir, ring).toSorted((a, b) => a.number - b.number)
  if (files.length === 0) throw new UsageError(`there is no key ${ring}-1.key; run \`ringproof setup\``)
  const active = activeNumber(dir, ring, files)
  const pointer = join(dir, pointerOf(ring))
  return files.map(({ file, number }) => ({
    ring,
    number,
    file,
    state: number === active ? 'active' : number > active ? 'next' : 'old',
    madeAt: statSync(join(dir, file)).mtime,
    activeSince: number === active && existsSync(pointer) ? statSync(pointer).mtime : undefined,
  }))
}

// Creates a key, which decrypts but does not seal yet. Returns its file.
export function addKey(dir: string, ring: RingName, randomBytes: (bytes: number) => Uint8Array): string {
  const keys = listKeys(dir, ring)
  const next = keys.find(({ state }) => state === 'next')
  if (next) {
    throw new UsageError(`${next.file} exists and is not active yet: activate it before you add another one`)
  }
  return writeKey(dir, `${ring}-${(keys.at(-1)?.number ?? 0) + 1}.key`, randomBytes)
}

// Returns the key that seals from now on.
export function activateNextKey(dir: string, ring: RingName): KeyFile {
  const next = listKeys(dir, ring).findLast(({ state }) => state === 'next')
  if (!next) {
    throw new UsageError(`the newest key of ${ring} is active already: \`ringproof secrets add ${ring}\` makes one`)
  }
  // Atomic: a reader sees either the old or the new file.
  const written = join(dir, `${pointerOf(ring)}.new`)
  writeFileSync(written, `${next.number}\n`, { mode: 0o400, flush: true })
  renameSync(written, join(dir, pointerOf(ring)))
  return next
}

// The keys that are due for rotation. Data sealed in NATS may survive in old disk blocks and can be decrypted as long as its
// key exists, so a key must not outlive the verifications.
export function keysDue(dir: string, verificationDays: number, nowMs: number): readonly KeyFile[] {
  const olderMs = nowMs - verificationDays * dayMs
  return listKeys(dir, 'seal-numbers').filter(
    ({ state, activeSince, madeAt }) => state === 'active' && (activeSince ?? madeAt).getTime() < olderMs,
  )
}

// Overwrites the files before deleting them, as far as the disk honours that.
export function destroyKeys(dir: string, keys: readonly KeyFile[]): void {
  for (const { file } of keys) {
    chmodSync(join(dir, file), 0o600)
    writeFileSync(join(dir, file), Buffer.alloc(statSync(join(dir, file)).size), { flush: true })
    rmSync(join(dir, file))
  }
}

function writeKey(dir: string, file: string, randomBytes: (bytes: number) => Uint8Array): string {
  // Refuses to overwrite: of two processes that create it at once, one must fail.
  writeFileSync(join(dir, file), `${Buffer.from(randomBytes(keyBytes)).toString('base64')}\n`, {
    flag: 'wx',
    mode: 0o400,
  })
  // The umask may have removed the owner's read bit too.
  chmodSync(join(dir, file), 0o400)
  return file
}

// As far as there are any.
export function readFoundSecrets(dir: string): Secrets {
  return Object.fromEntries(readRings(dir).found) as Secrets
}

// Known keys stay the same objects, so that keys derived from them stay cached.
export function readSecrets(dir: string, known?: Secrets): Secrets {
  const { found, mistakes } = readRings(dir, known)
  if (mistakes.length > 0) {
    const advice =
      'Copy what was lost from your backup of the keys; `ringproof setup` makes the keys of a new installation.'
    throw new UsageError(`The keys in ${dir} are not in order:\n  ${mistakes.join('\n  ')}\n${advice}`)
  }
  return Object.fromEntries(found) as Secrets
}

// What is wrong with the rings: files that others can read, and everything else as clauses.
export function examineSecrets(dir: string): {
  readonly readable: readonly string[]
  readonly mistakes: readonly string[]
} {
  const isOpen = (path: string, bits: number) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & bits
  const files = ringNames.flatMap((ring) => keyFiles(dir, ring).map(({ file }) => file))
  // Who can write to the directory can replace a key.
  const readable = [...(isOpen(dir, 0o022) ? [dir] : []), ...files.filter((file) => isOpen(join(dir, file), 0o077))]
  const { mistakes } = readRings(dir)
  return {
    readable,
    mistakes: mistakes.filter((text) => !readable.some((file) => text.startsWith(`${file} can be read`))),
  }
}

function readRings(
  dir: string,
  known?: Secrets,
): { readonly found: [RingName, KeyRing][]; readonly mistakes: string[] } {
  const mistakes: string[] = []
  const found = ringNames.map((ring): [RingName, KeyRing] => {
    const files = keyFiles(dir, ring)
    if (files.length === 0) mistakes.push(`there is no key ${ring}-1.key`)
    const keys = files.map(({ file, number }): [number, KeyObject] => {
      const key = readKey(dir, file, mistakes)
      const before = known?.[ring].keys.get(number)
      if (before && !before.equals(key)) mistakes.push(`${file} has changed: a key keeps its number`)
      return [number, before ?? key]
    })
    const active = activeNumber(dir, ring, files)
    if (files.length > 0 && !files.some(({ number }) => number === active)) {
      mistakes.push(`${pointerOf(ring)} does not name a key that is there: copy ${ring}-${active}.key first`)
    }
    return [ring, { active, keys: new Map(keys) }]
  })
  return { found, mistakes }
}

function pointerOf(ring: RingName): string {
  return `${ring}.active`
}

function activeNumber(dir: string, ring: RingName, files: readonly { readonly number: number }[]): number {
  const pointer = join(dir, pointerOf(ring))
  return existsSync(pointer) ? Number(readFileSync(pointer, 'utf8')) : Math.min(...files.map(({ number }) => number))
}

function keyFiles(dir: string, ring: RingName): readonly { file: string; number: number }[] {
  return listDir(dir).flatMap((file) => {
    const number = new RegExp(`^${ring}-([1-9]\\d{0,3})\\.key$`).exec(file)?.[1]
    return number === undefined ? [] : [{ file, number: Number(number) }]
  })
}

function readKey(dir: string, file: string, mistakes: string[]): KeyObject {
  const path = join(dir, file)
  if (statSync(path).mode & 0o077) mistakes.push(`${file} can be read by others than its owner: chmod 0400`)
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
  if (key.length !== keyBytes) mistakes.push(`${file} does not hold ${keyBytes} bytes in base64`)
  return createSecretKey(key)
}

function listDir(dir: string): readonly string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

// The rings by purpose. Getters, because a running process may get a new key at any time.
export type NamedKeys = Readonly<
  Record<'phoneTenant' | 'phoneSubscriber' | 'phoneSlot' | 'sealNumbers' | 'sealRecords', KeyRing>
>

export function namedKeys(secrets: Secrets): NamedKeys {
  return {
    get phoneTenant() {
      return secrets['phone-tenant']
    },
    get phoneSubscriber() {
      return secrets['phone-subscriber']
    },
    get phoneSlot() {
      return secrets['phone-slot']
    },
    get sealNumbers() {
      return secrets['seal-numbers']
    },
    get sealRecords() {
      return secrets['seal-records']
    },
  }
}
