// Signing up, in and out, and the links of e-mails.

import { confirmEmail, signUp } from '../../../actions/accounts/sign-up.ts'
import type { CreatedSession } from '../../../actions/people/create-session.ts'
import { acceptInvitation, readInvitation } from '../../../actions/people/invitations.ts'
import { showMe } from '../../../actions/people/me-view.ts'
import { requestPasswordReset, resetPassword } from '../../../actions/people/passwords.ts'
import { takeSecondStep } from '../../../actions/people/second-step.ts'
import { signOut } from '../../../actions/people/sessions.ts'
import { knownBrowser, rememberBrowser, signIn } from '../../../actions/people/sign-in.ts'
import { Denial } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { type Handlers, type Visit, visitorOf } from '../core/handlers.ts'

// Longer than a password hash takes, and than a message takes to write.
const evenMs = 300

export function signingInHandlers(deps: WebDeps) {
  // As long for an e-mail that nobody has as for any other, whatever came of it.
  const evenly = async <T>(work: () => Promise<T>): Promise<T> => {
    const [result] = await Promise.allSettled([work(), deps.pause(evenMs)])
    if (result.status === 'rejected') throw result.reason
    return result.value
  }
  return {
    me: async ({ visitor }) => showMe(deps, visitor),
    'sign-up': async (visit, input) => {
      refuseInsecure(visit)
      visit.setSignUp(await evenly(() => signUp(deps, visit.actor, input)))
    },
    'confirm-email': async (visit, { token, password }) => {
      refuseInsecure(visit)
      const command = { token, password, browser: visit.signUpToken }
      const entered = await enter(deps, visit, await confirmEmail(deps, visit.actor, command))
      visit.setSignUp(undefined)
      return entered
    },
    'sign-in': async (visit, input) => {
      refuseInsecure(visit)
      return enter(deps, visit, await evenly(() => signIn(deps, visit.actor, { ...input, browsers: visit.browsers })))
    },
    'sign-out': async (visit) => {
      if (visit.visitor) await signOut(deps, visit.visitor)
      visit.setSession(undefined)
    },
    'forgot-password': async (_, { email }) => evenly(() => requestPasswordReset(deps, email)),
    'reset-password': async (visit, input) => {
      refuseInsecure(visit)
      await resetPassword(deps, visit.actor, input)
      visit.setSession(undefined)
    },
    'accept-invitation': async (visit, input) => {
      refuseInsecure(visit)
      return enter(deps, visit, await acceptInvitation(deps, visit.actor, input))
    },
    'read-invitation': async (_, { token }) => readInvitation(deps, token),
    'second-step': async (visit, input) => {
      const { session, user } = visitorOf(visit)
      const browser = knownBrowser(deps, user, visit.browsers)
      await enter(deps, visit, await takeSecondStep(deps, visit.actor, session, input, browser))
    },
  } satisfies Partial<Handlers>
}

export async function enter(
  deps: WebDeps,
  visit: Visit,
  { token, userId, stage }: CreatedSession,
): Promise<{ stage: CreatedSession['stage'] }> {
  visit.setSession(token)
  if (stage === 'signed-in') visit.setBrowsers(await rememberBrowser(deps, userId, visit.browsers))
  return { stage }
}

// Over plain HTTP beyond this machine the browser would drop the cookie, and everybody on the way could read the password.
export function refuseInsecure({ isSecure }: Visit): void {
  if (!isSecure) throw new Denial('insecure-origin')
}
