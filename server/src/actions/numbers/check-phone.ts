// checkPhone: reads a text as a phone number and returns what is known about it. A text that is not a number costs nothing.

import type { Language } from '@ringproof/contract/lists/people.ts'
import { type PhoneFault, phoneFaults } from '@ringproof/contract/phone-faults.ts'
import type { ApiResponse } from '@ringproof/contract/responses.ts'
import { mapLockTimeout } from '../../db/core/map-lock-timeout.ts'
import type { ChargeLookup } from '../../db/numbers/lookup.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { toDecimal, zeroMoney } from '../../domain/money/money.ts'
import { type PriceList, priceOf } from '../../domain/money/tariff.ts'
import { countryName } from '../../domain/numbers/country.ts'
import { readFreeText } from '../../domain/numbers/free-text-number.ts'
import { lookupNumber, nationalFormat, partsOf } from '../../domain/numbers/number-info.ts'
import { describeNumber, type NumberDescription } from '../../domain/numbers/number-plan.ts'
import type { NumberingIndex } from '../../domain/numbers/numbering-index.ts'
import { isTestNumber } from '../../domain/numbers/test-number.ts'
import { Refusal, unavailable } from '../../process/errors.ts'

type Deps = {
  readonly charge: ChargeLookup
  readonly prices: () => PriceList
  readonly numbers: () => NumberingIndex
}

export type CheckCommand = { readonly phone: string; readonly language: Language }

export async function checkPhone(
  deps: Deps,
  apiClient: ApiClient,
  command: CheckCommand,
): Promise<ApiResponse<'checkPhone'>> {
  const { phone: source, language } = command
  // One index for the whole response, read before the first await: a later one may hold other data.
  const numbering = deps.numbers()
  const digits = readFreeText(source)
  const description = digits === undefined ? undefined : describeNumber(digits, numbering)
  if (digits === undefined || !description?.isValid || description.country === undefined) {
    const { balance } = await mapLockTimeout(deps.charge({ ...apiClient, price: zeroMoney }))
    return {
      source,
      error: phoneFaults[faultOf(description)][language],
      ...unknownNumber,
      cost: 0,
      balance: toDecimal(balance),
    }
  }
  const table = deps.prices()
  const item = { method: 'checkPhone', mode: '', country: description.country } as const
  const price = isTestNumber(digits) ? zeroMoney : priceOf(table.pricesOf(apiClient.tariff), item, table.readAt)
  if (price === undefined) throw unavailable('no_price')
  const fields = responseFields(digits, { ...description, country: description.country }, numbering, language)
  const { charged, balance } = await mapLockTimeout(deps.charge({ ...apiClient, price }))
  if (!charged) throw new Refusal('insufficientFunds')
  return { source, ...fields, cost: toDecimal(price), balance: toDecimal(balance) }
}

function faultOf(description: NumberDescription | undefined): PhoneFault {
  if (description === undefined) return 'noNumber'
  return description.isValid ? 'noCountry' : 'notGivenOut'
}

function responseFields(
  digits: string,
  { country, kind }: NumberDescription & { readonly country: string },
  numbering: NumberingIndex,
  language: Language,
) {
  const info = lookupNumber(digits, country, numbering)
  const { countryCode, national } = partsOf(digits)
  return {
    mobile: kind === 'mobile' ? (1 as const) : (0 as const),
    phone: Number(digits),
    country_iso: country,
    country_code: countryCode,
    mnc: info.mnc ?? 0,
    number: national,
    provider: info.currentProvider ?? '',
    company: info.organisation ?? '',
    country: countryName(country, language),
    region: info.region ?? '',
    city: info.city ?? '',
    phone_format: nationalFormat(digits),
  }
}

const unknownNumber = {
  mobile: 0,
  phone: 0,
  country_iso: '',
  country_code: 0,
  mnc: 0,
  number: 0,
  provider: '',
  company: '',
  country: '',
  region: '',
  city: '',
  phone_format: '',
} as const
