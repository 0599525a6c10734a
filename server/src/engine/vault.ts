// Where the number of a call that matched lies until its webhook is delivered: a bucket of JetStream with a lifetime, apart
// from the database, so that no table, log or backup of PostgreSQL holds it. It is sealed under the ring that numbers on
// their way are sealed with, and its name is random and says nothing. A lifetime in a bucket frees the place; what erases
// is the ring key, which is destroyed when nothing sealed with it may live any more.

import { Kvm } from '@nats-io/kv'
import { callingTestNumber, numberLifeSeconds, testVaultName } from '../domain/calls/inbound-request.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../domain/crypto/sealing.ts'
import type { PhoneNumber } from '../domain/numbers/phone-number.ts'
import type { Bus } from './bus.ts'

export type Vault = {
  // The name to open it by.
  readonly put: (number: PhoneNumber) => Promise<string>
  // Undefined when it is erased.
  readonly open: (name: string) => Promise<PhoneNumber | undefined>
  readonly erase: (name: string) => Promise<void>
}

const nameBytes = 16
// Some hundred bytes a number. Above it a put is refused, and the call proves nothing.
const bucketBytesMax = 64 * 1024 * 1024

export async function createVault(
  bus: Bus,
  keys: { readonly sealNumbers: KeyRing },
  randomBytes: (bytes: number) => Uint8Array,
  timeScale: number,
): Promise<Vault> {
  const bucket = await bus.keep(() =>
    new Kvm(bus.client).create(bus.names.vaultBucket, {
      ttl: numberLifeSeconds * 1_000 * timeScale,
      max_bytes: bucketBytesMax,
      history: 1,
      // Of a cluster the leader answers: a copy that lags behind would call a number erased that has just been put.
      allow_direct: false,
    }),
  )
  return {
    put: async (number) => {
      const name = Buffer.from(randomBytes(nameBytes)).toString('hex')
      await bucket.put(name, seal(keys.sealNumbers, purposeOf(name), 0, number, randomBytes(nonceBytes)))
      return name
    },
    open: async (name) => {
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

// Bound to its name: moved under another one it does not open.
function purposeOf(name: string): string {
  return `vault:${name}`
}
