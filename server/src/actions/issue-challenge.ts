import { insertLink, useLink } from '../db/one-time-link.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { digestToken } from '../domain/people/one-time-token.ts'
import { challengeBytes } from '../domain/people/passkey.ts'

type Deps = { readonly slots: SlotMap; readonly randomBytes: (bytes: number) => Uint8Array }

// A challenge is used once, whatever came of it.
export async function issueChallenge({ slots, randomBytes }: Deps): Promise<Uint8Array> {
  const challenge = Uint8Array.from(randomBytes(challengeBytes))
  const digest = digestToken(Buffer.from(challenge).toString('base64url'))
  await insertLink(slots.globalDatabase, { digest, kind: 'challenge', email: '' })
  return challenge
}

export function challengeOf({ slots }: Pick<Deps, 'slots'>): (challenge: string) => Promise<boolean> {
  return async (challenge) => (await useLink(slots.globalDatabase, 'challenge', digestToken(challenge))) !== undefined
}
