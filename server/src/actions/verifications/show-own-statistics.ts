// Statistics of an account over a period. What is usual for a provider comes from the same hours of the four weeks before, or,
// for more than a week, from the time before of the same length.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccount } from '../../db/accounts/account.ts'
import { listServices, type Service } from '../../db/accounts/service.ts'
import type { Database } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTariffs } from '../../db/money/tariff.ts'
import { type CountFilter, readCounts } from '../../db/verifications/call-counts.ts'
import { isModeOffered } from '../../domain/accounts/modes.ts'
import { modesInsteadOfFlash, parseProviderMode } from '../../domain/accounts/provider-modes.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import { type Price, priceOf } from '../../domain/money/tariff.ts'
import { hasFallen, shareInterval } from '../../domain/values/share.ts'
import { hourMs, weekMs } from '../../domain/values/time.ts'
import { type Counts, ringDelayPercentile } from '../../domain/verifications/call-counts.ts'
import { Denial } from '../../process/errors.ts'

type Statistics = WebOutput<'statistics'>

const hoursMax = 72
const usualWeeks = [1, 2, 3, 4]

export async function showOwnStatistics(
  { slots, nowSeconds }: { readonly slots: SlotMap; readonly nowSeconds: () => number },
  filter: CountFilter,
  compared: Pick<CountFilter, 'from' | 'until'> = shifted(filter, lengthOf(filter)),
): Promise<Statistics> {
  const database = slots.databaseOf(slotOfAccount(filter.accountId))
  const account = await readAccount(database, filter.accountId)
  if (!account) throw new Denial('not-found')
  const zone = account.timeZone
  const lengthMs = lengthOf(filter)
  const by = lengthMs <= hoursMax * hourMs ? 'hour' : 'day'
  const [total, before, bins, providers, usual, reasons, modes, ofServices, hours, services, tariffs] =
    await Promise.all([
      readCounts(database, filter, [], zone, true),
      readCounts(database, { ...filter, from: compared.from, until: compared.until }, [], zone, true),
      readCounts<'hour' | 'day'>(database, filter, [by], zone, true),
      readCounts(database, filter, ['provider', 'country'], zone),
      usualShares(database, filter, zone, lengthMs),
      readCounts(database, { ...filter, states: ['failed'] }, ['reason'], zone),
      readCounts(database, filter, ['mode'], zone),
      readCounts(database, filter, ['service'], zone),
      readCounts(database, filter, ['weekday', 'hourOfDay'], zone),
      listServices(database, filter.accountId),
      readTariffs(slots.globalDatabase),
    ])
  const live = services.filter(({ id, isTest, settings }) =>
    filter.serviceId === undefined ? !isTest && settings.state !== 'archived' : id === filter.serviceId,
  )
  const providerModes = modesOf(live)
  const prices = tariffs.find(({ code }) => code === account.tariff)?.prices ?? []
  const adviceFor = ({ provider, country }: { readonly provider: string; readonly country: string }) =>
    providerModes.some((rule) => rule.provider === provider)
      ? null
      : adviceOf(prices, provider, country, new Date(nowSeconds() * 1_000))
  const names = new Map<number, string>(services.map(({ id, settings }) => [id, String(settings.name)]))
  return {
    by,
    from: filter.from.getTime(),
    until: filter.until.getTime(),
    total: figuresOf(total[0]),
    before: figuresOf(before[0]),
    compared: { from: compared.from.getTime(), until: compared.until.getTime() },
    bins: bins.map((bin) => ({ at: bin[by], ...figuresOf(bin) })).toSorted((one, other) => one.at - other.at),
    providers: providersOf(providers, usual, adviceFor),
    providerModes,
    reasons: reasons.map(({ reason, calls }) => ({ reason, calls })).toSorted(mostFirst),
    modes: modes
      .map((count) => ({ mode: count.mode as Statistics['modes'][number]['mode'], ...moneyOf(count) }))
      .toSorted(mostFirst),
    services: ofServices
      .map((count) => ({ id: count.service, name: names.get(count.service) ?? '', ...moneyOf(count) }))
      .toSorted(mostFirst),
    hours: hours.map(({ weekday, hourOfDay, calls, succeeded, failed }) => ({
      weekday,
      hour: hourOfDay,
      calls,
      succeeded,
      failed,
    })),
  }
}

function lengthOf({ from, until }: CountFilter): number {
  return until.getTime() - from.getTime()
}

function shifted(filter: CountFilter, ms: number): CountFilter {
  return { ...filter, from: new Date(filter.from.getTime() - ms), until: new Date(filter.until.getTime() - ms) }
}

type Shares = ReadonlyMap<string, { readonly dialled: number; readonly rang: number }>

async function usualShares(database: Database, filter: CountFilter, zone: string, lengthMs: number): Promise<Shares> {
  const shifts = lengthMs <= weekMs ? usualWeeks.map((week) => week * weekMs) : [lengthMs]
  const counts = await Promise.all(shifts.map((ms) => readCounts(database, shifted(filter, ms), ['provider'], zone)))
  const byProvider = Map.groupBy(counts.flat(), ({ provider }) => provider)
  const sum = (of: readonly Counts[], name: 'dialled' | 'rang') => of.reduce((all, count) => all + count[name], 0)
  return new Map(
    [...byProvider].map(([provider, of]) => [provider, { dialled: sum(of, 'dialled'), rang: sum(of, 'rang') }]),
  )
}

type OfProvider = Counts & { readonly provider: string; readonly country: string }
type Provider = Statistics['providers'][number]

function providersOf(
  counts: readonly OfProvider[],
  shares: Shares,
  adviceFor: (of: OfProvider) => Provider['advice'],
): Provider[] {
  return [...Map.groupBy(counts, ({ provider }) => provider).values()]
    .map(inAllCountries)
    .filter(({ dialled }) => dialled > 0)
    .map((of) => {
      const { provider, dialled, rang } = of
      const earlier = shares.get(provider)
      const usual = earlier === undefined || earlier.dialled === 0 ? undefined : earlier.rang / earlier.dialled
      const isLow = hasFallen(rang, dialled, usual)
      const advice = isLow ? adviceFor(of) : null
      return {
        provider,
        dialled,
        rang,
        ...shareInterval(rang, dialled),
        usual: usual ?? null,
        hasFallen: isLow,
        advice,
      }
    })
    .toSorted((one, other) => other.dialled - one.dialled)
}

// A known provider has one country; of unknown ones it does not matter.
function inAllCountries(of: readonly OfProvider[]): OfProvider {
  const sum = (name: 'dialled' | 'rang') => of.reduce((all, count) => all + count[name], 0)
  return { ...(of[0] as OfProvider), dialled: sum('dialled'), rang: sum('rang') }
}

function adviceOf(prices: readonly Price[], provider: string, country: string, at: Date): Provider['advice'] {
  const priceIn = (mode: CallMode) => priceOf(prices, { method: 'initCall', mode, country }, at)
  const flashPrice = priceIn('flash')
  if (flashPrice === undefined || parseProviderMode(`${provider}=mix`) === undefined) return null
  for (const mode of modesInsteadOfFlash) {
    const price = isModeOffered(mode, country) ? priceIn(mode) : undefined
    if (price !== undefined) return { mode, price: toDecimal(price), flashPrice: toDecimal(flashPrice) }
  }
  return null
}

function modesOf(services: readonly Service[]): Statistics['providerModes'] {
  const rules = services.flatMap(({ id, settings }) =>
    (settings['provider-modes'] as readonly string[]).map((text) => ({ id, text })),
  )
  return [...Map.groupBy(rules, ({ text }) => text)].flatMap(([text, of]) => {
    const rule = parseProviderMode(text)
    return rule === undefined ? [] : [{ ...rule, services: of.map(({ id }) => id) }]
  })
}

function figuresOf(counts: Counts | undefined): Statistics['total'] {
  const delays = counts?.ringDelays ?? []
  return {
    calls: counts?.calls ?? 0,
    succeeded: counts?.succeeded ?? 0,
    failed: counts?.failed ?? 0,
    repeats: counts?.repeats ?? 0,
    charged: toDecimal((counts?.charged ?? 0) as MicroAmount),
    ringP50Ms: ringDelayPercentile(delays, 0.5) ?? null,
    ringP95Ms: ringDelayPercentile(delays, 0.95) ?? null,
  }
}

function moneyOf({ calls, succeeded, charged }: Counts) {
  return { calls, succeeded, charged: toDecimal(charged as MicroAmount) }
}

function mostFirst(one: { readonly calls: number }, other: { readonly calls: number }): number {
  return other.calls - one.calls
}
