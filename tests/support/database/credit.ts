import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Session } from '../../../server/src/db/core/database.ts'
import { moveMoney } from '../../../server/src/db/money/ledger.ts'
import type { AccountId } from '../../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../../server/src/domain/money/money.ts'

// Money for an account, as an operator enters it.
export async function credit(session: Session, accountId: AccountId, amount: MicroAmount): Promise<void> {
  const actor = { address: 'test', userAgent: '', operator: 'test' }
  const payment = { accountId, move: 'credit', amount, reference: randomUUID(), reason: 'test' } as const
  const { outcome } = await moveMoney(session, actor, payment)
  assert.equal(outcome, 'recorded')
}
