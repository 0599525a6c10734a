// Customers, for operators.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import { blockAccount, setAccount } from '../../../actions/accounts/accounts.ts'
import { listCustomers } from '../../../actions/accounts/list-customers.ts'
import { setService } from '../../../actions/accounts/services.ts'
import { moveMoney } from '../../../actions/money/ledger.ts'
import { endView, viewCustomer } from '../../../actions/people/sessions.ts'
import { showCustomer } from '../../../actions/verifications/show-customer.ts'
import { type AccountId, isAccountId, isServiceId } from '../../../domain/core/slot.ts'
import { parseDecimal, toDecimal } from '../../../domain/money/money.ts'
import { parseText } from '../../../domain/values/text.ts'
import { Denial } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { type Handlers, operatorActor, visitorOf } from '../core/handlers.ts'

const pageRows = 30

export function customerHandlers(deps: WebDeps) {
  return {
    customers: async (_, { text, state, before }) =>
      listCustomers(deps, { text, state, before: before === undefined ? undefined : Number(before) }, pageRows),
    customer: async (_, { id }) => showCustomer(deps, Number(id)),
    'move-money': async (visit, input) => {
      const amount = parseDecimal(input.amount)
      if (amount === undefined || amount === 0) throw new Denial('invalid', ['amount'])
      const accountId = customerOf(input.accountId)
      const { move, reference } = input
      const command = { accountId, move, amount, reference: line(reference, 'reference'), reason: reasonOf(input) }
      const { balance, isRepeated } = await moveMoney(deps, operatorActor(visit), command)
      deps.noteChange(accountId, 'money', 'me')
      return { balance: toDecimal(balance), isRepeated }
    },
    'block-customer': async (visit, input) => {
      const accountId = customerOf(input.accountId)
      const command = { accountId, blocked: input.isBlocked, reason: reasonOf(input) }
      await blockAccount(deps, operatorActor(visit), command)
    },
    'set-customer-tariff': async (visit, { accountId: id, tariff }) => {
      const accountId = customerOf(id)
      await setAccount(deps, operatorActor(visit), { accountId, tariff, mustVerifyPhone: undefined })
      deps.noteChange(accountId, 'money')
    },
    'set-customer-caps': async (visit, { serviceId, caps, was }) => {
      if (!isServiceId(serviceId)) throw new Denial('not-found')
      await setService(deps, operatorActor(visit), { serviceId, texts: settingsOf(caps), was: settingsOf(was) })
    },
    'view-customer': async (visit, { accountId, ...input }) =>
      viewCustomer(deps, operatorActor(visit), visitorOf(visit), { accountId, reason: reasonOf(input) }),
    'end-view': async (visit) => endView(deps, operatorActor(visit), visitorOf(visit)),
  } satisfies Partial<Handlers>
}

// In the customer's log without the person: the audit log names them.
function customerOf(id: number): AccountId {
  if (!isAccountId(id)) throw new Denial('not-found')
  return id
}

function reasonOf({ reason }: { readonly reason: string }): string {
  return line(reason, 'reason')
}

function line(text: string, field: string): string {
  const parsed = parseText(text, 1, 200)
  if (parsed === undefined) throw new Denial('invalid', [field])
  return parsed
}

function settingsOf({ hourMax, dayMax, spendDayMax }: WebInput<'set-customer-caps'>['caps']) {
  return { 'verifications-hour-max': hourMax, 'verifications-day-max': dayMax, 'spend-day-max': spendDayMax }
}
