import { minorDigits } from '@ringproof/contract/money-format.ts'
import { paymentLimits } from '@ringproof/contract/payments.ts'

// '5 000,5' → '5000.50', or '5000.500' in Kuwaiti dinars; undefined if it is no amount, or outside the limits.
export function parseAmount(typed: string, currency: string): string | undefined {
  const text = typed.replaceAll(/\s/g, '').replace(',', '.')
  const [, fraction = ''] = /^\d{1,9}(?:\.(\d+))?$/.exec(text) ?? [text, text]
  const digits = minorDigits(currency)
  const { least, most } = paymentLimits
  const isAmount = fraction.length <= digits && Number(text) >= least && Number(text) <= most
  return isAmount ? Number(text).toFixed(digits) : undefined
}
