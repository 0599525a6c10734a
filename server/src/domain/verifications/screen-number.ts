// What every start of a verification asks about a number first: can it be called, may the service reach its country, and
// what does it cost.

import { Refusal } from '../../process/errors.ts'
import type { ApiClient } from '../accounts/api-client.ts'
import { type MicroAmount, zeroMoney } from '../money/money.ts'
import { type Price, type PriceList, priceOf } from '../money/tariff.ts'
import { describeNumber } from '../numbers/number-plan.ts'
import type { NumberingIndex } from '../numbers/numbering-index.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'
import { isScenarioNumber, isTestNumber } from '../numbers/test-number.ts'
import { faultOfNumber, uncallable } from '../numbers/uncallable.ts'

type ScreeningInput = {
  readonly apiClient: Pick<ApiClient, 'isTest' | 'testNumbers' | 'geography' | 'tariff'>
  readonly phone: PhoneNumber
  // Whether the number is a virtual phone of the account; looked up for test services only.
  readonly isOwnPhone: boolean
  readonly index: NumberingIndex
  readonly prices: PriceList
  readonly wanted: Pick<Price, 'method' | 'mode'>
}

export type ScreenedNumber = {
  readonly isTest: boolean
  readonly country: string
  // Undefined: the tariff does not sell it.
  readonly price: MicroAmount | undefined
}

export function screenNumber({ apiClient, phone, isOwnPhone, index, prices, wanted }: ScreeningInput): ScreenedNumber {
  const description = describeNumber(phone, index)
  const { country = '', isCallable } = description
  if (isTestNumber(phone)) {
    if (!apiClient.testNumbers) throw uncallable('testNumbersOff')
    return { isTest: true, country, price: zeroMoney }
  }
  if (isScenarioNumber(phone) && !apiClient.isTest) throw uncallable('scenarioNumber')
  if (apiClient.isTest) {
    if (!isScenarioNumber(phone) || !isOwnPhone) throw uncallable('testService')
    return { isTest: true, country: 'RU', price: zeroMoney }
  }
  if (!isCallable) throw uncallable(faultOfNumber(phone, description))
  if (!apiClient.geography.includes(country)) throw new Refusal('countryNotAllowed', { country })
  const price = priceOf(prices.pricesOf(apiClient.tariff), { ...wanted, country }, prices.readAt)
  return { isTest: false, country, price }
}
