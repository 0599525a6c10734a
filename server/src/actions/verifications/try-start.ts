// Plans a call start as the API does and asks the database whether it would accept it. Nothing is dispatched, charged or counted.
// Left out is what does not belong to the service: the key, the rate of the address, and the load of the installation.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { SettingName } from '@ringproof/contract/web/setting-names.ts'
import { readApiClients } from '../../db/accounts/api-client.ts'
import { mapLockTimeout } from '../../db/core/map-lock-timeout.ts'
import { type SlotMap, sharesDatabase } from '../../db/core/slot-map.ts'
import { isOwnPhone } from '../../db/phones/virtual-phone.ts'
import { readCallRouting } from '../../db/trunks/routing-table.ts'
import { tryCall } from '../../db/verifications/try-call.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { isAddressOrCidr } from '../../domain/accounts/client-address.ts'
import { checkServiceState } from '../../domain/accounts/service.ts'
import { clientWith, readSettings, type SettingTexts } from '../../domain/accounts/service-changes.ts'
import { type ServiceId, slotOfAccount, slotOfService } from '../../domain/core/slot.ts'
import { randomFraction } from '../../domain/crypto/random-fraction.ts'
import { nonceBytes } from '../../domain/crypto/sealing.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import type { NumberingIndex } from '../../domain/numbers/numbering-index.ts'
import { readPhoneNumber } from '../../domain/numbers/phone-number.ts'
import { isTestNumber } from '../../domain/numbers/test-number.ts'
import { misspellingOf, uncallable } from '../../domain/numbers/uncallable.ts'
import { createPrefixGate } from '../../domain/protection/prefix-gate.ts'
import type { StartCommand } from '../../domain/verifications/call-request.ts'
import { type CallPlan, type CallTable, type PlanKeys, planCall } from '../../domain/verifications/plan-call.ts'
import { refuseDecision } from '../../domain/verifications/refuse-decision.ts'
import { type CheckedRule, checkedRules, settingsThatLift } from '../../domain/verifications/start-rules.ts'
import { Denial, Refusal } from '../../process/errors.ts'

export type TryStartDeps = {
  readonly slots: SlotMap
  readonly keys: PlanKeys
  readonly numbers: () => NumberingIndex
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly prefixHourMax: number | undefined
  readonly timeScale: number
}

type Command = Pick<StartCommand, 'mode' | 'code'> & { readonly phone: string }

type TriedStart = {
  // Undefined if the plan refused it.
  readonly plan: CallPlan | undefined
  // What the database decided, if it was asked.
  readonly decision: string | undefined
  readonly refusal: Refusal | undefined
}

// `checks` are refusals before the plan. Without an account of the database nothing is asked there.
export async function tryStart(
  deps: TryStartDeps,
  table: CallTable,
  apiClient: ApiClient,
  command: Command,
  { checks = () => undefined, isKnown = true }: { readonly checks?: () => void; readonly isKnown?: boolean } = {},
): Promise<TriedStart> {
  let plan: CallPlan | undefined
  let decision: string | undefined
  try {
    checks()
    plan = await planStart(deps, table, apiClient, command)
    if (!isKnown) return { plan, decision, refusal: undefined }
    const decided = await mapLockTimeout(tryCall(deps, plan.request, plan.number))
    decision = decided.decision
    if (decision !== 'accepted') throw refuseDecision(decided, apiClient)
    return { plan, decision, refusal: undefined }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { plan, decision, refusal: error }
  }
}

async function planStart(
  deps: TryStartDeps,
  table: CallTable,
  apiClient: ApiClient,
  { phone: text, mode, code }: Command,
): Promise<CallPlan> {
  const { slots, randomBytes } = deps
  const phone = readPhoneNumber(text)
  if (phone === undefined) throw uncallable(misspellingOf(text))
  return planCall({
    apiClient,
    command: { phone, code, client: '', unique: undefined, mode },
    isOwnPhone: await isOwnPhone(slots.globalDatabase, apiClient, phone),
    table,
    index: deps.numbers(),
    keys: deps.keys,
    random: {
      code: randomFraction(randomBytes),
      route: randomFraction(randomBytes),
      // As most calls go.
      probe: 0.999,
      nonce: randomBytes(nonceBytes),
    },
    prefixHourMax: deps.prefixHourMax,
    isLocalShard: (slot) => sharesDatabase(slots, slot, slotOfAccount(apiClient.accountId)),
    // How full the queue is belongs to the moment.
    queueFaultOf: () => undefined,
    openOrdersOf: () => 0,
  })
}

// Whether a call start would be accepted: with the saved settings of a service, and with changed ones that are not saved. The rules
// are those of a real start, in the same order. Nothing is dispatched, charged or counted. Left out is what does not belong to the
// service: the key, the rate of the address, and the load of the installation.

type TestSettingsDeps = TryStartDeps

type TestSettingsCommand = {
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
  command: TestSettingsCommand,
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
  command: TestSettingsCommand,
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
