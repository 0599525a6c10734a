// What a passkey signs. A challenge is sealed and stored nowhere, so that somebody who asks for many of them writes nothing. It says
// what it is for, and until when. It is used once: with the first right signature its digest is stored, longer than it is valid.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { insertUsedChallenge } from '../../db/people/one-time-link.ts'
import type { WebSession } from '../../db/people/web-session.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import { challengeSeconds } from '../../domain/people/passkey.ts'
import { Denial } from '../../process/errors.ts'

type SealDeps = { readonly recordKeys: KeyRing; readonly nowSeconds: () => number }
export type ChallengeDeps = SealDeps & { readonly slots: SlotMap }

// Signing in without a session, or a step of one session.
export type ChallengePurpose = 'sign-in' | Pick<WebSession, 'digest'>

export function issueChallenge(
  deps: SealDeps & { readonly randomBytes: (bytes: number) => Uint8Array },
  purpose: ChallengePurpose,
): Uint8Array {
  const text = `${Math.floor(deps.nowSeconds()) + challengeSeconds} ${nameOf(purpose)}`
  return Uint8Array.from(seal(deps.recordKeys, 'challenge', 0, text, deps.randomBytes(nonceBytes)))
}

// `isExpected` is asked before the signature is checked, `use` is called after.
export function expectChallenge(deps: ChallengeDeps, purpose: ChallengePurpose) {
  let signed: string | undefined
  return {
    isExpected: async (challenge: string): Promise<boolean> => {
      if (isIssued(deps, purpose, challenge)) signed = challenge
      return signed !== undefined
    },
    use: async (): Promise<void> => {
      const isFirst =
        signed !== undefined && (await insertUsedChallenge(deps.slots.globalDatabase, digestToken(signed)))
      if (!isFirst) throw new Denial('wrong-code')
    },
  }
}

export function isIssued({ recordKeys, nowSeconds }: SealDeps, purpose: ChallengePurpose, challenge: string): boolean {
  try {
    const [until, name] = unseal(recordKeys, 'challenge', 0, Buffer.from(challenge, 'base64url')).split(' ')
    return name === nameOf(purpose) && Number(until) > nowSeconds()
  } catch {
    return false
  }
}

function nameOf(purpose: ChallengePurpose): string {
  return purpose === 'sign-in' ? purpose : purpose.digest.toString('base64url')
}
