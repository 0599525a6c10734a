// Everything that is stored about an account, for its owner, except verifications, which have their own file. No key, no secret and no
// phone number is in it.

import { type Account, readAccount } from '../../db/accounts/account.ts'
import { listApiKeys } from '../../db/accounts/api-key.ts'
import { listServices, type Service } from '../../db/accounts/service.ts'
import { readActions } from '../../db/core/action-log.ts'
import type { Session } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { dashboardKeyName } from '../../domain/accounts/api-key.ts'
import { type AccountId, slotOfAccount } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { toDecimal } from '../../domain/money/money.ts'
import type { Statement } from '../../domain/money/statement.ts'
import { Denial } from '../../process/errors.ts'
import { listOwnInvoices, showStatement } from '../money/papers-view.ts'
import { listMembers } from '../people/members.ts'

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing; readonly currency: string }

const actionsMax = 10_000
// No account is older.
const firstDay = '2026-01-01'

export async function exportAccount(deps: Deps, accountId: AccountId): Promise<Readonly<Record<string, unknown>>> {
  const database = deps.slots.databaseOf(slotOfAccount(accountId))
  const [account, services, statement, { invoices, details }, { members }, actions] = await Promise.all([
    readAccount(database, accountId),
    listServices(database, accountId),
    showStatement(deps, { accountId, firstDay, lastDay: undefined }),
    listOwnInvoices(deps, accountId),
    listMembers(deps, accountId),
    readActions(deps.slots, accountId, actionsMax),
  ])
  if (!account) throw new Denial('not-found')
  return {
    account: { ...accountOf(account), currency: deps.currency },
    legal_details: details,
    members: members.map(({ email, name, role, since }) => ({ email, name, role, since: new Date(since) })),
    services: await Promise.all(services.map((service) => serviceOf(database, service))),
    statement: statementOf(statement),
    invoices: invoices.map(({ number, amount, at, paidAt }) => ({
      number,
      amount,
      created: new Date(at),
      paid: paidAt === null ? null : new Date(paidAt),
    })),
    log: actions.map(({ action, who, address, userAgent, createdAt }) => ({
      action,
      who,
      address,
      user_agent: userAgent,
      created: createdAt,
    })),
  }
}

function accountOf({ id, name, email, timeZone, tariff, balance, held, createdAt, closedAt }: Account) {
  return {
    id,
    name,
    email,
    time_zone: timeZone,
    tariff,
    balance: toDecimal(balance),
    held: toDecimal(held),
    created: createdAt,
    closed: closedAt,
  }
}

async function serviceOf(database: Session, { id, isTest, settings, createdAt, lastRequestAt }: Service) {
  const keys = await listApiKeys(database, id)
  return {
    id,
    test: isTest,
    created: createdAt,
    last_request: lastRequestAt,
    settings,
    keys: keys
      .filter(({ name }) => name !== dashboardKeyName)
      .map(({ name, scopes, createdAt: made, lastUsedAt, validUntil }) => ({
        name,
        scopes,
        created: made,
        last_used: lastUsedAt,
        valid_until: validUntil,
      })),
  }
}

function statementOf({ opening, lines, closing }: Statement) {
  return {
    opening: toDecimal(opening),
    lines: lines.map(({ day, kind, change, balance, entries, reference }) => ({
      day,
      kind,
      change: toDecimal(change),
      balance: toDecimal(balance),
      entries,
      reference,
    })),
    closing: toDecimal(closing),
  }
}
