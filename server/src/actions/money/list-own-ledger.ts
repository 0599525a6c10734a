import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type AccountId, firstIdOfSecond } from '../../domain/core/slot.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { daySeconds } from '../../domain/values/time.ts'
import { Denial } from '../../process/errors.ts'
import { listLedger } from './list-ledger.ts'

const pageLines = 100

// What changed the account's money on a day (UTC), newest first. Holds and releases change nothing.
export async function listOwnLedger(
  { slots }: { readonly slots: SlotMap },
  accountId: AccountId,
  { day, before }: { readonly day: string; readonly before: number | undefined },
): Promise<WebOutput<'ledger-lines'>> {
  const second = Date.parse(day) / 1_000
  if (Number.isNaN(second)) throw new Denial('invalid', ['day'])
  const [firstId, endOfDay] = [firstIdOfSecond(second), firstIdOfSecond(second + daySeconds)]
  const filter = { accountId, firstId, endId: Math.min(endOfDay, before ?? endOfDay), verificationId: undefined }
  const { entries, nextBefore } = await listLedger({ slots }, filter, pageLines)
  return {
    lines: entries.flatMap(({ id, move, amount, createdAt, reference }) => {
      if (move === 'hold' || move === 'release') return []
      const decimal = toDecimal(amount)
      return [{ id, at: createdAt.getTime(), move, change: move === 'credit' ? decimal : -decimal, reference }]
    }),
    nextBefore: nextBefore ?? null,
  }
}
