// Whether a call start would be accepted: with the saved settings of a service, and with changed ones that are not saved. The rules
// are those of a real start, in the same order. Nothing is dispatched, charged or counted. Left out is what does not belong to the
// service: the key, the rate of the address, and the load of the installation.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { SettingName } from '@ringproof/contract/web/setting-names.ts'
import { readApiClients } from '../../db/accounts/api-client.ts'
import { readCallRouting } from '../../db/trunks/routing-table.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { isAddressOrCidr } from '../../domain/accounts/client-address.ts'
import { clientWith, readSettings, type SettingTexts } from '../../domain/accounts/service-changes.ts'
import { checkServiceState } from '../../domain/accounts/service-state.ts'
import { type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import { isTestNumber } from '../../domain/numbers/test-number.ts'
import { createPrefixGate } from '../../domain/protection/prefix-gate.ts'
import type { CallTable } from '../../domain/verifications/plan-call.ts'
import { type CheckedRule, checkedRules, settingsThatLift } from '../../domain/verifications/start-rules.ts'
import { Denial, type Refusal } from '../../process/errors.ts'
import { type TryStartDeps, tryStart } from './try-start.ts'

export type TestSettingsDeps = TryStartDeps

type Command = {
  readonly serviceId: ServiceId
  // Settings that are not saved.
  readonly texts: SettingTexts
  readonly phone: string
  // Empty: not tested.
  readonly address: string
  readonly mode: CallMode
}

export type TestedStart = {
  // What would be held; undefined if it is refused.
  readonly price: MicroAmount | undefined
  readonly refusal: Refusal | undefined
  readonly settings: readonly SettingName[]
  readonly rules: readonly CheckedRule[]
}

export async function testSettings(
  deps: TestSettingsDeps,
  command: Command,
): Promise<{ readonly saved: TestedStart; readonly drafted: TestedStart }> {
  const { serviceId, texts, address } = command
  if (address !== '' && (!isAddressOrCidr(address) || address.includes('/'))) throw new Denial('invalid', ['address'])
  const { values, mistakes } = readSettings(texts)
  if (mistakes.length > 0) throw new Denial('invalid', mistakes)
  const [known] = await readApiClients(deps.slots.databaseOf(slotOfService(serviceId)), [serviceId])
  if (!known?.apiClient) throw new Denial('not-found')
  // A new gate: the one of the API counts what it lets through.
  const table = await readCallRouting(deps.slots.globalDatabase, createPrefixGate(deps.timeScale))
  const saved = await testStart(deps, table, known.apiClient, command)
  if (values.size === 0) return { saved, drafted: saved }
  return { saved, drafted: await testStart(deps, table, clientWith(known.apiClient, values), command) }
}

async function testStart(
  deps: TestSettingsDeps,
  table: CallTable,
  apiClient: ApiClient,
  command: Command,
): Promise<TestedStart> {
  const { phone, mode, address } = command
  const client = address === '' ? { ...apiClient, addresses: [] } : apiClient
  const { plan, decision, refusal } = await tryStart(
    deps,
    table,
    apiClient,
    { phone, mode, code: undefined },
    { checks: () => checkServiceState(client, { address, isAlternative: false, scope: 'start' }) },
  )
  return {
    price: refusal ? undefined : plan?.request.price,
    refusal,
    settings: refusal ? settingsThatLift(refusal, decision) : [],
    rules: checkedRules({
      refusal,
      isTest: apiClient.isTest || isTestNumber(phone),
      isLocalNumber: plan === undefined || plan.request.numberHashes !== undefined,
      isAddressTested: address !== '' || apiClient.addresses.length === 0,
    }),
  }
}
