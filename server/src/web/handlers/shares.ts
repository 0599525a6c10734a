// Read-only links to statistics.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import { webPages } from '@ringproof/contract/web/pages.ts'
import { listStatisticsShares } from '../../actions/list-statistics-shares.ts'
import { revokeStatisticsShare } from '../../actions/revoke-statistics-share.ts'
import { shareStatistics } from '../../actions/share-statistics.ts'
import { showSharedStatistics } from '../../actions/show-shared-statistics.ts'
import type { CountFilter } from '../../db/call-counts.ts'
import type { FrozenFilter } from '../../domain/calls/statistics-share.ts'
import type { WebDeps } from './deps.ts'
import { accountOf, type HandlersOf, visitorOf } from './handlers.ts'
import { actorOf } from './own-service.ts'
import { comparison } from './statistics.ts'

type Names = 'statistics-shares' | 'share-statistics' | 'revoke-statistics-share' | 'shared-statistics'

export function shareHandlers(deps: WebDeps): HandlersOf<Names> {
  return {
    'statistics-shares': async (visit) => listStatisticsShares(deps, accountOf(visit)),
    'share-statistics': async (visit, { filter: input, ...rest }) => {
      const accountId = accountOf(visit)
      const { filter, compared } = comparison(deps, accountId, input)
      const command = {
        ...rest,
        accountId,
        createdBy: visitorOf(visit).user.id,
        filter: frozen(input, filter, compared),
      }
      const token = await shareStatistics(deps, actorOf(visit), command)
      return { link: `${visit.site.origin}${webPages.sharedStatistics}#token=${token}` }
    },
    'revoke-statistics-share': async (visit, { id }) => {
      await revokeStatisticsShare(deps, actorOf(visit), { accountId: accountOf(visit), id })
    },
    'shared-statistics': async (_, { token }) => showSharedStatistics(deps, token),
  }
}

type Range = Pick<CountFilter, 'from' | 'until'>

function frozen(
  { traffic, mode, country, provider }: WebInput<'statistics'>,
  { from, until, serviceId }: CountFilter,
  compared: Range | undefined,
): FrozenFilter {
  const msOf = (range: Range) => ({ from: range.from.getTime(), until: range.until.getTime() })
  return {
    isTest: traffic === 'test',
    ...msOf({ from, until }),
    ...(compared && { compared: msOf(compared) }),
    ...(mode !== undefined && { mode }),
    ...(serviceId !== undefined && { serviceId }),
    ...(country !== undefined && { country }),
    ...(provider !== undefined && { provider }),
  }
}
