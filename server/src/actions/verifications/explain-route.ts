// Where a call would go and why, without a call: the plan is the one of a real start, and so is the database's decision. The number
// is neither stored nor logged nor returned.

import { verificationModes } from '@ringproof/contract/lists/calls.ts'
import type { CallMode } from '@ringproof/contract/methods.ts'
import { readApiClients } from '../../db/accounts/api-client.ts'
import { readCallRouting } from '../../db/trunks/routing-table.ts'
import { readSwitchOvers, type StoredSwitchOver } from '../../db/trunks/switch-over.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { checkServiceState } from '../../domain/accounts/service.ts'
import { type AccountId, type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import type { MicroAmount } from '../../domain/money/money.ts'
import { defaultTariff } from '../../domain/money/tariff.ts'
import { lookupNumber, type NumberInfo } from '../../domain/numbers/number-info.ts'
import { describeNumber, type NumberDescription } from '../../domain/numbers/number-plan.ts'
import { mask, type PhoneNumber, readPhoneNumber } from '../../domain/numbers/phone-number.ts'
import { isScenarioNumber, isTestNumber } from '../../domain/numbers/test-number.ts'
import { createPrefixGate } from '../../domain/protection/prefix-gate.ts'
import { type ComparedTrunk, compareTrunks } from '../../domain/trunks/compare-trunks.ts'
import { inFront, switchedTo } from '../../domain/trunks/switch-over.ts'
import { type CheckedRule, checkedRules } from '../../domain/verifications/start-rules.ts'
import { Denial, type Refusal } from '../../process/errors.ts'
import { type TryStartDeps, tryStart } from './try-start.ts'

type ExplainCommand = {
  readonly phone: string
  readonly mode: CallMode
  readonly code: string | undefined
  // Whose prices and limits hold. Undefined: the default tariff, and no limits.
  readonly serviceId: ServiceId | undefined
}

export type ExplainedRoute = {
  readonly isTest: boolean
  readonly number: NumberDescription
  readonly info: Pick<NumberInfo, 'provider' | 'currentProvider' | 'isPorted' | 'region'>
  readonly tariff: string
  // In which mode the call is placed: a rule of the service may replace flash.
  readonly mode: CallMode
  // In the order in which they are tried, then those that do not take part.
  readonly trunks: readonly (ComparedTrunk & { readonly callerMask: string })[]
  readonly chosen: string | undefined
  // Why the first trunk in order is not tried first, if so.
  readonly switchOver: StoredSwitchOver | undefined
  // Masked.
  readonly callerNumber: string | undefined
  readonly price: MicroAmount | undefined
  readonly refusal: Refusal | undefined
  readonly rules: readonly CheckedRule[]
}

export async function explainRoute(deps: TryStartDeps, command: ExplainCommand): Promise<ExplainedRoute> {
  const { phone, mode, code, serviceId } = command
  // A new gate: the one of the API counts what it lets through.
  const table = await readCallRouting(deps.slots.globalDatabase, createPrefixGate(deps.timeScale))
  const index = deps.numbers()
  const digits = readPhoneNumber(phone)
  const number = describeNumber(digits ?? '', index)
  const apiClient = serviceId === undefined ? anybody(number.country) : await readClient(deps, serviceId)
  const isKnown = serviceId !== undefined
  const { plan, refusal } = await tryStart(
    deps,
    table,
    apiClient,
    { phone, mode, code },
    {
      isKnown,
      checks: () =>
        checkServiceState({ ...apiClient, addresses: [] }, { address: '', isAlternative: false, scope: 'start' }),
    },
  )
  const isTest = isTestNumber(phone) || isScenarioNumber(phone)
  const placed = plan?.request.mode ?? mode
  const routes = new Map(
    plan?.routes.map(({ trunk, callerNumber }) => [trunk, mask(String(callerNumber) as PhoneNumber)]),
  )
  const info = lookupNumber(digits ?? '', number.country, index)
  const destination = { country: number.country ?? '', provider: info.currentProvider ?? '' }
  const inOrder = isTest
    ? []
    : compareTrunks(table, { country: destination.country, mode: placed, code: plan?.code ?? code })
  const tried = inOrder.filter(({ part }) => part === 'tried')
  // As most calls go.
  const switched = inFront(tried, switchedTo(table.switchOvers, destination, 0.999))
  const isSwitched = switched[0] !== tried[0]
  const trunks = [...switched, ...inOrder.slice(tried.length)]
  const chosen = refusal ? undefined : plan?.routes[0]
  return {
    isTest,
    number,
    info,
    tariff: apiClient.tariff,
    mode: placed,
    trunks: trunks.map((part) => ({ ...part, callerMask: routes.get(part.trunk) ?? '' })),
    chosen: chosen?.trunk,
    switchOver: isSwitched ? await findSwitchOver(deps, destination) : undefined,
    callerNumber: chosen && mask(String(chosen.callerNumber) as PhoneNumber),
    price: plan?.request.price,
    refusal,
    rules: checkedRules({
      refusal,
      isTest: apiClient.isTest || isTestNumber(phone),
      isLocalNumber: plan === undefined || plan.request.numberHashes !== undefined,
      isAddressTested: apiClient.addresses.length === 0,
    }).map((rule) =>
      isKnown || rule.state === 'refused' || !ofService.has(rule.rule) ? rule : { ...rule, state: 'not-tested' },
    ),
  }
}

async function findSwitchOver(
  { slots }: TryStartDeps,
  { country, provider }: { readonly country: string; readonly provider: string },
): Promise<StoredSwitchOver | undefined> {
  const { switchOvers } = await readSwitchOvers(slots.globalDatabase, 0)
  return switchOvers.find((one) => one.country === country && one.provider === provider)
}

// Rules that need a service or an account.
const ofService: ReadonlySet<CheckedRule['rule']> = new Set([
  'service',
  'address',
  'account',
  'country',
  'opt-out',
  'caps',
  'money',
  'number-limits',
])

async function readClient({ slots }: TryStartDeps, serviceId: ServiceId): Promise<ApiClient> {
  const [known] = await readApiClients(slots.databaseOf(slotOfService(serviceId)), [serviceId])
  if (!known?.apiClient) throw new Denial('not-found', ['serviceId'])
  return known.apiClient
}

// A customer with the default tariff, who may call this country and has no limits.
function anybody(country: string | undefined): ApiClient {
  return {
    serviceId: 0 as ServiceId,
    accountId: 0 as AccountId,
    state: 'on',
    isTest: false,
    accountBlocked: false,
    mustVerifyPhone: false,
    addresses: [],
    statusStyle: 'class',
    idAlias: '',
    repeats: false,
    plainHttp: false,
    requestsPerSecond: null,
    tariff: defaultTariff,
    geography: country === undefined ? [] : [country],
    modes: verificationModes,
    testNumbers: true,
    language: 'ru',
    calls10Minutes: 1,
    callsDay: 1,
    inboundSeconds: 120,
    hourMax: null,
    dayMax: null,
    spendMax: null,
    prefixHourMax: null,
    quietHours: '',
    timeZone: 'UTC',
    providerModes: [],
  }
}
