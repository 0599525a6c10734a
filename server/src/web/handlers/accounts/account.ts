// The account and its members; the installation and its operators.

import { closeAccount } from '../../../actions/accounts/accounts.ts'
import { setInstallation, showInstallation } from '../../../actions/installation/setup.ts'
import { inviteMember, inviteOperator } from '../../../actions/people/invitations.ts'
import {
  listMembers,
  listOperators,
  setMember,
  setOperator,
  withdrawInvitation,
} from '../../../actions/people/members.ts'
import { callOwnPhone, confirmOwnPhone, setOwnAccount } from '../../../actions/people/profile.ts'
import type { UserId } from '../../../db/people/user.ts'
import { Denial } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, actorOf, type Handlers, visitorOf } from '../core/handlers.ts'

export function accountHandlers(deps: WebDeps) {
  return {
    'set-account': async (visit, input) =>
      setOwnAccount(deps, visit.actor, visitorOf(visit).user, accountOf(visit), input),
    'close-account': async (visit, { name }) => {
      await closeAccount(deps, actorOf(visit), { accountId: accountOf(visit), name })
      deps.noteChange(accountOf(visit), 'me', 'services', 'money')
    },
    members: async (visit) => listMembers(deps, accountOf(visit)),
    'invite-member': async (visit, input) =>
      inviteMember(deps, visit.actor, visitorOf(visit).user, { accountId: accountOf(visit), ...input }),
    'withdraw-invitation': async (visit, { email }) => withdrawInvitation(deps, accountOf(visit), email),
    'set-member': async (visit, { userId, role }) => {
      const command = { accountId: accountOf(visit), userId: userId as UserId, role }
      await setMember(deps, visit.actor, visitorOf(visit).user, command)
    },
    'remove-member': async (visit, { userId }) => {
      const command = { accountId: accountOf(visit), userId: userId as UserId, role: null }
      await setMember(deps, visit.actor, visitorOf(visit).user, command)
    },

    'call-own-phone': async (visit, { phone }) => {
      const { ringOwnPhone: ring } = deps
      if (!ring) throw new Denial('unavailable')
      return { mask: await callOwnPhone({ ...deps, ring }, visitorOf(visit).user, accountOf(visit), phone) }
    },
    'confirm-own-phone': async (visit, { code }) => {
      await confirmOwnPhone(deps, actorOf(visit), accountOf(visit), code)
      deps.noteChange(accountOf(visit), 'me')
    },

    installation: async () => showInstallation(deps),
    'set-installation': async (visit, input) => setInstallation(deps, visit.actor, visitorOf(visit).user, input),
    operators: async () => listOperators(deps),
    'invite-operator': async (visit, input) => {
      await inviteOperator(deps, visit.actor, visitorOf(visit).user, input)
    },
    'set-operator': async (visit, { userId, role }) =>
      setOperator(deps, visit.actor, visitorOf(visit).user, { userId: userId as UserId, role }),
  } satisfies Partial<Handlers>
}
