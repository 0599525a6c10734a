// Evaluates the currency of one database.

import { bad, type Finding, good } from './finding.ts'

export function evaluateCurrency(subject: string, stored: string, configured: string): Finding {
  if (stored === configured) return good('currency', subject, `Its amounts are in ${configured}, as configured.`)
  return bad('currency', subject, `Its amounts are in ${stored}, and RINGPROOF_CURRENCY is ${configured}.`, fix(stored))
}

export function otherCurrency(subject: string, stored: string, configured: string): string {
  return `The amounts in the database ${subject} are in ${stored}, and RINGPROOF_CURRENCY is ${configured}: ${fix(stored)}.`
}

function fix(stored: string): string {
  return `RINGPROOF_CURRENCY=${stored}, or, while there is no account, price or carrier cost, ringproof migrate`
}
