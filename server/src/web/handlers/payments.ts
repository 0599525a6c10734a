// How customers pay.

import { paymentCallbackPath } from '@ringproof/contract/payments.ts'
import { renewPaymentSecret } from '../../actions/renew-payment-secret.ts'
import { setPaymentPage } from '../../actions/set-payment-page.ts'
import { showPaymentSettings } from '../../actions/show-payment-settings.ts'
import type { WebDeps } from './deps.ts'
import { type HandlersOf, visitorOf } from './handlers.ts'

type Names = 'payment-settings' | 'set-payment-page' | 'renew-payment-secret'

export function paymentHandlers(deps: WebDeps): HandlersOf<Names> {
  const callbackUrl = `${deps.about.publicUrl}${paymentCallbackPath}`
  return {
    'payment-settings': async () => showPaymentSettings({ ...deps, callbackUrl }),
    'set-payment-page': async (visit, { pageLink }) =>
      setPaymentPage(deps, visit.actor, visitorOf(visit).user, pageLink),
    'renew-payment-secret': async (visit) => ({
      secret: await renewPaymentSecret(deps, visit.actor, visitorOf(visit).user),
    }),
  }
}
