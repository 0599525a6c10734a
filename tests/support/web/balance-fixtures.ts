// Money for the tests of the pages.

import type { WebOutput } from '@ringproof/contract/web/api.ts'

export function balanceAnswers(nowMs: number) {
  return {
    balance: balance(nowMs),
    'ledger-lines': ledgerLines(nowMs),
    invoices: invoices(nowMs),
    'payment-settings': paymentSettings,
    'renew-payment-secret': { secret: 'whsec_bm90IGEgc2VjcmV0IG9mIGFueWJvZHkgYXQgYWxs' },
  }
}

export function noMovements(nowMs: number) {
  const none = { balance: 0, held: 0, daysLeft: null, opening: 0, closing: 0, lines: [] }
  return {
    balance: { ...balance(nowMs), ...none },
    invoices: { seller: 'Example Telecom', details: null, invoices: [] },
  }
}

function balance(nowMs: number): WebOutput<'balance'> {
  const month = new Date(nowMs).toISOString().slice(0, 7)
  return {
    balance: 3_118.2,
    held: 0.65,
    daysLeft: 2,
    month,
    opening: 1_651.8,
    closing: 3_118.2,
    lines: [
      { day: `${month}-01`, kind: 'charges', change: -452.4, balance: 1_199.4, entries: 1_131, reference: null },
      { day: `${month}-02`, kind: 'credit', change: 5_000, balance: 6_199.4, entries: 1, reference: 'invoice 118' },
      { day: `${month}-02`, kind: 'charges', change: -1_702.4, balance: 4_497, entries: 4_231, reference: null },
      { day: `${month}-03`, kind: 'charges', change: -1_378.8, balance: 3_118.2, entries: 3_447, reference: null },
    ],
    pageLink: 'https://pay.example.org/start?account=512&amount={amount}',
    hasInvoices: true,
    tariff: 'Universal',
    prices: [
      { country: 'RU', kind: 'flash', price: 0.405 },
      { country: 'RU', kind: 'voice', price: 1.2 },
      { country: 'RU', kind: 'mix', price: 1.5 },
      { country: 'KZ', kind: 'flash', price: 0.6 },
      { country: 'KZ', kind: 'voice', price: 1.6 },
      { country: '', kind: 'inbound', price: 0.3 },
      { country: '', kind: 'checkPhone', price: 0.05 },
    ],
  }
}

const paymentSettings: WebOutput<'payment-settings'> = {
  pageLink: 'https://pay.example.org/start?account={account}&amount={amount}',
  callbackUrl: 'https://ring.example.org/payments/v1/callback',
  hasSecret: true,
  seller: {
    name: 'Example Telecom LLC',
    taxNumber: '0000000000',
    reasonCode: '000000000',
    address: '2 Example Street, Exampleton',
    bank: 'Example Bank',
    bankCode: '000000000',
    bankAccount: '00000000000000000000',
    correspondentAccount: '00000000000000000000',
    signatory: 'A. Example',
    vatNote: 'VAT is not charged.',
  },
}

function invoices(nowMs: number): WebOutput<'invoices'> {
  const dayOfMonth = (day: string) => Date.parse(`${new Date(nowMs).toISOString().slice(0, 7)}-${day}T09:00Z`)
  return {
    seller: 'Example Telecom',
    details: {
      name: 'Example Shop LLC',
      taxNumber: '0000000000',
      reasonCode: '000000000',
      address: '1 Example Street, Exampleton',
    },
    invoices: [
      { number: 131, amount: 10_000, at: nowMs - 3_600_000, paidAt: null },
      { number: 118, amount: 5_000, at: dayOfMonth('01'), paidAt: dayOfMonth('02') },
    ],
  }
}

function ledgerLines(nowMs: number): WebOutput<'ledger-lines'> {
  return {
    lines: Array.from({ length: 6 }, (_, index) => ({
      id: 233_715_489_767_435 - index,
      at: nowMs - index * 47_000,
      move: index === 4 ? ('charge' as const) : ('capture' as const),
      change: index === 4 ? -0.05 : -0.4,
      reference: null,
    })),
    nextBefore: 233_715_489_767_430,
  }
}
