// How a password is stored: argon2id with its parameters and salt, as
// $argon2id$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<hash>, so that the parameters can be raised later.

import { argon2, timingSafeEqual } from 'node:crypto'

// Pages apply the same rules while a password is typed, so they are in the contract.
export { passwordFaults } from '@ringproof/contract/web/password.ts'

// Who waits for a hash. Strangers take turns by address, people whom we know by user.
export type Asker = { readonly isKnown: boolean; readonly key: string }

// Hashing takes tens of milliseconds and 19 MB, so it is done a few at a time.
export type Passwords = {
  readonly hash: (asker: Asker, password: string) => Promise<string>
  // Without a stored hash it takes the same time and is false. An attempt that is turned away before its turn is not counted.
  readonly matches: (
    asker: Asker,
    password: string,
    stored: string | undefined,
    count: () => Promise<void>,
  ) => Promise<boolean>
}

export const saltBytes = 16
const memoryKib = 19_456
const passes = 2
const parallelism = 1
const tagLength = 32

export async function hashPassword(password: string, salt: Uint8Array): Promise<string> {
  const hash = await derive(password, salt, { memoryKib, passes, parallelism })
  return `$argon2id$m=${memoryKib},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, time, lanes, salt, hash] =
    /^\$argon2id\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) ?? []
  if (memory === undefined || salt === undefined || hash === undefined) return false
  const expected = Buffer.from(hash, 'base64')
  const parameters = { memoryKib: Number(memory), passes: Number(time), parallelism: Number(lanes) }
  const derived = await derive(password, Buffer.from(salt, 'base64'), parameters)
  return derived.length === expected.length && timingSafeEqual(derived, expected)
}

type Parameters = { readonly memoryKib: number; readonly passes: number; readonly parallelism: number }

function derive(password: string, nonce: Uint8Array, parameters: Parameters): Promise<Buffer> {
  const options = {
    message: password.normalize('NFKC'),
    nonce,
    memory: parameters.memoryKib,
    passes: parameters.passes,
    parallelism: parameters.parallelism,
    tagLength,
  }
  return new Promise((resolve, reject) => {
    argon2('argon2id', options, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
