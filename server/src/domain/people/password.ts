// What a password must be, and how it is stored: argon2id with its parameters and salt, as
// $argon2id$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<hash>, so that the parameters can be raised later.

import { argon2, timingSafeEqual } from 'node:crypto'
import { commonPasswords } from './common-passwords.ts'

// Hashing takes tens of milliseconds and 19 MB, so it is done a few at a time.
export type Passwords = {
  readonly hash: (password: string) => Promise<string>
  // Without a stored hash it takes the same time and is false.
  readonly matches: (password: string, stored: string | undefined) => Promise<boolean>
}

export type PasswordFault = 'short' | 'contains-email' | 'common'

export const passwordLengthMin = 12
export const saltBytes = 16
const memoryKib = 19_456
const passes = 2
const parallelism = 1
const tagLength = 32

export function passwordFaults(password: string, email: string): readonly PasswordFault[] {
  const plain = password.toLowerCase()
  const [mailbox = ''] = email.toLowerCase().split('@')
  return [
    ...([...password].length < passwordLengthMin ? (['short'] as const) : []),
    ...(mailbox.length > 2 && plain.includes(mailbox) ? (['contains-email'] as const) : []),
    ...(isCommon(plain) ? (['common'] as const) : []),
  ]
}

// Also a common one that was only made longer: password1234, qwertyqwerty.
function isCommon(plain: string): boolean {
  const letters = plain.replaceAll(/[^\p{L}]/gu, '')
  const isRepetition = /^(.{1,6})\1+$/u.test(plain)
  const isSequence = '01234567890123456789'.includes(plain) || '98765432109876543210'.includes(plain)
  return commonPasswords.has(plain) || commonPasswords.has(letters) || isRepetition || isSequence
}

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
