import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readPaymentSettings } from '../../db/money/payment.ts'

type Deps = { readonly slots: SlotMap; readonly callbackUrl: string }

export async function showPaymentSettings({ slots, callbackUrl }: Deps): Promise<WebOutput<'payment-settings'>> {
  const { pageLink, secretSealed, seller } = await readPaymentSettings(slots.globalDatabase)
  return { pageLink, callbackUrl, hasSecret: secretSealed !== null, seller }
}
