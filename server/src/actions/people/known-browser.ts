// A browser in which a person has signed in completely. It has separate counters, so that guesses of strangers do not keep its
// person out, and it proves nothing else: password and second step are asked for as always.
//
// The cookie is sealed and stored nowhere. It holds up to three persons, the last one first, each sealed for that user with an ID
// of the browser. It is void after a change of the password, after signing out everywhere, and when it is old.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { readUser, type User, type UserId } from '../../db/people/user.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { digestToken, makeToken } from '../../domain/people/one-time-token.ts'
import { secondsOf } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'

export type BrowserDeps = { readonly recordKeys: KeyRing; readonly nowSeconds: () => number }
type Deps = BrowserDeps & { readonly slots: SlotMap; readonly randomBytes: (bytes: number) => Uint8Array }

export const browserSeconds = secondsOf(retention.knownBrowsers.kept)
const personsMax = 3
const idBytes = 12

// The ID of the browser; undefined: a stranger.
export function knownBrowser(deps: BrowserDeps, user: User, cookie: string | undefined): string | undefined {
  for (const part of partsOf(cookie)) {
    const [id, until, state] = opened(deps.recordKeys, user.id, part)?.split(' ') ?? []
    if (state === stateOf(user) && Number(until) > deps.nowSeconds()) return id
  }
  return undefined
}

// The new cookie, after signing in. A browser that was known keeps its ID and its counters.
export async function rememberBrowser(deps: Deps, userId: UserId, cookie: string | undefined): Promise<string> {
  const { recordKeys, nowSeconds, randomBytes } = deps
  const user = await readUser(deps.slots.globalDatabase, userId)
  if (!user) throw new Error(`user ${userId} of an open session does not exist`)
  const id = knownBrowser(deps, user, cookie) ?? makeToken(randomBytes(idBytes))
  const text = `${id} ${Math.floor(nowSeconds()) + browserSeconds} ${stateOf(user)}`
  const own = seal(recordKeys, 'known-browser', userId, text, randomBytes(nonceBytes)).toString('base64url')
  const others = partsOf(cookie).filter((part) => opened(recordKeys, userId, part) === undefined)
  return [own, ...others].slice(0, personsMax).join('.')
}

function partsOf(cookie: string | undefined): readonly string[] {
  return cookie === undefined ? [] : cookie.split('.').slice(0, personsMax)
}

// Every new hash has another salt, so it stands for the password without giving it away.
function stateOf({ passwordHash, browserGeneration }: User): string {
  return digestToken(`${browserGeneration} ${passwordHash}`).toString('base64url')
}

// Undefined if it is not ours, another person's, or its key is gone.
function opened(ring: KeyRing, userId: UserId, part: string): string | undefined {
  try {
    return unseal(ring, 'known-browser', userId, Buffer.from(part, 'base64url'))
  } catch {
    return undefined
  }
}
