// Hashes passwords a few at a time: each takes a core and 19 MB for a while, and a flood of attempts must not stop everything else.

import { hashPassword, isPassword, type Passwords, saltBytes } from '../domain/people/password.ts'
import { Denial } from '../errors.ts'

const atOnce = 2
const waitingMax = 50

export function createPasswords(randomBytes: (bytes: number) => Uint8Array): Passwords {
  let running = 0
  const waiting: (() => void)[] = []
  const takeTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw new Denial('throttled', [], 1)
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
  // Of no password: compared with when there is no user, so that both take the same time.
  const unknown = hashPassword(Buffer.from(randomBytes(saltBytes)).toString('base64'), randomBytes(saltBytes))
  // Awaited by those who need it; until then a failure must not end the process.
  unknown.catch(() => undefined)
  return {
    hash: (password) => takeTurn(() => hashPassword(password, randomBytes(saltBytes))),
    matches: (password, stored) =>
      takeTurn(async () => {
        const isRight = await isPassword(password, stored ?? (await unknown))
        return stored !== undefined && isRight
      }),
  }
}
