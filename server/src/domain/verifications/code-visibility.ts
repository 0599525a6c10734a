// Who may see a code, or the last four digits of the number that called: they are the same. It takes a right, and while a code can
// still be used, nobody sees it, so that no employee of the customer can verify another person's phone. A test call verifies nobody.

import type { MemberRight, OperatorRight } from '@ringproof/contract/web/access.ts'
import { minutes, msOf } from '../values/period.ts'

type CodeOwner = {
  readonly isTest: boolean
  readonly endedAt: Date | null
}

// After the end.
export const codeHiddenFor = minutes(10)
const hiddenMs = msOf(codeHiddenFor)

export function maySeeCode(
  { isTest, endedAt }: CodeOwner,
  rights: readonly (MemberRight | OperatorRight)[],
  nowMs: number,
): boolean {
  if (!rights.includes('codes')) return false
  return isTest || (endedAt !== null && nowMs - endedAt.getTime() >= hiddenMs)
}
