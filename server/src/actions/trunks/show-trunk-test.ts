// A test call while it lasts and afterwards. Which digits were sent is shown after the operator has said which arrived.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTrunkTest } from '../../db/trunks/trunk-test.ts'
import { fillPlaceholders, firstLineOf } from '../../domain/verifications/sip-message.ts'
import { Denial } from '../../process/errors.ts'

export async function showTrunkTest(
  { slots }: { readonly slots: SlotMap },
  id: number,
): Promise<WebOutput<'trunk-test'>> {
  const test = await readTrunkTest(slots.globalDatabase, id)
  if (!test) throw new Denial('not-found')
  const { phoneMask, callerNumber, createdAt, endedAt, rangAfterMs, outcome, status, seenDigits } = test
  const sentDigits = seenDigits === null ? null : String(callerNumber).slice(-4)
  const firstMs = test.messages[0]?.atMs ?? 0
  return {
    id,
    phone: phoneMask,
    rangAfterMs,
    outcome,
    status,
    seenDigits,
    sentDigits,
    startedAt: createdAt.getTime(),
    endedAt: endedAt?.getTime() ?? null,
    messages: test.messages.map(({ atMs, isSent, text }) => {
      const shown = fillPlaceholders(text, phoneMask, sentDigits ?? undefined)
      return { sinceMs: Math.round(atMs - firstMs), isSent, line: firstLineOf(shown), text: shown }
    }),
  }
}
