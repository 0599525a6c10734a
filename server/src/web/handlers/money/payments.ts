// How customers pay.

import { paymentCallbackPath } from '@ringproof/contract/payments.ts'
import { requestInvoice, setLegalDetails, setSeller } from '../../../actions/money/invoices.ts'
import { listOwnInvoices } from '../../../actions/money/papers-view.ts'
import { renewPaymentSecret, setPaymentPage, showPaymentSettings } from '../../../actions/money/payments.ts'
import type { Actor } from '../../../db/core/action-log.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, type HandlersOf, type Visit, visitorOf } from '../core/handlers.ts'

type Names =
  | 'payment-settings'
  | 'set-payment-page'
  | 'renew-payment-secret'
  | 'set-seller'
  | 'invoices'
  | 'set-legal-details'
  | 'request-invoice'

export function paymentHandlers(deps: WebDeps): HandlersOf<Names> {
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
    'set-legal-details': async (visit, details) => setLegalDetails(deps, personOf(visit), accountOf(visit), details),
    'request-invoice': async (visit, { amount }) => {
      const accountId = accountOf(visit)
      const number = await requestInvoice(deps, personOf(visit), { accountId, amount })
      deps.noteChange(accountId, 'money')
      return { number }
    },
  }
}

function personOf(visit: Visit): Actor {
  return { ...visit.actor, user: visitorOf(visit).user.email }
}
