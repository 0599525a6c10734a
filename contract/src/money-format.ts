// How amounts are written: symbol, decimals and placement as Intl has them for the currency and the language. Pages, letters, papers and
// commands write amounts with these functions only.

export const locales = { en: 'en-GB', ru: 'ru-RU' } as const

type Display = 'narrowSymbol' | 'code'

export function createMoneyFormat(
  language: keyof typeof locales,
  currency: string,
  currencyDisplay: Display = 'narrowSymbol',
) {
  const create = (options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locales[language], { style: 'currency', currency, currencyDisplay, ...options })
  const money = create({})
  const price = create({ maximumFractionDigits: 4 })
  const cap = create({ maximumFractionDigits: 4, trailingZeroDisplay: 'stripIfInteger' })
  return {
    // A sum, with the decimals of the currency.
    money: (amount: number) => money.format(amount),
    // A price may be a part of the smallest coin.
    price: (amount: number) => price.format(amount),
    // A cap is a whole number as a rule.
    cap: (amount: number) => cap.format(amount),
    // Beside a field in which a plain number is typed.
    symbol: money.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency,
  }
}

// The decimals of a payment: 2 in most currencies, 0 in yen, 3 in Kuwaiti dinars.
export function minorDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
