// A stand-in for the operator's payment page: it reports payments, signed with the secret it was given.

import { Webhook } from 'standardwebhooks'
import { type Asked, ask } from './ask.ts'

// In the default currency unless it says another.
export type Payment = {
  readonly account: unknown
  readonly amount: unknown
  readonly currency?: unknown
  readonly payment: unknown
}

export type PaymentPage = {
  readonly report: (payment: Payment, forged?: Forged) => Promise<Asked>
}

// What a report of somebody else may differ in.
type Forged = {
  readonly secret?: string
  readonly at?: Date
  // Sent in place of what was signed.
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

let messages = 0

export function createPaymentPage(base: string, secret: string): PaymentPage {
  return {
    report: (payment, forged = {}) => {
      const body = JSON.stringify({ currency: 'RUB', ...payment })
      const id = `message-${messages++}`
      const at = forged.at ?? new Date()
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(forged.secret ?? secret).sign(id, at, body),
        'content-type': 'application/json',
        ...forged.headers,
      }
      return ask(`${base}/payments/v1/callback`, { method: 'POST', headers, body: forged.body ?? body })
    },
  }
}
