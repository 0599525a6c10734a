import { paymentLimits } from '@ringproof/contract/payments.ts'

// '5 000,5' → '5000.50'; undefined if it is no amount, or outside the limits.
export function parseAmount(typed: string): string | undefined {
  const text = typed.replaceAll(/\s/g, '').replace(',', '.')
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(text)) return undefined
  const { least, most } = paymentLimits
  return Number(text) >= least && Number(text) <= most ? Number(text).toFixed(2) : undefined
}
