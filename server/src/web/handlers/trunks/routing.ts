// Where calls go.

import { refusals } from '@ringproof/contract/errors.ts'
import { showRouting } from '../../../actions/trunks/routing-view.ts'
import { explainRoute } from '../../../actions/verifications/explain-route.ts'
import { isServiceId } from '../../../domain/core/slot.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import { Denial, refusalSentence } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import type { Handlers } from '../core/handlers.ts'
import { shownSwitchOver } from './switch-overs.ts'

export function routingHandlers(deps: WebDeps) {
  return {
    routing: async () => {
      const { trunks, stop } = await showRouting(deps)
      return {
        trunks: trunks.map(({ name, priority, isOn, countries, numbers }) => ({
          name,
          priority,
          isOn,
          countries: [...countries],
          numbers,
        })),
        stop: stop?.reason ?? null,
      }
    },
    'explain-route': async (_visit, { phone, mode, code, serviceId }) => {
      if (code === '0000') throw new Denial('invalid', ['code'])
      if (serviceId !== null && !isServiceId(serviceId)) throw new Denial('not-found', ['serviceId'])
      const route = await explainRoute(deps, {
        phone: phone.replaceAll(/[\s()-]/g, ''),
        mode,
        code: code === '' ? undefined : code,
        serviceId: serviceId ?? undefined,
      })
      const { number, info, refusal } = route
      return {
        isTest: route.isTest,
        country: number.country ?? '',
        isValid: number.isValid,
        kind: number.kind,
        provider: info.currentProvider ?? '',
        assignedTo: info.provider ?? '',
        isPorted: info.isPorted,
        region: info.region ?? '',
        tariff: route.tariff,
        mode: route.mode,
        trunks: route.trunks.map(({ trunk, priority, part }) => ({ name: trunk, priority, part })),
        trunk: route.chosen ?? null,
        switchOver: route.switchOver ? shownSwitchOver(route.switchOver) : null,
        callerNumber: route.callerNumber ?? null,
        price: route.price === undefined ? null : toDecimal(route.price),
        refusal: refusal
          ? {
              code: refusals[refusal.refusal].code,
              sentence: { en: refusalSentence(refusal, 'en'), ru: refusalSentence(refusal, 'ru') },
            }
          : null,
        rules: [...route.rules],
      }
    },
  } satisfies Partial<Handlers>
}
