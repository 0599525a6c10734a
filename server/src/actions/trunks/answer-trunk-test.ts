import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTrunkTest, answerTrunkTest as writeAnswer } from '../../db/trunks/trunk-test.ts'
import { Denial } from '../../process/errors.ts'

// Whether the caller ID arrived as it was sent.
export async function answerTrunkTest(
  { slots }: { readonly slots: SlotMap },
  { id, digits }: { readonly id: number; readonly digits: string },
): Promise<{ readonly isIntact: boolean }> {
  await writeAnswer(slots.globalDatabase, id, digits)
  const test = await readTrunkTest(slots.globalDatabase, id)
  if (!test) throw new Denial('not-found')
  return { isIntact: test.seenDigits === String(test.callerNumber).slice(-4) }
}
