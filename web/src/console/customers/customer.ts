import type { WebOutput } from '@ringproof/contract/web/api.ts'

export type ShownCustomer = WebOutput<'customer'>

// '5 000,5' → '5000.5'; undefined if it is no amount.
export function parseAmount(typed: string): string | undefined {
  const text = typed.replaceAll(/\s/g, '').replace(',', '.')
  return /^\d{1,10}(\.\d{1,4})?$/.test(text) && Number(text) > 0 ? text : undefined
}

// '' → none; undefined if it is no cap.
export function parseCap(typed: string, hasDecimals: boolean): string | undefined {
  const text = typed.replaceAll(/\s/g, '').replace(',', '.')
  if (text === '') return 'none'
  return (hasDecimals ? /^\d{1,9}(\.\d{1,4})?$/ : /^\d{1,9}$/).test(text) ? text : undefined
}
