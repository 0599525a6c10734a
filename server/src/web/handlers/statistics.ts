// The overview and the statistics of an account.

import { showOverview } from '../../actions/show-overview.ts'
import { showOwnStatistics } from '../../actions/show-own-statistics.ts'
import type { WebDeps } from './deps.ts'
import { accountOf, type HandlersOf } from './handlers.ts'
import { countFilter } from './verifications.ts'

export function statisticsHandlers(deps: WebDeps): HandlersOf<'overview' | 'statistics'> {
  return {
    overview: async (visit) => showOverview(deps, accountOf(visit)),
    statistics: async (visit, input) =>
      showOwnStatistics(deps, countFilter(accountOf(visit), input, deps.nowSeconds() * 1_000)),
  }
}
