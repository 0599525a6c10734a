// Prices, carrier costs and the margin between them.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { showMargin } from '../../../actions/money/show-margin.ts'
import { listTariffs, setTariff, setTrunkCost } from '../../../actions/money/tariffs.ts'
import { listTrunks } from '../../../actions/trunks/trunks.ts'
import type { Margin } from '../../../domain/money/margin.ts'
import { type MicroAmount, parseDecimal, toDecimal } from '../../../domain/money/money.ts'
import { isCountry, isModeOf, type PricedItem } from '../../../domain/money/tariff.ts'
import { parseText } from '../../../domain/values/text.ts'
import { Denial } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { type Handlers, operatorActor } from '../core/handlers.ts'

export function tariffHandlers(deps: WebDeps) {
  return {
    tariffs: async () => {
      const [shown, { trunks }] = await Promise.all([showMargin(deps), listTrunks(deps)])
      return {
        from: shown.from.getTime(),
        until: shown.until.getTime(),
        total: totalsOf(shown.total),
        destinations: shown.destinations.map((one) => ({ country: one.country, mode: one.mode, ...totalsOf(one) })),
        tariffs: shown.tariffs.map(({ code, name, chargesFailed, prices }) => ({
          code,
          name,
          chargesFailed,
          prices: prices.map(({ price, validFrom, ...item }) => ({
            ...item,
            price: toDecimal(price),
            validFrom: validFrom.getTime(),
          })),
        })),
        costs: shown.costs.map(({ cost, validFrom, ...item }) => ({
          ...item,
          cost: toDecimal(cost),
          validFrom: validFrom.getTime(),
        })),
        trunks: trunks.filter(({ isTest }) => !isTest).map(({ name }) => name),
      }
    },
    'price-preview': async (_, { tariff, price, ...item }) => {
      const { preview } = await showMargin(deps, { tariff, ...itemOf(item), price: amountOf(price, 'price') })
      if (!preview) throw new Denial('unavailable')
      const { paid, revenue, margin, withoutCost } = preview
      return {
        paid,
        revenueBefore: toDecimal(revenue[0]),
        revenueAfter: toDecimal(revenue[1]),
        marginBefore: toDecimal(margin[0]),
        marginAfter: toDecimal(margin[1]),
        withoutCost,
      }
    },
    'create-tariff': async (visit, { tariff, name: typed, price: amount, validFrom: from, ...item }) => {
      const name = parseText(typed, 1, 100)
      if (name === undefined) throw new Denial('invalid', ['name'])
      const price = { ...itemOf(item), price: amountOf(amount, 'price'), validFrom: timeOf(from) }
      const validFrom = await setTariff(deps, operatorActor(visit), { tariff, name, mustBeNew: true, price })
      return { validFrom: validFrom.getTime() }
    },
    'set-price': async (visit, { tariff, price: amount, validFrom: from, ...item }) => {
      if (!(await listTariffs(deps)).some(({ code }) => code === tariff)) throw new Denial('not-found')
      const price = { ...itemOf(item), price: amountOf(amount, 'price'), validFrom: timeOf(from) }
      const validFrom = await setTariff(deps, operatorActor(visit), { tariff, name: undefined, price })
      return { validFrom: validFrom.getTime() }
    },
    'set-trunk-cost': async (visit, { trunk, mode, country, cost, validFrom: from }) => {
      if (!isCountry(country)) throw new Denial('invalid', ['country'])
      const command = { trunk, mode, country, cost: amountOf(cost, 'cost'), validFrom: timeOf(from) }
      return { validFrom: (await setTrunkCost(deps, operatorActor(visit), command)).getTime() }
    },
  } satisfies Partial<Handlers>
}

function itemOf({ method, mode, country }: PricedItem): PricedItem {
  if (!isModeOf(method, mode)) throw new Denial('invalid', ['mode'])
  if (!isCountry(country)) throw new Denial('invalid', ['country'])
  return { method, mode, country }
}

function amountOf(text: string, field: string): MicroAmount {
  const amount = parseDecimal(text)
  if (amount === undefined) throw new Denial('invalid', [field])
  return amount
}

function timeOf(ms: number | null): Date | undefined {
  return ms === null ? undefined : new Date(ms)
}

function totalsOf({ calls, revenue, cost, margin, withoutCost }: Omit<Margin, 'country' | 'mode'>) {
  const shown: WebOutput<'tariffs'>['total'] = {
    calls,
    revenue: toDecimal(revenue),
    cost: toDecimal(cost),
    margin: toDecimal(margin),
    withoutCost,
  }
  return shown
}
