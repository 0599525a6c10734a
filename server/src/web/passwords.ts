// Hashes passwords, two at a time: each takes a core and 19 MB for a while, and a flood of attempts must not stop everything else.
// One place is for strangers, one for people whom we know by their browser or session: neither waits for the other.

import { type Asker, hashPassword, isPassword, type Passwords, saltBytes } from '../domain/people/password.ts'
import { createFairLine } from './fair-line.ts'

const waitingMax = 50

export function createPasswords(randomBytes: (bytes: number) => Uint8Array): Passwords {
  const [strangers, known] = [createFairLine(waitingMax), createFairLine(waitingMax)]
  const takeTurn = <T>({ isKnown, key }: Asker, work: () => Promise<T>) => (isKnown ? known : strangers)(key, work)
  // Of no password: compared with when there is no user. The work is the same, so that the time is.
  const unknown = hashPassword(Buffer.from(randomBytes(saltBytes)).toString('base64'), randomBytes(saltBytes))
  // Awaited by those who need it; until then a failure must not end the process.
  unknown.catch(() => undefined)
  return {
    hash: (asker, password) => takeTurn(asker, () => hashPassword(password, randomBytes(saltBytes))),
    matches: (asker, password, stored, count) =>
      takeTurn(asker, async () => {
        await count()
        const isRight = await isPassword(password, stored ?? (await unknown))
        return stored !== undefined && isRight
      }),
  }
}
