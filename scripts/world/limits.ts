// What may refuse a request: the cap of a range, money, and how often a person may be called. The product decides it in SQL
// (evaluate-number-limits.sql); these are the same rules with the same constants.

import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import { dayMs, hourMs } from '../../server/src/domain/values/time.ts'
import { callsPerDayOverAll, cooldownMs, shortWindowMs } from '../../server/src/domain/verifications/number-limits.ts'
import { callDeadlineMs } from '../../server/src/domain/verifications/verification.ts'
import { type CustomerName, customerNames, customers } from './cast.ts'

// As the defaults of a service and of the configuration say.
export const calls10Minutes = 4
export const callsDay = 10
const prefixHourMax = 200

type Decision = { readonly decision: string; readonly retryMs: number | null }

type Wanted = {
  readonly customer: CustomerName
  readonly phone: PhoneNumber
  readonly atMs: number
  readonly price: number
  readonly isInbound: boolean
}

type Numbered = { calls: { readonly atMs: number; readonly customer: CustomerName }[]; leaseUntilMs: number }

export function createLimits(balances: Readonly<Record<CustomerName, number>>) {
  const numbers = new Map<PhoneNumber, Numbered>()
  const ranges = new Map<string, number>()
  const available = { ...balances }
  return {
    available: (customer: CustomerName) => available[customer],
    pay: (customer: CustomerName, amount: number) => {
      available[customer] += amount
    },
    // Undefined: accepted, and held.
    decide: ({ customer, phone, atMs, price, isInbound }: Wanted): Decision | undefined => {
      const range = `${customer} ${phone.slice(0, -4)} ${Math.floor(atMs / hourMs)}`
      const used = ranges.get(range) ?? 0
      if (!isInbound && used >= (customers[customer].prefixHourMax ?? prefixHourMax)) {
        return { decision: 'cap-prefix', retryMs: hourMs - (atMs % hourMs) }
      }
      if (available[customer] < price) return { decision: 'no-money', retryMs: null }
      const number = numbers.get(phone) ?? { calls: [], leaseUntilMs: 0 }
      const limited = isInbound ? undefined : limitOf(number, customer, atMs)
      if (limited) return limited
      available[customer] -= price
      if (isInbound) return undefined
      ranges.set(range, used + 1)
      number.calls.push({ atMs, customer })
      number.leaseUntilMs = atMs + callDeadlineMs
      numbers.set(phone, number)
      return undefined
    },
    end: ({ customer, phone, price, isInbound }: Omit<Wanted, 'atMs'>, isSucceeded: boolean) => {
      if (!isSucceeded) available[customer] += price
      const number = isInbound ? undefined : numbers.get(phone)
      if (number) number.leaseUntilMs = 0
    },
    balances: () =>
      Object.fromEntries(customerNames.map((name) => [name, available[name]])) as Record<CustomerName, number>,
  }
}

function limitOf({ calls, leaseUntilMs }: Numbered, customer: CustomerName, atMs: number): Decision | undefined {
  const nextMs = (calls.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) + cooldownMs
  if (leaseUntilMs > atMs || nextMs > atMs) return { decision: 'too-soon', retryMs: Math.max(1_000, nextMs - atMs) }
  const recent = calls.filter((call) => atMs - call.atMs < dayMs)
  const own = recent.filter((call) => call.customer === customer)
  const ownLately = own.filter((call) => atMs - call.atMs < shortWindowMs)
  return (
    usedUp('used-up-all', recent, callsPerDayOverAll, dayMs, atMs) ??
    usedUp('used-up-10-minutes', ownLately, calls10Minutes, shortWindowMs, atMs) ??
    usedUp('used-up-day', own, callsDay, dayMs, atMs)
  )
}

// The call that reached the limit is the one to wait for.
function usedUp(
  decision: string,
  calls: Numbered['calls'],
  max: number,
  windowMs: number,
  atMs: number,
): Decision | undefined {
  const call = calls.at(-max)
  return calls.length >= max && call ? { decision, retryMs: call.atMs + windowMs - atMs } : undefined
}
