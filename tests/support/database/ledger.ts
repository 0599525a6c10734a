import assert from 'node:assert/strict'
import { auditLedger } from '../../../server/src/actions/money/ledger.ts'
import type { SlotMap } from '../../../server/src/db/core/slot-map.ts'
import { type AccountId, slotOfAccount } from '../../../server/src/domain/core/slot.ts'

export async function balanceOf(slots: SlotMap, accountId: AccountId): Promise<number> {
  const { rows } = await slots
    .databaseOf(slotOfAccount(accountId))
    .query<{ balance: number }>('SELECT balance FROM accounts WHERE id = $1', [accountId])
  return (rows[0]?.balance ?? Number.NaN) / 1e6
}

export async function assertSoundLedger(slots: SlotMap): Promise<void> {
  const { faults, sum } = await auditLedger({ slots })
  assert.deepEqual([faults, sum], [[], 0])
}
