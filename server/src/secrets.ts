// The keys that never enter the database, a file each: `<ring>-<number>.key`, 32 bytes in base64, readable by their
// owner alone. A ring has one key or several; the highest number is used for what is new, the others for what is old.

import { createSecretKey, type KeyObject } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyRing } from './domain/sealing.ts'
import { OperatorMistake } from './errors.ts'

type RingName = keyof typeof rings
export type Secrets = Readonly<Record<RingName, KeyRing>>

const rings = {
  'phone-tenant': 'hashes phone numbers in verifications, apart for every account',
  'phone-subscriber': 'hashes phone numbers for limits and inbound calls, one hash over all accounts',
  'phone-slot': 'chooses the slot of a phone number; it never changes',
  'seal-numbers': 'seals phone numbers on their way to the phone network and to web-hooks',
  'seal-records': 'seals what is kept long: web-hook secrets, what customers write about a person',
} as const

const ringNames = Object.keys(rings) as RingName[]
const keyBytes = 32

// The files that were made; none when every ring has a key.
export function makeMissingSecrets(dir: string, chance: (bytes: number) => Uint8Array): readonly string[] {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return ringNames
    .filter((ring) => keyFiles(dir, ring).length === 0)
    .map((ring) => writeKey(dir, `${ring}-1.key`, chance))
}

// The file of the key that a ring uses from the next start on.
export function makeNextKey(dir: string, ring: RingName, chance: (bytes: number) => Uint8Array): string {
  return writeKey(dir, `${ring}-${newestKey(dir, ring).number + 1}.key`, chance)
}

export function newestKeyMadeAt(dir: string, ring: RingName): Date {
  return statSync(join(dir, newestKey(dir, ring).file)).mtime
}

// The files that are gone: all of a ring but the newest. They are overwritten first, for what that is worth on the disk.
export function destroyOldKeys(dir: string, ring: RingName): readonly string[] {
  const newest = newestKey(dir, ring)
  const old = keyFiles(dir, ring).filter(({ number }) => number !== newest.number)
  return old.map(({ file }) => {
    chmodSync(join(dir, file), 0o600)
    writeFileSync(join(dir, file), Buffer.alloc(statSync(join(dir, file)).size), { flush: true })
    rmSync(join(dir, file))
    return file
  })
}

function newestKey(dir: string, ring: RingName): { readonly file: string; readonly number: number } {
  const [newest] = keyFiles(dir, ring).toSorted((a, b) => b.number - a.number)
  if (!newest) throw new OperatorMistake(`there is no key ${ring}-1.key; run \`ringproof setup\``)
  return newest
}

function writeKey(dir: string, file: string, chance: (bytes: number) => Uint8Array): string {
  // Refuses to overwrite: two hands that make it at once must not each believe in a key of their own.
  writeFileSync(join(dir, file), `${Buffer.from(chance(keyBytes)).toString('base64')}\n`, { flag: 'wx', mode: 0o400 })
  // The process's umask may have taken bits away, but never added any; this is for the one that takes too many.
  chmodSync(join(dir, file), 0o400)
  return file
}

export function readSecrets(dir: string): Secrets {
  const mistakes: string[] = []
  const found = ringNames.map((ring) => {
    const keys = keyFiles(dir, ring).map(({ file, number }): [number, KeyObject] => [
      number,
      readKey(dir, file, mistakes),
    ])
    if (keys.length === 0) mistakes.push(`there is no key ${ring}-1.key`)
    return [ring, new Map(keys)]
  })
  if (mistakes.length > 0) {
    const advice = 'Run `ringproof setup` to make what is missing; bring back from your backup what was lost.'
    throw new OperatorMistake(
      `The secrets in RINGPROOF_SECRETS_DIR are not in order:\n  ${mistakes.join('\n  ')}\n${advice}`,
    )
  }
  return Object.fromEntries(found) as Secrets
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

// The rings by what they are for, as the stations call them.
export type NamedKeys = ReturnType<typeof namedKeys>

export function namedKeys(secrets: Secrets) {
  return {
    phoneTenant: secrets['phone-tenant'],
    phoneSubscriber: secrets['phone-subscriber'],
    phoneSlot: secrets['phone-slot'],
    sealNumbers: secrets['seal-numbers'],
    sealRecords: secrets['seal-records'],
  }
}
