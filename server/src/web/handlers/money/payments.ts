// How customers pay.

import { paymentCallbackPath } from '@ringproof/contract/payments.ts'
import { requestInvoice, setLegalDetails, setSeller } from '../../../actions/money/invoices.ts'
import { listOwnInvoices } from '../../../actions/money/papers-view.ts'
import { renewPaymentSecret, setPaymentPage, showPaymentSettings } from '../../../actions/money/payments.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, actorOf, type Handlers, visitorOf } from '../core/handlers.ts'

export function paymentHandlers(deps: WebDeps) {
  const callbackUrl = `${deps.about.publicUrl}${paymentCallbackPath}`
  return {
    'payment-settings': async () => showPaymentSettings({ ...deps, callbackUrl }),
    'set-payment-page': async (visit, { pageLink }) =>
      setPaymentPage(deps, visit.actor, visitorOf(visit).user, pageLink),
    'renew-payment-secret': async (visit) => ({
      secret: await renewPaymentSecret(deps, visit.actor, visitorOf(visit).user),
    }),
    'set-seller': async (visit, { seller }) => setSeller(deps, visit.actor, visitorOf(visit).user, seller),

    invoices: async (visit) => listOwnInvoices(deps, accountOf(visit)),
    'set-legal-details': async (visit, details) => setLegalDetails(deps, actorOf(visit), accountOf(visit), details),
    'request-invoice': async (visit, { amount }) => {
      const accountId = accountOf(visit)
      const number = await requestInvoice(deps, actorOf(visit), { accountId, amount })
      deps.noteChange(accountId, 'money')
      return { number }
    },
  } satisfies Partial<Handlers>
}
