import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccount } from '../../db/accounts/account.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readPaymentSettings } from '../../db/money/payment.ts'
import { readTariffs } from '../../db/money/tariff.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import { linkOfAccount } from '../../domain/money/payment.ts'
import { anyCountry, type Price, priceOf } from '../../domain/money/tariff.ts'
import { Denial } from '../../process/errors.ts'
import { showOverview } from './show-overview.ts'
import { showStatement } from './show-statement.ts'

type Shown = WebOutput<'balance'>
type Deps = { readonly slots: SlotMap; readonly nowSeconds: () => number }

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
