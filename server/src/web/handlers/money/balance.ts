// Money of an account.

import { listOwnLedger, showOwnBalance } from '../../../actions/money/balance-view.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, type Handlers } from '../core/handlers.ts'

export function balanceHandlers(deps: WebDeps) {
  return {
    balance: async (visit, { month }) => showOwnBalance(deps, accountOf(visit), month),
    'ledger-lines': async (visit, { day, before }) =>
      listOwnLedger(deps, accountOf(visit), { day, before: before === undefined ? undefined : Number(before) }),
  } satisfies Partial<Handlers>
}
