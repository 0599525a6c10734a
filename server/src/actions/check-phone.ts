// checkPhone: what a text means as a phone number, and what is known of it. Only an response costs money; a text that is no
// number is told so for nothing.

import type { Language } from '@ringproof/contract/errors.ts'
import { type PhoneFault, phoneFaults } from '@ringproof/contract/phone-faults.ts'
import type { ApiResponse } from '@ringproof/contract/responses.ts'
import type { ChargeLookup } from '../db/lookup.ts'
import type { RoutingTable } from '../db/routing-table.ts'
import type { ApiClient } from '../domain/api-client.ts'
import { countryName } from '../domain/country.ts'
import { readFreeText } from '../domain/free-text-number.ts'
import { toRoubles, zeroMoney } from '../domain/money.ts'
import type { NumberBook } from '../domain/number-book.ts'
import { nationalFormat, partsOf, pictureOf } from '../domain/number-picture.ts'
import { describeNumber, type NumberDescription } from '../domain/number-plan.ts'
import { priceOf } from '../domain/tariff.ts'
import { Refusal } from '../errors.ts'
import { unlessBusy } from './unless-busy.ts'

type Deps = {
  readonly charge: ChargeLookup
  readonly routing: () => RoutingTable
  readonly numbers: () => NumberBook
}

export type CheckCommand = { readonly phone: string; readonly language: Language }

export async function checkPhone(
  deps: Deps,
  apiClient: ApiClient,
  command: CheckCommand,
): Promise<ApiResponse<'checkPhone'>> {
  const { phone: source, language } = command
  // One book for the whole response, and everything is looked up before anything is waited for: a book is good for the
  // moment in which it was taken.
  const book = deps.numbers()
  const digits = readFreeText(source)
  const description = digits === undefined ? undefined : describeNumber(digits, book)
  if (digits === undefined || !description?.isValid || description.country === undefined) {
    const { balance } = await unlessBusy(deps.charge({ ...apiClient, price: zeroMoney }))
    return { source, error: phoneFaults[faultOf(description)][language], cost: 0, balance: toRoubles(balance) }
  }
  const table = deps.routing()
  const wanted = { method: 'checkPhone', mode: '', country: description.country } as const
  const price = priceOf(table.pricesOf(apiClient.tariff), wanted, table.readAt)
  if (price === undefined) throw new Refusal('unavailable', {}, 60)
  const known = described(digits, { ...description, country: description.country }, book, language)
  const { charged, balance } = await unlessBusy(deps.charge({ ...apiClient, price }))
  if (!charged) throw new Refusal('insufficientFunds')
  return { source, ...known, cost: toRoubles(price), balance: toRoubles(balance) }
}

function faultOf(description: NumberDescription | undefined): PhoneFault {
  if (description === undefined) return 'noNumber'
  return description.isValid ? 'noCountry' : 'notGivenOut'
}

function described(
  digits: string,
  { country, kind }: NumberDescription & { readonly country: string },
  book: NumberBook,
  language: Language,
) {
  const picture = pictureOf(digits, country, book)
  const { countryCode, national } = partsOf(digits)
  return {
    mobile: kind === 'mobile' ? (1 as const) : (0 as const),
    phone: Number(digits),
    country_iso: country,
    country_code: countryCode,
    ...(picture.mnc === undefined ? {} : { mnc: picture.mnc }),
    number: national,
    ...(picture.currentProvider === undefined ? {} : { provider: picture.currentProvider }),
    ...(picture.organisation === undefined ? {} : { company: picture.organisation }),
    country: countryName(country, language),
    ...(picture.region === undefined ? {} : { region: picture.region }),
    ...(picture.city === undefined ? {} : { city: picture.city }),
    phone_format: nationalFormat(digits),
  }
}
