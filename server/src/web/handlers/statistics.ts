// The overview and the statistics of an account.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import { setProviderMode } from '../../actions/set-provider-mode.ts'
import { showOverview } from '../../actions/show-overview.ts'
import { showOwnStatistics } from '../../actions/show-own-statistics.ts'
import type { AccountId } from '../../domain/slot.ts'
import { refuseUnconfirmed } from '../gate.ts'
import type { WebDeps } from './deps.ts'
import { accountOf, type HandlersOf, visitorOf } from './handlers.ts'
import { actorOf, ownService } from './own-service.ts'
import { countFilter } from './verifications.ts'

export function statisticsHandlers(deps: WebDeps): HandlersOf<'overview' | 'statistics' | 'set-provider-mode'> {
  return {
    overview: async (visit) => showOverview(deps, accountOf(visit)),
    statistics: async (visit, input) => {
      const { filter, compared } = comparison(deps, accountOf(visit), input)
      return showOwnStatistics(deps, filter, compared)
    },
    'set-provider-mode': async (visit, { provider, mode, serviceId: id }) => {
      // A call in another mode has another price.
      refuseUnconfirmed(visitorOf(visit))
      const accountId = accountOf(visit)
      const serviceId = id === null ? undefined : await ownService(deps, visit, id)
      await setProviderMode(deps, actorOf(visit), { accountId, serviceId, provider, mode: mode ?? undefined })
      deps.noteChange(accountId, 'services')
    },
  }
}

// The period and the one that it is compared with; undefined: the time before.
export function comparison(
  { nowSeconds }: Pick<WebDeps, 'nowSeconds'>,
  accountId: AccountId,
  { compareFrom: from, compareUntil: until, ...input }: WebInput<'statistics'>,
) {
  const filterOf = (range: typeof input) => countFilter(accountId, range, nowSeconds() * 1_000)
  const isChosen = from !== undefined && until !== undefined
  return { filter: filterOf(input), compared: isChosen ? filterOf({ ...input, from, until }) : undefined }
}
