// Sealed phone numbers that are needed for a while, in JetStream buckets with a TTL, outside PostgreSQL, so that no table, log
// or backup of the database contains them: the caller's number of a matched inbound call until its webhook is delivered, the
// number of a call while it can be repeated, and that of a verification of /v2 while further calls may follow. They are sealed with the seal-numbers key ring. The TTL only frees space; a
// number becomes unreadable when its key is destroyed, once everything sealed with that key has expired.

import { Kvm } from '@nats-io/kv'
import type { VerificationId } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes, type SealPurpose, seal, unseal } from '../../domain/crypto/sealing.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { secondsOf } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import { callingTestNumber, numberLifeSeconds, testVaultName } from '../../domain/verifications/inbound-request.ts'
import { repeatWindowMs } from '../../domain/verifications/repeat.ts'
import type { Bus } from './bus.ts'

export type Vault = {
  // Returns the name to read it by.
  readonly put: (number: PhoneNumber) => Promise<string>
  // Undefined if it was erased.
  readonly read: (name: string) => Promise<PhoneNumber | undefined>
  readonly erase: (name: string) => Promise<void>
}

export type RepeatVault = {
  readonly put: (id: VerificationId, number: PhoneNumber) => Promise<void>
  readonly read: (id: VerificationId) => Promise<PhoneNumber | undefined>
}

type VaultKeys = { readonly sealNumbers: KeyRing }
type RandomBytes = (bytes: number) => Uint8Array

const nameBytes = 16
// A few hundred bytes per number. Above this a put is refused, and the call does not match or cannot be repeated.
const bucketBytesMax = 64 * 1024 * 1024

export async function createVault(
  bus: Bus,
  keys: VaultKeys,
  randomBytes: RandomBytes,
  timeScale: number,
): Promise<Vault> {
  const lifeMs = numberLifeSeconds * 1_000 * timeScale
  const bucket = await createBucket(bus, bus.names.vaultBucket, lifeMs, keys, randomBytes)
  return {
    put: (number) => putUnderRandomName(bucket, number, randomBytes),
    read: async (name) => (name === testVaultName ? callingTestNumber : bucket.read(name)),
    erase: async (name) => {
      if (name !== testVaultName) await bucket.erase(name)
    },
  }
}

export async function createLadderVault(
  bus: Bus,
  keys: VaultKeys,
  randomBytes: RandomBytes,
  timeScale: number,
): Promise<Vault> {
  const lifeMs = secondsOf(retention.ladderNumbers.kept) * 1_000 * timeScale
  const bucket = await createBucket(bus, bus.names.ladderBucket, lifeMs, keys, randomBytes)
  return {
    put: (number) => putUnderRandomName(bucket, number, randomBytes),
    read: bucket.read,
    erase: bucket.erase,
  }
}

export async function createRepeatVault(
  bus: Bus,
  keys: VaultKeys,
  randomBytes: RandomBytes,
  timeScale: number,
): Promise<RepeatVault> {
  const bucket = await createBucket(bus, bus.names.repeatBucket, repeatWindowMs * timeScale, keys, randomBytes)
  return { put: (id, number) => bucket.put(String(id), number), read: (id) => bucket.read(String(id)) }
}

type Bucket = Awaited<ReturnType<typeof createBucket>>

async function putUnderRandomName(bucket: Bucket, number: PhoneNumber, randomBytes: RandomBytes): Promise<string> {
  const name = Buffer.from(randomBytes(nameBytes)).toString('hex')
  await bucket.put(name, number)
  return name
}

async function createBucket(bus: Bus, bucketName: string, ttlMs: number, keys: VaultKeys, randomBytes: RandomBytes) {
  const { replicas } = bus
  const bucket = await bus.ensure(async () => {
    const created = await new Kvm(bus.client).create(bucketName, {
      // NATS takes whole nanoseconds, and a scaled time may not be one.
      ttl: Math.round(ttlMs),
      max_bytes: bucketBytesMax,
      history: 1,
      replicas,
      // In a cluster only the leader replies: a lagging replica would report a number just put as erased.
      allow_direct: false,
    })
    // An existing bucket keeps its number of copies otherwise.
    const stream = `KV_${bucketName}`
    const { config } = await bus.manager.streams.info(stream)
    if (config.num_replicas !== replicas) await bus.manager.streams.update(stream, { num_replicas: replicas })
    return created
  })
  return {
    put: async (name: string, number: PhoneNumber): Promise<void> => {
      await bucket.put(name, seal(keys.sealNumbers, purposeOf(name), 0, number, randomBytes(nonceBytes)))
    },
    read: async (name: string): Promise<PhoneNumber | undefined> => {
      const entry = await bucket.get(name)
      if (!entry || entry.operation !== 'PUT') return undefined
      return unseal(keys.sealNumbers, purposeOf(name), 0, Buffer.from(entry.value)) as PhoneNumber
    },
    erase: (name: string): Promise<void> => bucket.purge(name),
  }
}

// Binds the ciphertext to its name: under another name it does not decrypt.
function purposeOf(name: string): SealPurpose {
  return `vault:${name}`
}
