// Checks the invariants over the four histories of a run. Pure, so that tests can pass made-up histories. The nine
// invariants have the numbers of the design; each returns a sentence for every violation.

import { callsEnd, comesBack } from './check-ends.ts'
import { ledgerBalances, nothingForNothing } from './check-money.ts'
import { limitsHold, oneKeyOneCall, tenantsAreApart, webhooksArrive } from './check-rights.ts'
import { logsAreSilent, numbersAreHidden } from './check-secrets.ts'
import type { Histories } from './histories.ts'

export const invariants = {
  '1 calls end, once and in time': callsEnd,
  '2 one key, one call, one charge': oneKeyOneCall,
  '3 ledger balance': ledgerBalances,
  '4 nothing for nothing': nothingForNothing,
  '5 no number in clear at rest': numbersAreHidden,
  '6 no code, key or number in a log': logsAreSilent,
  '7 webhooks arrive or are dead': webhooksArrive,
  '8 tenants are apart': tenantsAreApart,
  '9 limits of a number hold': limitsHold,
  'it comes back by itself': comesBack,
} as const satisfies Record<string, (histories: Histories) => readonly string[]>

export type Invariant = keyof typeof invariants
export type Violation = { readonly invariant: Invariant; readonly what: string }

export function violationsOf(histories: Histories): readonly Violation[] {
  return (Object.keys(invariants) as Invariant[]).flatMap((invariant) =>
    invariants[invariant](histories).map((what) => ({ invariant, what })),
  )
}
