import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccount } from '../../db/accounts/account.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readPaymentSettings } from '../../db/money/payment.ts'
import { readTariffs } from '../../db/money/tariff.ts'
import { readCounts } from '../../db/verifications/call-counts.ts'
import { countFailedWebhooks } from '../../db/webhooks/webhook.ts'
import { type AccountId, firstIdOfSecond, slotOfAccount } from '../../domain/core/slot.ts'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import { linkOfAccount } from '../../domain/money/payment.ts'
import { anyCountry, type Price, priceOf } from '../../domain/money/tariff.ts'
import { dayMs, daySeconds, hourMs } from '../../domain/values/time.ts'
import { Denial } from '../../process/errors.ts'
import { listLedger } from './ledger.ts'
import { showStatement } from './papers-view.ts'

type Deps = {
  readonly slots: SlotMap
  readonly nowSeconds: () => number
}

type Shown = WebOutput<'balance'>

// The month is in UTC, such as 2026-11; this one unless another is given.
export async function showOwnBalance(deps: Deps, accountId: AccountId, month: string | undefined): Promise<Shown> {
  const { slots, nowSeconds } = deps
  const now = new Date(nowSeconds() * 1_000)
  const shown = month ?? now.toISOString().slice(0, 7)
  const firstDay = `${shown}-01`
  if (Number.isNaN(Date.parse(firstDay))) throw new Denial('invalid', ['month'])
  const lastDay = lastDayOf(firstDay)
  const [account, overview, statement, tariffs, { pageLink, seller }] = await Promise.all([
    readAccount(slots.databaseOf(slotOfAccount(accountId)), accountId),
    showOverview(deps, accountId),
    showStatement(deps, { accountId, firstDay, lastDay }),
    readTariffs(slots.globalDatabase),
    readPaymentSettings(slots.globalDatabase),
  ])
  const tariff = tariffs.find(({ code }) => code === account?.tariff)
  return {
    balance: overview.balance,
    held: overview.held,
    daysLeft: overview.daysLeft,
    month: shown,
    opening: toDecimal(statement.opening),
    closing: toDecimal(statement.closing),
    lines: statement.lines.map(({ day, kind, change, balance, entries, reference }) => ({
      day,
      kind,
      change: toDecimal(change),
      balance: toDecimal(balance),
      entries,
      reference,
    })),
    pageLink: linkOfAccount(pageLink, accountId),
    hasInvoices: seller !== null,
    tariff: tariff?.name ?? account?.tariff ?? '',
    prices: pricesOf(tariff?.prices ?? [], now),
  }
}

function lastDayOf(firstDay: string): string {
  const first = new Date(firstDay)
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)
}

// Those that are valid now.
function pricesOf(prices: readonly Price[], now: Date): Shown['prices'] {
  const items = new Map(prices.map((price) => [`${price.method} ${price.mode} ${price.country}`, price]))
  return [...items.values()].flatMap(({ method, mode, country }) => {
    const price: MicroAmount | undefined = priceOf(prices, { method, mode, country }, now)
    const kind = method === 'initCall' ? mode : method === 'checkPhone' ? 'checkPhone' : 'inbound'
    return price === undefined || kind === ''
      ? []
      : [{ country: country === anyCountry ? '' : country, kind, price: toDecimal(price) }]
  })
}

const days = 7

export async function showOverview({ slots, nowSeconds }: Deps, accountId: AccountId): Promise<WebOutput<'overview'>> {
  const database = slots.databaseOf(slotOfAccount(accountId))
  const untilMs = Math.ceil((nowSeconds() * 1_000) / hourMs) * hourMs
  const week = { accountId, from: new Date(untilMs - days * dayMs), until: new Date(untilMs), isTest: false }
  const [account, counts, failedWebhooks] = await Promise.all([
    readAccount(database, accountId),
    readCounts(database, week, [], 'UTC'),
    countFailedWebhooks(database, accountId, new Date(untilMs - dayMs)),
  ])
  if (!account) throw new Denial('not-found')
  const spentADay = (counts[0]?.charged ?? 0) / days
  return {
    balance: toDecimal(account.balance),
    held: toDecimal(account.held),
    daysLeft: spentADay > 0 ? Math.max(0, Math.floor(account.balance / spentADay)) : null,
    failedWebhooks,
  }
}

const pageLines = 100

// What changed the account's money on a day (UTC), newest first. Holds and releases change nothing.
export async function listOwnLedger(
  { slots }: Pick<Deps, 'slots'>,
  accountId: AccountId,
  { day, before }: { readonly day: string; readonly before: number | undefined },
): Promise<WebOutput<'ledger-lines'>> {
  const second = Date.parse(day) / 1_000
  if (Number.isNaN(second)) throw new Denial('invalid', ['day'])
  const [firstId, endOfDay] = [firstIdOfSecond(second), firstIdOfSecond(second + daySeconds)]
  const filter = { accountId, firstId, endId: Math.min(endOfDay, before ?? endOfDay), verificationId: undefined }
  const { entries, nextBefore } = await listLedger({ slots }, filter, pageLines)
  return {
    lines: entries.flatMap(({ id, move, amount, createdAt, reference }) => {
      if (move === 'hold' || move === 'release') return []
      const decimal = toDecimal(amount)
      return [{ id, at: createdAt.getTime(), move, change: move === 'credit' ? decimal : -decimal, reference }]
    }),
    nextBefore: nextBefore ?? null,
  }
}
