// What a person sets about themselves.

import { changePassword } from '../../actions/change-password.ts'
import { confirmPerson } from '../../actions/confirm-person.ts'
import { confirmTotp } from '../../actions/confirm-totp.ts'
import { endOtherSessions, endSession } from '../../actions/end-session.ts'
import { noteSecondFactors } from '../../actions/note-second-factors.ts'
import { removeTotp } from '../../actions/remove-totp.ts'
import { renewRecoveryCodes } from '../../actions/renew-recovery-codes.ts'
import { chooseAccount, setProfile } from '../../actions/set-profile.ts'
import { showMe } from '../../actions/show-me.ts'
import { showSecurity } from '../../actions/show-security.ts'
import { startTotp } from '../../actions/start-totp.ts'
import type { AccountId } from '../../domain/slot.ts'
import type { WebDeps } from './deps.ts'
import { type HandlersOf, visitorOf } from './handlers.ts'

type Names =
  | 'set-profile'
  | 'choose-account'
  | 'security'
  | 'end-session'
  | 'end-other-sessions'
  | 'confirm-person'
  | 'change-password'
  | 'start-totp'
  | 'confirm-totp'
  | 'remove-totp'
  | 'renew-recovery-codes'

export function personHandlers(deps: WebDeps): HandlersOf<Names> {
  return {
    'set-profile': async (visit, input) => setProfile(deps, visitorOf(visit).user, input),
    'choose-account': async (visit, { accountId }) => chooseAccount(deps, visitorOf(visit), accountId as AccountId),
    security: async (visit) => showSecurity(deps, visitorOf(visit)),
    'end-session': async (visit, { id }) => endSession(deps, visitorOf(visit), id),
    'end-other-sessions': async (visit) => endOtherSessions(deps, visitorOf(visit)),
    'confirm-person': async (visit, input) => {
      const { session, user } = visitorOf(visit)
      await confirmPerson(deps, session, user, input)
    },
    'change-password': async (visit, { password }) => {
      const { session, user } = visitorOf(visit)
      await changePassword(deps, session, user, password)
    },
    'start-totp': async (visit) => {
      const { installation } = await showMe(deps, undefined)
      return startTotp(deps, visitorOf(visit).user, installation.name)
    },
    'confirm-totp': async (visit, { code }) => {
      const { user } = visitorOf(visit)
      const recoveryCodes = [...(await confirmTotp(deps, user, code))]
      await noteSecondFactors(deps, user.id)
      return { recoveryCodes }
    },
    'remove-totp': async (visit) => {
      const { user } = visitorOf(visit)
      await removeTotp(deps, user)
      await noteSecondFactors(deps, user.id)
    },
    'renew-recovery-codes': async (visit) => ({
      recoveryCodes: [...(await renewRecoveryCodes(deps, visitorOf(visit).user))],
    }),
  }
}
