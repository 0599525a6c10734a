import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { listApiKeys } from '../../db/accounts/api-key.ts'
import { readClientHint } from '../../db/accounts/client-hint.ts'
import { listServices, type Service } from '../../db/accounts/service.ts'
import { readUsageToday } from '../../db/accounts/service-usage.ts'
import type { Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { dashboardKeyName } from '../../domain/accounts/api-key.ts'
import { adviceFor, hintOfClient } from '../../domain/accounts/known-client.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'

type Shown = WebOutput<'services'>['services'][number]

// The services of an account as its people see them, with their keys and what they used today.
export async function listOwnServices(
  { slots }: { readonly slots: SlotMap },
  accountId: AccountId,
): Promise<readonly Shown[]> {
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
