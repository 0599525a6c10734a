// Services, their keys, and the first five minutes.

import { addKey, endOldKey, noteKeyStored, revokeKey, rotateKey } from '../../../actions/accounts/keys.ts'
import { createService, findTestService, setService } from '../../../actions/accounts/services.ts'
import { listOwnServices } from '../../../actions/accounts/services-view.ts'
import { showStart } from '../../../actions/accounts/start-view.ts'
import { checkDigits } from '../../../actions/phones/phones.ts'
import { compatibilities, type ServiceSettingName } from '../../../domain/accounts/service.ts'
import type { VerificationId } from '../../../domain/core/slot.ts'
import { isScenarioNumber } from '../../../domain/numbers/test-number.ts'
import { hourSeconds } from '../../../domain/values/time.ts'
import { refuseUnconfirmed } from '../../gate.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, actorOf, type Handlers, type Visit, visitorOf } from '../core/handlers.ts'
import { ownService } from './own-service.ts'

export function serviceHandlers(deps: WebDeps) {
  const set = async (visit: Visit, id: number, texts: Readonly<Partial<Record<ServiceSettingName, string>>>) => {
    const serviceId = await ownService(deps, visit, id)
    await setService(deps, actorOf(visit), { serviceId, texts })
    deps.noteChange(accountOf(visit), 'services')
  }
  return {
    services: async (visit) => ({
      services: [...(await listOwnServices(deps, accountOf(visit)))],
      canCreateLive: true,
    }),
    'create-service': async (visit, { name, isTest, isMovingFromUcaller }) => {
      // Its key spends the balance.
      if (!isTest) refuseUnconfirmed(visitorOf(visit))
      const texts = isMovingFromUcaller ? compatibilities.ucaller : {}
      const command = { accountId: accountOf(visit), name, isTest, texts }
      const { serviceId, key } = await createService(deps, actorOf(visit), command)
      deps.noteChange(command.accountId, 'services', 'start')
      return { serviceId, key }
    },
    'rename-service': async (visit, { serviceId, name }) => set(visit, serviceId, { name }),
    'set-service-state': async (visit, { serviceId, state }) => {
      if (state === 'archived') refuseUnconfirmed(visitorOf(visit))
      await set(visit, serviceId, { state })
    },
    'set-test-numbers': async (visit, { serviceId, isOn }) =>
      set(visit, serviceId, { 'test-numbers': isOn ? 'on' : 'off' }),
    'rotate-service-key': async (visit, { serviceId: id, name, overlapHours }) => {
      const serviceId = await ownService(deps, visit, id)
      const command = { serviceId, name, overlapSeconds: overlapHours * hourSeconds }
      return { serviceId, key: await rotateKey(deps, actorOf(visit), command) }
    },
    'end-old-key': async (visit, { serviceId: id, name }) => {
      const serviceId = await ownService(deps, visit, id)
      await endOldKey(deps, actorOf(visit), { serviceId, name })
    },
    'add-service-key': async (visit, { serviceId: id, name, scopes, days }) => {
      const serviceId = await ownService(deps, visit, id)
      const key = await addKey(deps, actorOf(visit), { serviceId, name, scopes, expiresDays: days })
      return { serviceId, key }
    },
    'revoke-service-key': async (visit, { serviceId: id, name }) => {
      const serviceId = await ownService(deps, visit, id)
      await revokeKey(deps, actorOf(visit), { serviceId, name })
    },

    start: async (visit) => showStart(deps, accountOf(visit), visitorOf(visit).user.signedUpAt),
    'note-key-stored': async (visit) => {
      await noteKeyStored(deps, accountOf(visit))
      deps.noteChange(accountOf(visit), 'start')
    },
    'run-here': async (visit, input) => {
      const actor = actorOf(visit)
      const chosen = await ownService(deps, visit, input.serviceId)
      const serviceId = isScenarioNumber(input.phone) ? await findTestService(deps, actor, accountOf(visit)) : chosen
      return deps.runHere(actor, { ...input, serviceId })
    },
    'type-digits': async (visit, { verificationId, digits }) => {
      const command = { verificationId: verificationId as VerificationId, digits }
      const isRight = await checkDigits(deps, accountOf(visit), command)
      const { signedUpAt } = visitorOf(visit).user
      return { isRight, secondsSinceSignUp: Math.round(deps.nowSeconds() - signedUpAt.getTime() / 1_000) }
    },
  } satisfies Partial<Handlers>
}
