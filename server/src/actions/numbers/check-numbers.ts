// Checks a list of numbers for a person in the dashboard: each by checkPhone, so with the fields, the price and the rules of the
// API. All charges of a request are made at once. Each number has an idempotency key in its submission, so a request whose
// response was lost, or a number that comes twice in another spelling, is charged once.

import type { ApiResponse } from '@ringproof/contract/responses.ts'
import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { listMax } from '@ringproof/contract/web/number-limits.ts'
import { readAccount } from '../../db/accounts/account.ts'
import { readApiClients } from '../../db/accounts/api-client.ts'
import type { Session } from '../../db/core/database.ts'
import { unlessSilent } from '../../db/core/map-lock-timeout.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type PriceTable, readPriceTable } from '../../db/money/tariff.ts'
import { type ChargedLookup, type ChargeLookup, chargeLookupsOnce, type KeyedLookup } from '../../db/numbers/lookup.ts'
import { countTry } from '../../db/people/sign-in-failure.ts'
import { type ApiClient, spendingObstacle } from '../../domain/accounts/api-client.ts'
import { type AccountId, type ServiceId, slotOfAccount } from '../../domain/core/slot.ts'
import { lookupDigests } from '../../domain/crypto/keyed-digest.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { addMoney, type MicroAmount, toDecimal, zeroMoney } from '../../domain/money/money.ts'
import { type ListedNumber, readNumberList } from '../../domain/numbers/free-text-number.ts'
import type { NumberingIndex } from '../../domain/numbers/numbering-index.ts'
import { mask } from '../../domain/numbers/phone-number.ts'
import { digestToken } from '../../domain/people/one-time-token.ts'
import { daySeconds } from '../../domain/values/time.ts'
import { Denial, Refusal } from '../../process/errors.ts'
import { checkPhone } from './check-phone.ts'

export type NumberCheckDeps = {
  readonly slots: SlotMap
  readonly keys: { readonly phoneTenant: KeyRing }
  readonly numbers: () => NumberingIndex
  readonly registryAtMs: () => number | undefined
  readonly noteLookupCharged: (price: MicroAmount) => void
}

type Command = Omit<WebInput<'check-numbers'>, 'serviceId'> & { readonly serviceId: ServiceId }

type Output = WebOutput<'check-numbers'>

type Row = Output['rows'][number]

export async function checkNumbers(deps: NumberCheckDeps, accountId: AccountId, command: Command): Promise<Output> {
  const { serviceId, submission, language, numbers } = command
  const database = deps.slots.databaseOf(slotOfAccount(accountId))
  const { apiClient, prices } = await readPayer(deps.slots, accountId, serviceId)
  if (spendingObstacle(apiClient) !== undefined) throw new Denial('unavailable')
  const batch = createChargeBatch(database)
  const listed = readNumberList(numbers)
  const checks = listed.map(async (number, place): Promise<readonly Row[]> => {
    if (number.isDuplicate) return []
    const digests =
      number.number === undefined ? [] : lookupDigests(deps.keys.phoneTenant, serviceId, submission, number.number)
    const checkDeps = { charge: batch.chargeOf(digests), prices, numbers: deps.numbers }
    const check = checkPhone(checkDeps, apiClient, { phone: number.text, language })
    return [rowOf(place, number, await stateOf(check))]
  })
  // Every check has asked for its charge by now. A failure reaches each of them.
  const [charged, ...rows] = await Promise.all([batch.run(), ...checks])
  for (const price of charged) deps.noteLookupCharged(price)
  const account = await readAccount(database, accountId)
  return {
    rows: rows.flat(),
    charged: toDecimal(addMoney(zeroMoney, ...charged)),
    balance: toDecimal(account?.balance ?? zeroMoney),
    registryAt: deps.registryAtMs() ?? null,
  }
}

// The service that pays, and its prices, which a process that routes no calls does not have in memory.
async function readPayer(
  slots: SlotMap,
  accountId: AccountId,
  serviceId: ServiceId,
): Promise<{ readonly apiClient: ApiClient; readonly prices: () => PriceTable }> {
  const [[known], table] = await Promise.all([
    readApiClients(slots.databaseOf(slotOfAccount(accountId)), [serviceId]),
    readPriceTable(slots.globalDatabase),
  ])
  if (known?.apiClient?.accountId !== accountId) throw new Denial('not-found')
  return { apiClient: known.apiClient, prices: () => table }
}

// Collects what the checks ask for until it is run.
function createChargeBatch(session: Session) {
  const lookups: KeyedLookup[] = []
  const results = Promise.withResolvers<readonly ChargedLookup[]>()
  // Each check that waits for it handles its failure.
  results.promise.catch(() => undefined)
  return {
    chargeOf:
      (keyDigests: readonly Buffer[]): ChargeLookup =>
      async (lookup) => {
        const place = lookups.push({ ...lookup, keyDigests }) - 1
        const result = (await results.promise)[place]
        if (!result) throw new RangeError('a lookup was not charged')
        return result
      },
    run: async () => {
      try {
        // The keys make it safe to ask again, even if only the response was lost.
        const charged = await unlessSilent(chargeLookupsOnce(session, lookups))
        results.resolve(charged)
        const paid = lookups.filter((_, place) => charged[place]?.charged === true && !charged[place].isRepeated)
        return paid.map(({ price }) => price)
      } catch (error) {
        results.reject(error)
        throw error
      }
    },
  }
}

type State =
  | { readonly state: 'unpaid' | 'unsold' }
  | { readonly state: 'checked'; readonly info: ApiResponse<'checkPhone'> }

async function stateOf(check: Promise<ApiResponse<'checkPhone'>>): Promise<State> {
  try {
    return { state: 'checked', info: await check }
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'insufficientFunds') return { state: 'unpaid' }
    if (error instanceof Refusal && error.unavailableCause === 'no_price') return { state: 'unsold' }
    throw error
  }
}

// Without any field that contains the number.
function rowOf(place: number, { number }: ListedNumber, checked: State): Row {
  const shown = { ...nothing, place, mask: number === undefined ? '' : mask(number) }
  if (checked.state !== 'checked') return { ...shown, state: checked.state }
  const { info } = checked
  if (info.error !== undefined) return { ...shown, state: 'invalid', error: info.error }
  return {
    ...shown,
    state: 'checked',
    isMobile: info.mobile === 1,
    country: info.country,
    provider: info.provider,
    organisation: info.company,
    region: info.region,
    city: info.city,
    networkCode: info.mnc,
  }
}

const nothing = {
  error: '',
  isMobile: false,
  country: '',
  provider: '',
  organisation: '',
  region: '',
  city: '',
  networkCode: 0,
}

// Says what a number check would cost: the checks run, with a charge that is only noted. Of what they find only sums are returned, and
// of these an account has so many a day: a list of one number would say for nothing whether it exists.

// Ten lists of the largest size; a small list counts as one of twenty.
const numbersDayMax = 10 * listMax

const countedMin = 20

type PreviewNumberCheckCommand = { readonly serviceId: ServiceId; readonly numbers: readonly string[] }

export async function previewNumberCheck(
  deps: NumberCheckDeps,
  accountId: AccountId,
  { serviceId, numbers }: PreviewNumberCheckCommand,
): Promise<WebOutput<'preview-number-check'>> {
  const { apiClient, prices } = await readPayer(deps.slots, accountId, serviceId)
  const digest = digestToken(`number preview ${accountId}`)
  const counted = Math.max(numbers.length, countedMin)
  if ((await countTry(deps.slots.globalDatabase, digest, daySeconds, counted)) > numbersDayMax)
    throw new Denial('throttled', [], daySeconds)
  const account = await readAccount(deps.slots.databaseOf(slotOfAccount(accountId)), accountId)
  const noted: MicroAmount[] = []
  const charge = async ({ price }: { readonly price: MicroAmount }) => {
    noted.push(price)
    return { charged: true, balance: zeroMoney }
  }
  const listed = readNumberList(numbers)
  const unique = listed.filter(({ isDuplicate }) => !isDuplicate)
  const found = await Promise.all(
    unique.map(({ text: phone }) =>
      stateOf(checkPhone({ charge, prices, numbers: deps.numbers }, apiClient, { phone, language: 'en' })),
    ),
  )
  const unsold = found.filter(({ state }) => state === 'unsold').length
  const invalid = found.filter((one) => one.state === 'checked' && one.info.error !== undefined).length
  return {
    valid: found.length - unsold - invalid,
    invalid,
    unsold,
    duplicates: listed.flatMap(({ isDuplicate }, place) => (isDuplicate ? [place] : [])),
    cost: toDecimal(addMoney(zeroMoney, ...noted)),
    balance: toDecimal(account?.balance ?? zeroMoney),
    obstacle: spendingObstacle(apiClient) ?? null,
    registryAt: deps.registryAtMs() ?? null,
  }
}
