import { addPasskey, passkeysOf } from '../../actions/add-passkey.ts'
import { challengeOf, issueChallenge } from '../../actions/issue-challenge.ts'
import { noteSecondFactors } from '../../actions/note-second-factors.ts'
import { noteSecurityChange } from '../../actions/note-security-change.ts'
import { removePasskey } from '../../actions/remove-passkey.ts'
import { showMe } from '../../actions/show-me.ts'
import { signInWithPasskey, takeSecondStepWithPasskey } from '../../actions/sign-in-with-passkey.ts'
import { checkAssertion, checkRegistration, registrationOptions, requestOptions } from '../passkeys.ts'
import type { WebDeps } from './deps.ts'
import { type HandlersOf, visitorOf } from './handlers.ts'
import { enter, refuseInsecure } from './signing-in.ts'

type Names =
  | 'passkey-sign-in-options'
  | 'passkey-sign-in'
  | 'second-step-passkey-options'
  | 'second-step-passkey'
  | 'add-passkey-options'
  | 'add-passkey'
  | 'remove-passkey'

export function passkeyHandlers(deps: WebDeps): HandlersOf<Names> {
  return {
    'passkey-sign-in-options': async ({ site }) => ({
      options: await requestOptions(site, await issueChallenge(deps), []),
    }),
    'passkey-sign-in': async (visit, { response }) => {
      refuseInsecure(visit)
      return enter(visit, await signInWithPasskey(deps, visit.actor, checkAssertion(visit.site, response)))
    },
    'second-step-passkey-options': async (visit) => {
      const known = await passkeysOf(deps, visitorOf(visit).user)
      return { options: await requestOptions(visit.site, await issueChallenge(deps), known) }
    },
    'second-step-passkey': async (visit, { response }) => {
      const check = checkAssertion(visit.site, response)
      const created = await takeSecondStepWithPasskey(deps, visit.actor, visitorOf(visit).session, check)
      visit.setSession(created.token)
    },
    'add-passkey-options': async (visit) => {
      const { user } = visitorOf(visit)
      const { installation } = await showMe(deps, undefined)
      const known = await passkeysOf(deps, user)
      const challenge = await issueChallenge(deps)
      return { options: await registrationOptions(visit.site, installation.name, user, challenge, known) }
    },
    'add-passkey': async (visit, { name, response }) => {
      const visitor = visitorOf(visit)
      await addPasskey(deps, visitor, name, await checkRegistration(visit.site, response, challengeOf(deps)))
      await noteSecondFactors(deps, visitor.user.id)
      await noteSecurityChange(deps, visit.actor, visitor, 'second factor added', { factor: 'passkey' })
    },
    'remove-passkey': async (visit, { id }) => {
      const { user } = visitorOf(visit)
      await removePasskey(deps, user, id)
      await noteSecondFactors(deps, user.id)
      await noteSecurityChange(deps, visit.actor, visitorOf(visit), 'second factor removed', { factor: 'passkey' })
    },
  }
}
