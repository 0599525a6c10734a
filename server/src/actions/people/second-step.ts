// The second step of signing in. A session ID from before the step is worth nothing after it.

import type { confirmationKinds, typedFactors } from '@ringproof/contract/lists/people.ts'
import type { Actor } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { useRecoveryCode, useTelegramCode } from '../../db/people/second-factor.ts'
import { clearFailures, countTry } from '../../db/people/sign-in-failure.ts'
import { changeUser, lockUser, type User, type UserId } from '../../db/people/user.ts'
import { confirmWebSession, deleteWebSession, type WebSession } from '../../db/people/web-session.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import { digestRecoveryCode, digestToken } from '../../domain/people/one-time-token.ts'
import type { Passwords } from '../../domain/people/password.ts'
import { codeTriesMax, codeWindowSeconds } from '../../domain/people/sign-in-throttle.ts'
import { stepOfCode } from '../../domain/people/totp.ts'
import { Denial } from '../../process/errors.ts'
import { type CreatedSession, createSession, factorsOf, logSignIn } from './create-session.ts'
import { checkPassword, personKnown } from './sign-in.ts'

type CodeDeps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly nowSeconds: () => number
}

type Deps = CodeDeps & { readonly randomBytes: (bytes: number) => Uint8Array }

type FactorCode = { readonly kind: (typeof typedFactors)[number]; readonly code: string }

export async function takeSecondStep(
  deps: Deps,
  actor: Actor,
  before: WebSession,
  factor: FactorCode,
  browser: string | undefined,
): Promise<CreatedSession> {
  const tries = browser === undefined ? `second-step ${before.userId}` : `second-step ${before.userId} in ${browser}`
  const user = await checkCode(deps, before.userId, factor, digestToken(tries))
  return replaceSession(deps, actor, before, user, factor.kind)
}

// Also after a passkey, which the browser's authenticator has checked.
export async function replaceSession(
  deps: Pick<Deps, 'slots' | 'randomBytes'>,
  actor: Actor,
  before: WebSession,
  user: User,
  by: string,
): Promise<CreatedSession> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    // Another request has used the session in the meantime.
    if (!(await deleteWebSession(session, before.digest))) throw new Denial('not-signed-in')
    await logSignIn({ ...deps, session }, actor, user, { secondStep: by })
    return createSession(deps, session, actor, user, true)
  })
}

// Five codes in ten minutes, right or wrong: asking for another code does not give more tries.
async function checkCode(deps: CodeDeps, userId: UserId, { kind, code }: FactorCode, tries: Buffer): Promise<User> {
  const { globalDatabase } = deps.slots
  if ((await countTry(globalDatabase, tries, codeWindowSeconds)) > codeTriesMax)
    throw new Denial('throttled', [], codeWindowSeconds)
  const user = await inTransaction(globalDatabase, async (session) => {
    const locked = await lockUser(session, userId)
    return (await isRight(deps, session, locked, kind, code)) ? locked : undefined
  })
  if (!user) throw new Denial('wrong-code', ['code'])
  await clearFailures(globalDatabase, tries)
  return user
}

async function isRight(
  { recordKeys, nowSeconds }: CodeDeps,
  session: Session,
  user: User,
  kind: FactorCode['kind'],
  code: string,
): Promise<boolean> {
  switch (kind) {
    case 'recovery':
      return user.totpSince !== null && useRecoveryCode(session, user.id, digestRecoveryCode(code))
    case 'telegram':
      return user.telegramSince !== null && useTelegramCode(session, user.id, digestToken(`telegram ${code}`))
    case 'totp': {
      if (!user.totpSealed || !user.totpSince) return false
      const secret = Buffer.from(unseal(recordKeys, 'totp', user.id, user.totpSealed), 'base64')
      const step = stepOfCode(secret, code, nowSeconds(), user.totpStep)
      if (step === undefined) return false
      await changeUser(session, user.id, { totpStep: step })
      return true
    }
  }
}

type ConfirmPersonDeps = CodeDeps & { readonly slots: SlotMap; readonly passwords: Passwords }

type Command = { readonly kind: (typeof confirmationKinds)[number]; readonly code: string }

// Opens the guarded changes for ten minutes. The password is enough for somebody without an authenticator app.
export async function confirmPerson(
  deps: ConfirmPersonDeps,
  session: WebSession,
  user: User,
  { kind, code }: Command,
): Promise<void> {
  if (kind === 'password') {
    if (factorsOf(user).includes('totp')) throw new Denial('wrong-code', ['code'])
    if (!(await checkPassword(deps, personKnown(user.id), triesIn(session, 'password'), code, user.passwordHash)))
      throw new Denial('wrong-code', ['code'])
  } else await checkCode(deps, user.id, { kind, code }, triesIn(session, 'code'))
  await confirmWebSession(deps.slots.globalDatabase, session.digest)
}

// A session counts by itself: only who has it can use it up.
function triesIn({ digest }: WebSession, what: 'password' | 'code'): Buffer {
  return digestToken(`confirm by ${what} in ${digest.toString('hex')}`)
}
