// The overview and the statistics of an account.

import { showOverview } from '../../../actions/money/balance-view.ts'
import { setProviderMode } from '../../../actions/trunks/trunks.ts'
import { showOwnStatistics } from '../../../actions/verifications/show-own-statistics.ts'
import { refuseUnconfirmed } from '../../gate.ts'
import { ownService } from '../accounts/own-service.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, actorOf, type Handlers, visitorOf } from '../core/handlers.ts'
import { countFilter } from './verification-filter.ts'

export function statisticsHandlers(deps: WebDeps) {
  return {
    overview: async (visit) => showOverview(deps, accountOf(visit)),
    statistics: async (visit, input) => {
      const { compareFrom: from, compareUntil: until, ...shown } = input
      const filterOf = (range: typeof shown) => ({
        ...countFilter(range, deps.nowSeconds() * 1_000),
        accountId: accountOf(visit),
      })
      // Undefined: the time before.
      const isCompared = from !== undefined && until !== undefined
      return showOwnStatistics(deps, filterOf(shown), isCompared ? filterOf({ ...shown, from, until }) : undefined)
    },
    'set-provider-mode': async (visit, { provider, mode, serviceId: id }) => {
      // A call in another mode has another price.
      refuseUnconfirmed(visitorOf(visit))
      const accountId = accountOf(visit)
      const serviceId = id === null ? undefined : await ownService(deps, visit, id)
      await setProviderMode(deps, actorOf(visit), { accountId, serviceId, provider, mode: mode ?? undefined })
      deps.noteChange(accountId, 'services')
    },
  } satisfies Partial<Handlers>
}
