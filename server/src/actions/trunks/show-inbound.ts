// Inbound verifications as the console shows them: the pool of confirmation numbers, the requests that wait for a call, and why calls
// of the last day matched none.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { readConfirmationNumbers } from '../../db/trunks/confirmation-number.ts'
import { readTrunks } from '../../db/trunks/trunk.ts'
import { readUnmatchedCounts, type UnmatchedCount } from '../../db/trunks/unmatched-call.ts'
import { type OpenInbound, readOpenInbound } from '../../db/verifications/inbound-request.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { type ListedNumbers, listNumbers } from './list-numbers.ts'

type ShownInbound = {
  readonly pool: readonly ListedNumbers[]
  readonly free: number
  // The oldest first.
  readonly open: readonly OpenInbound[]
  readonly openCount: number
  readonly unmatched: readonly (UnmatchedCount & { readonly lastAt: Date })[]
  readonly trunks: readonly Trunk[]
}

const listedMax = 50

export async function showInbound(deps: { readonly slots: SlotMap }): Promise<ShownInbound> {
  const { globalDatabase, databases } = deps.slots
  const [listed, numbers, unmatched, trunks, ...opened] = await Promise.all([
    listNumbers(deps, undefined),
    readConfirmationNumbers(globalDatabase),
    readUnmatchedCounts(globalDatabase),
    readTrunks(globalDatabase),
    ...databases.map((database) => readOpenInbound(database, listedMax)),
  ])
  return {
    pool: listed.filter(({ kind }) => kind === 'confirmation'),
    free: numbers.filter(({ isRemoved }) => !isRemoved).length,
    open: opened
      .flatMap(({ oldest }) => oldest)
      .toSorted((a, b) => b.ageSeconds - a.ageSeconds)
      .slice(0, listedMax),
    openCount: opened.reduce((sum, { count }) => sum + count, 0),
    unmatched,
    trunks: trunks.filter(({ isTest }) => !isTest),
  }
}
