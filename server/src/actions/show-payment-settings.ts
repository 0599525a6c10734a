import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readPaymentSettings } from '../db/payment.ts'
import type { SlotMap } from '../db/slot-map.ts'

type Deps = { readonly slots: SlotMap; readonly callbackUrl: string }

export async function showPaymentSettings({ slots, callbackUrl }: Deps): Promise<WebOutput<'payment-settings'>> {
  const { pageLink, secretSealed, seller } = await readPaymentSettings(slots.globalDatabase)
  return { pageLink, callbackUrl, hasSecret: secretSealed !== null, seller }
}
