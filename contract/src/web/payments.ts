// How customers pay: what operators set, and invoices.

import { type Static, Type } from 'typebox'
import { admins, consoleReaders, payers } from './access.ts'
import { change, guardedChange, id, money, object, optionalTime, read, text, time } from './endpoint.ts'

const party = {
  name: text(1, 200),
  // INN in Russia, BIN in Kazakhstan.
  taxNumber: Type.String({ pattern: '^\\d{10}(\\d{2})?$' }),
  // KPP; sole traders have none.
  reasonCode: Type.String({ pattern: '^(\\d{9})?$' }),
  address: text(1, 300),
}

const legalDetails = object(party)
export type LegalDetails = Static<typeof legalDetails>

const seller = object({
  ...party,
  bank: text(0, 200),
  bankCode: text(0, 20),
  bankAccount: text(0, 40),
  correspondentAccount: text(0, 40),
  signatory: text(0, 120),
  // Such as: VAT is not charged.
  vatNote: text(0, 120),
})
export type Seller = Static<typeof seller>

export const paymentEndpoints = {
  'payment-settings': read(
    consoleReaders,
    object({
      // With {account} and {amount}; empty: there is no payment page.
      pageLink: Type.String(),
      // Where the payment page reports a payment.
      callbackUrl: Type.String(),
      hasSecret: Type.Boolean(),
      // Who sends invoices; null: nobody does.
      seller: Type.Union([seller, Type.Null()]),
    }),
  ),
  'set-payment-page': guardedChange(admins, object({ pageLink: text(0, 500) })),
  // Signs the reports of the payment page from now on; shown once.
  'renew-payment-secret': guardedChange(admins, object({}), object({ secret: Type.String() })),
  'set-seller': guardedChange(admins, object({ seller: Type.Union([seller, Type.Null()]) })),

  invoices: read(
    payers,
    object({
      // The name of the operator's company; empty: there are no invoices.
      seller: Type.String(),
      details: Type.Union([legalDetails, Type.Null()]),
      // Newest first.
      invoices: Type.Array(object({ number: id, amount: money, at: time, paidAt: optionalTime })),
    }),
  ),
  'set-legal-details': change(payers, legalDetails),
  'request-invoice': change(
    payers,
    object({ amount: Type.String({ pattern: '^\\d{1,7}(\\.\\d{1,2})?$' }) }),
    object({ number: id }),
  ),
}
