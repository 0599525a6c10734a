import { showMe } from '../../../actions/people/me-view.ts'
import {
  addPasskey,
  expectChallenge,
  issueChallenge,
  passkeysOf,
  removePasskey,
  signInWithPasskey,
  takeSecondStepWithPasskey,
} from '../../../actions/people/passkeys.ts'
import { noteSecondFactors } from '../../../actions/people/security-changes.ts'
import { checkAssertion, checkRegistration, registrationOptions, requestOptions } from '../../passkeys.ts'
import type { WebDeps } from '../core/deps.ts'
import { type Handlers, visitorOf } from '../core/handlers.ts'
import { enter, refuseInsecure } from './signing-in.ts'

export function passkeyHandlers(deps: WebDeps) {
  return {
    'passkey-sign-in-options': async ({ site }) => ({
      options: await requestOptions(site, issueChallenge(deps, 'sign-in'), []),
    }),
    'passkey-sign-in': async (visit, { response }) => {
      refuseInsecure(visit)
      return enter(deps, visit, await signInWithPasskey(deps, visit.actor, checkAssertion(visit.site, response)))
    },
    'second-step-passkey-options': async (visit) => {
      const { session, user } = visitorOf(visit)
      const known = await passkeysOf(deps, user)
      return { options: await requestOptions(visit.site, issueChallenge(deps, session), known) }
    },
    'second-step-passkey': async (visit, { response }) => {
      const check = checkAssertion(visit.site, response)
      await enter(deps, visit, await takeSecondStepWithPasskey(deps, visit.actor, visitorOf(visit).session, check))
    },
    'add-passkey-options': async (visit) => {
      const { session, user } = visitorOf(visit)
      const { installation } = await showMe(deps, undefined)
      const known = await passkeysOf(deps, user)
      const challenge = issueChallenge(deps, session)
      return { options: await registrationOptions(visit.site, installation.name, user, challenge, known) }
    },
    'add-passkey': async (visit, { name, response }) => {
      const visitor = visitorOf(visit)
      const challenge = expectChallenge(deps, visitor.session)
      const checked = await checkRegistration(visit.site, response, challenge.isExpected)
      if (checked) await challenge.use()
      await addPasskey(deps, visit.actor, visitor, name, checked)
      await noteSecondFactors(deps, visitor.user.id)
    },
    'remove-passkey': async (visit, { id }) => {
      const visitor = visitorOf(visit)
      await removePasskey(deps, visit.actor, visitor, id)
      await noteSecondFactors(deps, visitor.user.id)
    },
  } satisfies Partial<Handlers>
}
