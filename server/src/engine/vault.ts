// Holds the caller's number of a matched inbound call until its webhook is delivered: a JetStream bucket with a TTL, outside
// PostgreSQL, so that no table, log or backup of the database contains it. The number is sealed with the seal-numbers key
// ring under a random name. The TTL only frees space; a number becomes unreadable when its key is destroyed, once everything
// sealed with that key has expired.

import { Kvm } from '@nats-io/kv'
import { callingTestNumber, numberLifeSeconds, testVaultName } from '../domain/calls/inbound-request.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../domain/crypto/sealing.ts'
import type { PhoneNumber } from '../domain/numbers/phone-number.ts'
import type { Bus } from './bus.ts'

export type Vault = {
  // Returns the name to read it by.
  readonly put: (number: PhoneNumber) => Promise<string>
  // Undefined if it was erased.
  readonly read: (name: string) => Promise<PhoneNumber | undefined>
  readonly erase: (name: string) => Promise<void>
}

const nameBytes = 16
// A few hundred bytes per number. Above this a put is refused, and the call does not match.
const bucketBytesMax = 64 * 1024 * 1024

export async function createVault(
  bus: Bus,
  keys: { readonly sealNumbers: KeyRing },
  randomBytes: (bytes: number) => Uint8Array,
  timeScale: number,
): Promise<Vault> {
  const bucket = await bus.ensure(() =>
    new Kvm(bus.client).create(bus.names.vaultBucket, {
      ttl: numberLifeSeconds * 1_000 * timeScale,
      max_bytes: bucketBytesMax,
      history: 1,
      // In a cluster only the leader replies: a lagging replica would report a number just put as erased.
      allow_direct: false,
    }),
  )
  return {
    put: async (number) => {
      const name = Buffer.from(randomBytes(nameBytes)).toString('hex')
      await bucket.put(name, seal(keys.sealNumbers, purposeOf(name), 0, number, randomBytes(nonceBytes)))
      return name
    },
    read: async (name) => {
      if (name === testVaultName) return callingTestNumber
      const entry = await bucket.get(name)
      if (!entry || entry.operation !== 'PUT') return undefined
      return unseal(keys.sealNumbers, purposeOf(name), 0, Buffer.from(entry.value)) as PhoneNumber
    },
    erase: async (name) => {
      if (name !== testVaultName) await bucket.purge(name)
    },
  }
}

// Binds the ciphertext to its name: under another name it does not decrypt.
function purposeOf(name: string): string {
  return `vault:${name}`
}
