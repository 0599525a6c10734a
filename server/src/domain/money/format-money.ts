// An amount as people read it.

import type { Language } from '@ringproof/contract/lists/people.ts'
import { createMoneyFormat } from '@ringproof/contract/money-format.ts'
import { type MicroAmount, toDecimal } from './money.ts'

// In letters and on papers.
export function formatMoney(amount: MicroAmount, currency: string, language: Language): string {
  return createMoneyFormat(language, currency).money(toDecimal(amount))
}

// By the command line: exactly, and with the code of the currency, which every terminal shows and grep finds.
export function createCliMoney(currency: string): (amount: MicroAmount) => string {
  const { price } = createMoneyFormat('en', currency, 'code')
  return (amount) => price(toDecimal(amount)).replace('\u00a0', ' ')
}
