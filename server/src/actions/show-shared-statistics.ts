import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccount } from '../db/account.ts'
import type { CountFilter } from '../db/call-counts.ts'
import { findShare, type StatisticsShare } from '../db/statistics-share.ts'
import { digestToken } from '../domain/people/one-time-token.ts'
import { slotOfAccount } from '../domain/slot.ts'
import { Denial } from '../errors.ts'
import { showOwnStatistics } from './show-own-statistics.ts'

type Deps = Parameters<typeof showOwnStatistics>[0]
type Shared = WebOutput<'shared-statistics'>
type Statistics = WebOutput<'statistics'>

// For anyone who has the link. Every field is copied by name: a new field of the statistics is not shared by accident.
export async function showSharedStatistics(deps: Deps, token: string): Promise<Shared> {
  const share = await findShare(deps.slots.globalDatabase, digestToken(token))
  if (!share) throw new Denial('not-found')
  const account = await readAccount(deps.slots.databaseOf(slotOfAccount(share.accountId)), share.accountId)
  if (!account || account.closedAt) throw new Denial('not-found')
  const { compared } = share.filter
  const range = compared && { from: new Date(compared.from), until: new Date(compared.until) }
  const statistics = await showOwnStatistics(deps, filterOf(share), range)
  return { ...headOf(share, account.timeZone), ...sumsOf(statistics, share.hasMoney) }
}

function filterOf({ accountId, filter }: StatisticsShare): CountFilter {
  const { isTest, from, until, mode, serviceId, country, provider } = filter
  return { accountId, isTest, from: new Date(from), until: new Date(until), mode, serviceId, country, provider }
}

function headOf({ name, validUntil, filter }: StatisticsShare, timeZone: string) {
  const { isTest, mode, provider, country } = filter
  return {
    name,
    validUntil: validUntil.getTime(),
    timeZone,
    isTest,
    mode: mode ?? null,
    provider: provider ?? null,
    country: country ?? null,
  }
}

function sumsOf({ by, from, until, compared, ...rest }: Statistics, hasMoney: boolean) {
  const { total, before, bins, providers, modes, hours } = rest
  const moneyOf = (charged: number) => (hasMoney ? charged : null)
  return {
    by,
    from,
    until,
    compared,
    total: { ...countsOf(total), charged: moneyOf(total.charged) },
    before: { ...countsOf(before), charged: moneyOf(before.charged) },
    bins: bins.map((bin) => ({ at: bin.at, ...countsOf(bin) })),
    providers: providers.map(({ provider, dialled, rang, low, high, usual, hasFallen }) => ({
      provider,
      dialled,
      rang,
      low,
      high,
      usual,
      hasFallen,
    })),
    modes: modes.map(({ mode, calls, succeeded, charged }) => ({ mode, calls, succeeded, charged: moneyOf(charged) })),
    hours,
  }
}

function countsOf({ calls, succeeded, failed, repeats, ringP50Ms, ringP95Ms }: Statistics['total']) {
  return { calls, succeeded, failed, repeats, ringP50Ms, ringP95Ms }
}
