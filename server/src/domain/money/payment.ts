// A payment that the operator's payment page reports, and the link that leads a customer there.

import { minorDigits } from '@ringproof/contract/money-format.ts'
import { paymentLimits } from '@ringproof/contract/payments.ts'
import { type AccountId, isAccountId } from '../core/slot.ts'
import { type MicroAmount, parseDecimal } from './money.ts'

export type ReportedPayment = {
  readonly accountId: AccountId
  readonly amount: MicroAmount
  // The page's own ID of the payment.
  readonly reference: string
}

export type PaymentField = 'account' | 'amount' | 'currency' | 'payment'

// What the page sent, or the first field that is wrong. Undefined: it is not a JSON object.
export function parsePayment(body: string, currency: string): ReportedPayment | PaymentField | undefined {
  const fields = parseObject(body)
  if (!fields) return undefined
  const { account, amount, currency: paidIn, payment } = fields
  if (typeof account !== 'number' || !isAccountId(account)) return 'account'
  // A text: a JSON number may have gone through floating point on its way.
  const paid = typeof amount === 'string' ? parsePaymentAmount(amount, currency) : undefined
  if (paid === undefined) return 'amount'
  if (paidIn !== currency) return 'currency'
  if (typeof payment !== 'string' || !isPaymentReference(payment)) return 'payment'
  return { accountId: account, amount: paid, reference: payment }
}

// Whole minor units, within the limits.
export function parsePaymentAmount(text: string, currency: string): MicroAmount | undefined {
  const [, fraction = ''] = text.split('.')
  const amount = fraction.length <= minorDigits(currency) ? parseDecimal(text) : undefined
  const { least, most } = paymentLimits
  return amount !== undefined && amount >= least * 1_000_000 && amount <= most * 1_000_000 ? amount : undefined
}

function isPaymentReference(text: string): boolean {
  return /^\P{Cc}{1,100}$/u.test(text)
}

// {amount} stays: the page of the dashboard puts it in.
export function linkOfAccount(template: string, accountId: AccountId): string {
  return template.replaceAll('{account}', String(accountId))
}

// Empty: there is no payment page. Otherwise it must say for whom and how much, and it must not be a script.
export function isPageLink(template: string): boolean {
  if (template === '') return true
  if (template.length > linkCharsMax || /[\s<>"]/.test(template)) return false
  if (!template.includes('{account}') || !template.includes('{amount}')) return false
  const filled = template.replaceAll('{account}', '64').replaceAll('{amount}', '100')
  if (/[{}]/.test(filled) || !URL.canParse(filled)) return false
  const { protocol, username, password } = new URL(filled)
  // Placeholders in the host would let the account choose where its money goes.
  const isHostFixed = /^https?:\/\/[^/?#{}]+[/?]/.test(template)
  return /^https?:$/.test(protocol) && username === '' && password === '' && isHostFixed
}

const linkCharsMax = 500

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
