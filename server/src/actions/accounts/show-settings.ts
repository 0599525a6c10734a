import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { type SettingName, settingNames } from '@ringproof/contract/web/setting-names.ts'
import { readAccount } from '../../db/accounts/account.ts'
import { readService } from '../../db/accounts/service.ts'
import { readUsageToday } from '../../db/accounts/service-usage.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTariffs } from '../../db/money/tariff.ts'
import type { NewServiceCaps } from '../../domain/accounts/service.ts'
import { recommendedSettings, showSetting } from '../../domain/accounts/service-changes.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { type Price, priceOf } from '../../domain/money/tariff.ts'
import { countryCodes } from '../../domain/numbers/country.ts'
import { dialCodeOf } from '../../domain/numbers/number-plan.ts'
import { Denial } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly newServiceCaps: NewServiceCaps
  readonly requestsPerSecond: number
  readonly nowSeconds: () => number
}

// The settings of a service as its people see them, with what they need to choose.
export async function showSettings(deps: Deps, id: ServiceId): Promise<WebOutput<'service-settings'>> {
  const database = deps.slots.databaseOf(slotOfService(id))
  const service = await readService(database, id)
  if (!service) throw new Denial('not-found')
  const [account, usage, tariffs] = await Promise.all([
    readAccount(database, service.accountId),
    readUsageToday(database, id),
    readTariffs(deps.slots.globalDatabase),
  ])
  const texts = settingNames.map((name) => [name, showSetting(name, service.settings[name])])
  const prices = tariffs.find(({ code }) => code === account?.tariff)?.prices ?? []
  return {
    id,
    isTest: service.isTest,
    settings: Object.fromEntries(texts) as Record<SettingName, string>,
    recommended: recommendedSettings(deps.newServiceCaps),
    usage: { startedHour: usage.hourCount, startedDay: usage.count, spentDay: toDecimal(usage.spent) },
    countries: countriesWith(prices, new Date(deps.nowSeconds() * 1_000)),
    requestsPerSecond: Math.max(Number(service.settings['requests-per-second'] ?? 0), deps.requestsPerSecond),
  }
}

function countriesWith(prices: readonly Price[], at: Date): WebOutput<'service-settings'>['countries'] {
  return [...countryCodes].flatMap((code) => {
    const dial = dialCodeOf(code)
    if (dial === undefined) return []
    const price = priceOf(prices, { method: 'initCall', mode: 'flash', country: code }, at)
    return [{ code, dial, price: price === undefined ? null : toDecimal(price) }]
  })
}
