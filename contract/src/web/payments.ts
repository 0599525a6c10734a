// How customers pay: what operators set.

import { Type } from 'typebox'
import { admins, everyOperator } from './access.ts'
import { guardedChange, object, read, text } from './endpoint.ts'

export const paymentEndpoints = {
  'payment-settings': read(
    everyOperator,
    object({
      // With {account} and {amount}; empty: there is no payment page.
      pageLink: Type.String(),
      // Where the payment page reports a payment.
      callbackUrl: Type.String(),
      hasSecret: Type.Boolean(),
    }),
  ),
  'set-payment-page': guardedChange(admins, object({ pageLink: text(0, 500) })),
  // Signs the reports of the payment page from now on; shown once.
  'renew-payment-secret': guardedChange(admins, object({}), object({ secret: Type.String() })),
}
