// What a person sets about themselves.

import { showMe, showSecurity } from '../../../actions/people/me-view.ts'
import { changePassword } from '../../../actions/people/passwords.ts'
import { chooseAccount, setProfile } from '../../../actions/people/profile.ts'
import { renewRecoveryCodes } from '../../../actions/people/recovery.ts'
import { confirmPerson } from '../../../actions/people/second-step.ts'
import { noteSecondFactors } from '../../../actions/people/security-changes.ts'
import { endOtherSessions, endSession } from '../../../actions/people/sessions.ts'
import { rememberBrowser } from '../../../actions/people/sign-in.ts'
import { confirmTotp, removeTotp, startTotp } from '../../../actions/people/totp.ts'
import type { AccountId } from '../../../domain/core/slot.ts'
import type { WebDeps } from '../core/deps.ts'
import { type Handlers, type Visit, visitorOf } from '../core/handlers.ts'

export function personHandlers(deps: WebDeps) {
  // What ends elsewhere goes on here.
  const rememberHere = async (visit: Visit) =>
    visit.setBrowsers(await rememberBrowser(deps, visitorOf(visit).user.id, visit.browsers))
  return {
    'set-profile': async (visit, input) => setProfile(deps, visitorOf(visit).user, input),
    'choose-account': async (visit, { accountId }) => chooseAccount(deps, visitorOf(visit), accountId as AccountId),
    security: async (visit) => showSecurity(deps, visitorOf(visit)),
    'end-session': async (visit, { id }) => endSession(deps, visit.actor, visitorOf(visit), id),
    'end-other-sessions': async (visit) => {
      await endOtherSessions(deps, visit.actor, visitorOf(visit))
      await rememberHere(visit)
    },
    'confirm-person': async (visit, input) => {
      const { session, user } = visitorOf(visit)
      await confirmPerson(deps, session, user, input)
    },
    'change-password': async (visit, { password }) => {
      await changePassword(deps, visit.actor, visitorOf(visit), password)
      await rememberHere(visit)
    },
    'start-totp': async (visit) => {
      const { installation } = await showMe(deps, undefined)
      return startTotp(deps, visitorOf(visit).user, installation.name)
    },
    'confirm-totp': async (visit, { code }) => {
      const recoveryCodes = [...(await confirmTotp(deps, visit.actor, visitorOf(visit), code))]
      await noteSecondFactors(deps, visitorOf(visit).user.id)
      return { recoveryCodes }
    },
    'remove-totp': async (visit) => {
      const visitor = visitorOf(visit)
      await removeTotp(deps, visit.actor, visitor)
      await noteSecondFactors(deps, visitor.user.id)
    },
    'renew-recovery-codes': async (visit) => {
      const recoveryCodes = [...(await renewRecoveryCodes(deps, visit.actor, visitorOf(visit)))]
      return { recoveryCodes }
    },
  } satisfies Partial<Handlers>
}
