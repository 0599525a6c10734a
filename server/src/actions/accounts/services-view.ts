import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { type SettingName, settingNames } from '@ringproof/contract/web/setting-names.ts'
import { readAccount } from '../../db/accounts/account.ts'
import { listApiKeys } from '../../db/accounts/api-key.ts'
import { readClientHint } from '../../db/accounts/client-hint.ts'
import { listServices, readService, readUsageToday, type Service } from '../../db/accounts/service.ts'
import type { Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTariffs } from '../../db/money/tariff.ts'
import { readCounts } from '../../db/verifications/call-counts.ts'
import { dashboardKeyName } from '../../domain/accounts/api-key.ts'
import { adviceFor, hintOfClient } from '../../domain/accounts/known-client.ts'
import type { NewServiceCaps, ServiceSettingName } from '../../domain/accounts/service.ts'
import {
  changesOf,
  readSettings,
  recommendedSettings,
  type SettingChange,
  type SettingTexts,
  showSetting,
} from '../../domain/accounts/service-changes.ts'
import {
  effectDays,
  effectsOf,
  type PastCalls,
  type SettingEffect,
  settingsWithEffect,
} from '../../domain/accounts/setting-effect.ts'
import { type AccountId, type ServiceId, slotOfAccount, slotOfService } from '../../domain/core/slot.ts'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import { type Price, priceOf } from '../../domain/money/tariff.ts'
import { countryCodes } from '../../domain/numbers/country.ts'
import { dialCodeOf } from '../../domain/numbers/number-plan.ts'
import { dayMs, hourMs } from '../../domain/values/time.ts'
import { Denial } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly newServiceCaps: NewServiceCaps
  readonly requestsPerSecond: number
  readonly nowSeconds: () => number
}

type Shown = WebOutput<'services'>['services'][number]

// The services of an account as its people see them, with their keys and what they used today.
export async function listOwnServices({ slots }: Pick<Deps, 'slots'>, accountId: AccountId): Promise<readonly Shown[]> {
  const database = slots.databaseOf(slotOfAccount(accountId))
  const services = await listServices(database, accountId)
  return Promise.all(services.map((service) => shownService(database, service)))
}

async function shownService(database: Session, service: Service): Promise<Shown> {
  const { id, settings, createdAt, lastRequestAt } = service
  const [keys, usage, seen] = await Promise.all([
    listApiKeys(database, id),
    readUsageToday(database, id),
    readClientHint(database, id),
  ])
  const has = {
    idAlias: String(settings['id-alias']),
    statusStyle: String(settings['status-style']),
    repeats: settings.repeats === true,
  }
  const hint = seen && hintOfClient(seen.client, has)
  const areTestNumbersOn = settings['test-numbers'] === true
  const spendDayMax = settings['spend-day-max']
  return {
    id,
    name: String(settings.name),
    state: settings.state as Shown['state'],
    isTest: service.isTest,
    areTestNumbersOn,
    isLiveWithTestNumbers: areTestNumbersOn && usage.count > 0,
    createdAt: createdAt.getTime(),
    lastRequestAt: lastRequestAt?.getTime() ?? null,
    startedToday: usage.count,
    spentToday: toDecimal(usage.spent),
    spendDayMax: spendDayMax === null ? null : toDecimal(spendDayMax as MicroAmount),
    keys: keys
      // The dashboard's own key is nobody's to copy or rotate.
      .filter(({ name, isValid }) => isValid && name !== dashboardKeyName)
      .map((key) => ({
        name: key.name,
        start: key.start,
        scopes: [...key.scopes],
        validUntil: key.validUntil?.getTime() ?? null,
        isReplaced: key.isReplaced,
        lastUsedAt: key.lastUsedAt?.getTime() ?? null,
        createdAt: key.createdAt.getTime(),
      })),
    advice: hint ? adviceFor(hint) : null,
  }
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

type Preview = {
  readonly changes: readonly SettingChange[]
  readonly effects: readonly SettingEffect[]
  readonly mistakes: readonly ServiceSettingName[]
}

// What set-service would change, without changing it, and what that would have meant lately.
export async function previewSettings(
  { slots, nowSeconds }: Pick<Deps, 'slots' | 'nowSeconds'>,
  serviceId: ServiceId,
  texts: SettingTexts,
): Promise<Preview> {
  const database = slots.databaseOf(slotOfService(serviceId))
  const service = await readService(database, serviceId)
  if (!service) throw new Denial('not-found')
  const { values, mistakes } = readSettings(texts)
  const changes = changesOf(service.settings, values)
  const changed = new Map(
    [...values].filter(([name]) => settingsWithEffect.has(name) && changes.some((change) => change.name === name)),
  )
  const past = changed.size > 0 ? await readPastCalls(database, service, nowSeconds()) : undefined
  return { changes, effects: past ? effectsOf(changed, past) : [], mistakes }
}

async function readPastCalls(database: Session, service: Service, nowSeconds: number): Promise<PastCalls> {
  const untilMs = Math.ceil((nowSeconds * 1_000) / hourMs) * hourMs
  const range = { from: new Date(untilMs - effectDays * dayMs), until: new Date(untilMs) }
  const filter = { accountId: service.accountId, serviceId: service.id, isTest: service.isTest, ...range }
  const [hours, countries, modes] = await Promise.all([
    readCounts(database, filter, ['hour'], 'UTC'),
    readCounts(database, filter, ['country'], 'UTC'),
    readCounts(database, filter, ['mode'], 'UTC'),
  ])
  return { hours, countries, modes }
}
