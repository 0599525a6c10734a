// One customer as operators see it: money, services with their caps, people without their secrets, risk, and what was done.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccount } from '../../db/accounts/account.ts'
import { noFacts, readCustomerFacts } from '../../db/accounts/customer.ts'
import { listServices, readUsageToday, type Service } from '../../db/accounts/service.ts'
import { logsOf, searchActions } from '../../db/core/action-log.ts'
import type { Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTariffs } from '../../db/money/tariff.ts'
import { listMembers } from '../../db/people/membership.ts'
import { type CountFilter, readCounts } from '../../db/verifications/call-counts.ts'
import type { ServiceState } from '../../domain/accounts/api-client.ts'
import { riskOf } from '../../domain/accounts/customer-risk.ts'
import { showSetting } from '../../domain/accounts/service-changes.ts'
import { type AccountId, isAccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import { dayMs, hourMs } from '../../domain/values/time.ts'
import type { Counts } from '../../domain/verifications/call-counts.ts'
import { Denial } from '../../process/errors.ts'
import { ageDays, customerState, shareOf, shownRisk } from '../accounts/list-customers.ts'
import { showStatement } from '../money/papers-view.ts'

type Deps = { readonly slots: SlotMap; readonly nowSeconds: () => number }
type Shown = WebOutput<'customer'>

const daysShown = 30
const linesMax = 40
const actionsMax = 20

export async function showCustomer(deps: Deps, id: number): Promise<Shown> {
  if (!isAccountId(id)) throw new Denial('not-found')
  const { slots, nowSeconds } = deps
  const database = slots.databaseOf(slotOfAccount(id))
  const account = await readAccount(database, id)
  if (!account) throw new Denial('not-found')
  const now = new Date(nowSeconds() * 1_000)
  const week = weekOf(id, now)
  const [facts, counts, days, lines, services, members, tariffs, actions] = await Promise.all([
    readCustomerFacts(database, [id], now),
    readCounts(database, week, [], 'UTC'),
    daysOf(database, id, now),
    linesOf(deps, id, now),
    servicesOf(database, week),
    listMembers(slots.globalDatabase, id),
    readTariffs(slots.globalDatabase),
    actionsOf(slots, id),
  ])
  const total = counts[0] ?? noCounts
  const spentADay = total.charged / 7
  return {
    id,
    name: account.name || account.email,
    email: account.email,
    state: customerState(account),
    createdAt: account.createdAt.getTime(),
    balance: toDecimal(account.balance),
    held: toDecimal(account.held),
    daysLeft: spentADay > 0 ? Math.floor(account.balance / spentADay) : null,
    tariff: account.tariff,
    tariffs: tariffs.map(({ code, name }) => ({ code, name })),
    risk: shownRisk(riskOf({ ...(facts.get(id) ?? noFacts), ageDays: ageDays(account, now) })),
    week: {
      calls: total.calls,
      succeeded: total.succeeded,
      rang: shareOf(total),
      spent: toDecimal(total.charged as MicroAmount),
    },
    days,
    lines,
    services: services.map(({ shown }) => shown),
    lastRequestAt: services.reduce<number | null>(
      (last, { at }) => (at === null || at < (last ?? 0) ? last : at),
      null,
    ),
    members: members.map(({ email, name, role, hasFactor, since }) => ({
      email,
      name,
      role,
      hasFactor,
      since: since.getTime(),
    })),
    actions,
  }
}

const noCounts = { calls: 0, dialled: 0, rang: 0, succeeded: 0, charged: 0 }

function weekOf(accountId: AccountId, now: Date): CountFilter {
  const untilMs = Math.ceil(now.getTime() / hourMs) * hourMs
  return { accountId, from: new Date(untilMs - 7 * dayMs), until: new Date(untilMs), isTest: false }
}

// Days without calls, too.
async function daysOf(database: Session, accountId: AccountId, now: Date): Promise<Shown['days']> {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  const first = today - (daysShown - 1) * dayMs
  const filter = { accountId, from: new Date(first), until: new Date(today + dayMs), isTest: false }
  const counts = await readCounts(database, filter, ['day'], 'UTC')
  const spent = new Map(counts.map(({ day, charged }) => [day, charged]))
  return Array.from({ length: daysShown }, (_, index) => {
    const day = first + index * dayMs
    return { day, spent: toDecimal((spent.get(day) ?? 0) as MicroAmount) }
  })
}

async function linesOf(deps: Deps, accountId: AccountId, now: Date): Promise<Shown['lines']> {
  const firstDay = new Date(now.getTime() - daysShown * dayMs).toISOString().slice(0, 10)
  const { lines } = await showStatement(deps, { accountId, firstDay, lastDay: undefined })
  return lines
    .toReversed()
    .slice(0, linesMax)
    .map(({ day, kind, change, entries, reference }) => ({ day, kind, change: toDecimal(change), entries, reference }))
}

async function servicesOf(database: Session, week: CountFilter) {
  const [services, counts] = await Promise.all([
    listServices(database, week.accountId),
    readCounts(database, week, ['service'], 'UTC'),
  ])
  const countsOf = new Map<number, Counts>(counts.map((count) => [count.service, count]))
  return Promise.all(
    services.map(async (service) => {
      const usage = await readUsageToday(database, service.id)
      const counted = countsOf.get(service.id) ?? noCounts
      return { at: service.lastRequestAt?.getTime() ?? null, shown: shownService(service, usage, counted) }
    }),
  )
}

function shownService(
  { id, isTest, settings }: Service,
  usage: { readonly count: number; readonly spent: MicroAmount },
  counted: Pick<Counts, 'calls' | 'dialled' | 'rang'>,
): Shown['services'][number] {
  return {
    id,
    name: String(settings.name),
    isTest,
    state: settings.state as ServiceState,
    caps: {
      hourMax: showSetting('verifications-hour-max', settings['verifications-hour-max']),
      dayMax: showSetting('verifications-day-max', settings['verifications-day-max']),
      spendDayMax: showSetting('spend-day-max', settings['spend-day-max']),
    },
    startedToday: usage.count,
    spentToday: toDecimal(usage.spent),
    calls: counted.calls,
    rang: shareOf(counted),
  }
}

async function actionsOf(slots: SlotMap, accountId: AccountId): Promise<Shown['actions']> {
  const filter = { accountId, action: undefined, who: undefined, beforeMicros: undefined }
  const pages = await Promise.all(
    logsOf(slots, accountId).map(async (database, at) =>
      (await searchActions(database, filter, actionsMax)).map((entry) => ({ ...entry, key: `${at}:${entry.id}` })),
    ),
  )
  const entries = pages.flat().toSorted((one, other) => Number(other.atMicros) - Number(one.atMicros))
  return entries.slice(0, actionsMax).map(({ key, atMicros, action, who, details }) => ({
    key,
    at: Math.floor(Number(atMicros) / 1_000),
    action,
    who,
    details: JSON.stringify(details),
  }))
}
