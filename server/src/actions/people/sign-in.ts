import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { clearFailures, countFailure, lockFailures, readFailures } from '../../db/people/sign-in-failure.ts'
import { findUser, readUser, type User, type UserId } from '../../db/people/user.ts'
import { limitKey } from '../../domain/accounts/client-address.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import { parseEmail } from '../../domain/people/email.ts'
import { digestToken, makeToken } from '../../domain/people/one-time-token.ts'
import type { Asker, Passwords } from '../../domain/people/password.ts'
import { type Failures, secondsToWait } from '../../domain/people/sign-in-throttle.ts'
import { secondsOf } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import { Denial } from '../../process/errors.ts'
import { type CreatedSession, createSession, logSignIn } from './create-session.ts'

type Deps = {
  readonly slots: SlotMap
  readonly passwords: Passwords
}

type SignInDeps = BrowserDeps & {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly passwords: Passwords
}

type Command = {
  readonly email: string
  readonly password: string
  // What the browser was given when somebody signed in with it.
  readonly browsers: string | undefined
}

// An unknown e-mail is throttled, takes as long and gets the same refusal as a wrong password.
export async function signIn(deps: SignInDeps, actor: Actor, command: Command): Promise<CreatedSession> {
  const { globalDatabase } = deps.slots
  const email = parseEmail(command.email)
  if (email === undefined) throw new Denial('invalid', ['email'])
  const user = await findUser(globalDatabase, email)
  const browser = user && knownBrowser(deps, user, command.browsers)
  const asker = user && browser !== undefined ? personKnown(user.id) : strangerAt(actor.address)
  const isRight = await checkPassword(deps, asker, failuresOf(email, browser), command.password, user?.passwordHash)
  if (!isRight || !user) throw new Denial('wrong-credentials')
  return inTransaction(globalDatabase, async (session) => {
    const created = await createSession(deps, session, actor, user, false)
    if (created.stage === 'signed-in') await logSignIn({ ...deps, session }, actor, user, {})
    return created
  })
}

// Evaluates a password, and slows down guessing. Who guesses is counted apart: strangers by the e-mail, a browser that signed in
// before, an open session and the holder of a link each by themselves. So nobody keeps another one out.

export async function checkPassword(
  { slots, passwords }: Deps,
  asker: Asker,
  failures: Buffer,
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  const { globalDatabase } = slots
  refuseEarly(await readFailures(globalDatabase, failures))
  // Counted as failed before it is evaluated, so that many attempts at once are no way around the limit, and only when it is its
  // turn: an attempt that is never evaluated is not counted.
  const count = () =>
    inTransaction(globalDatabase, async (session) => {
      refuseEarly(await lockFailures(session, failures))
      await countFailure(session, failures)
    })
  const isRight = await passwords.matches(asker, password, stored, count)
  if (isRight) await clearFailures(globalDatabase, failures)
  return isRight
}

export function strangerAt(address: string): Asker {
  return { isKnown: false, key: limitKey(address) }
}

export function personKnown(userId: UserId): Asker {
  return { isKnown: true, key: String(userId) }
}

// Of strangers, or of one browser that its person has signed in with.
export function failuresOf(email: string, browser?: string): Buffer {
  return digestToken(browser === undefined ? `sign-in ${email}` : `sign-in ${email} in ${browser}`)
}

function refuseEarly(failures: Failures): void {
  const wait = secondsToWait(failures)
  if (wait !== 0) throw new Denial('throttled', [], wait)
}

// A browser in which a person has signed in completely. It has separate counters, so that guesses of strangers do not keep its
// person out, and it proves nothing else: password and second step are asked for as always.
//
// The cookie is sealed and stored nowhere. It holds up to three persons, the last one first, each sealed for that user with an ID
// of the browser. It is void after a change of the password, after signing out everywhere, and when it is old.

type BrowserDeps = { readonly recordKeys: KeyRing; readonly nowSeconds: () => number }

type KnownBrowserDeps = BrowserDeps & { readonly slots: SlotMap; readonly randomBytes: (bytes: number) => Uint8Array }

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
export async function rememberBrowser(
  deps: KnownBrowserDeps,
  userId: UserId,
  cookie: string | undefined,
): Promise<string> {
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
