import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  forgetConfirmationNumbers,
  insertConfirmationNumber,
  lockConfirmationNumbers,
  readConfirmationNumbers,
} from '../../db/trunks/confirmation-number.ts'
import { lockCallerRanges, readCallerRanges, readTrunks } from '../../db/trunks/trunk.ts'
import { readUnmatchedCounts, type UnmatchedCount } from '../../db/trunks/unmatched-call.ts'
import { type OpenInbound, readOpenInbound } from '../../db/verifications/inbound-request.ts'
import { slotOfNth } from '../../domain/trunks/confirmation-number.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { inEnglish } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import { UsageError } from '../../process/errors.ts'
import { type ListedNumbers, listNumbers } from './caller-numbers-view.ts'

type Deps = {
  readonly slots: SlotMap
}

type Command = { readonly trunk: string; readonly first: number; readonly last: number }

// Adds all of them or none. A confirmation number is never a caller number: calling a flash number back must not verify
// anything.
export async function addConfirmationNumbers(deps: Deps, actor: Actor, { trunk, first, last }: Command): Promise<void> {
  await inTransaction(deps.slots.globalDatabase, async (session) => {
    const trunks = await readTrunks(session)
    if (!trunks.some(({ name }) => name === trunk))
      throw new UsageError(`Trunk ${trunk} does not exist. \`ringproof trunks list\` shows all trunks.`)
    await lockCallerRanges(session)
    await lockConfirmationNumbers(session)
    await forgetConfirmationNumbers(session)
    const range = (await readCallerRanges(session)).find((one) => one.first <= last && first <= one.last)
    if (range) throw new UsageError(`${range.first} to ${range.last} are caller numbers of trunk ${range.trunk}.`)
    const present = await readConfirmationNumbers(session)
    const own = present.filter(({ number }) => first <= number && number <= last)
    const known = own.find(({ isRemoved }) => !isRemoved)
    if (known) throw new UsageError(`${known.number} is already a confirmation number of trunk ${known.trunk}.`)
    const other = own.find((one) => one.trunk !== trunk)
    if (other) {
      throw new UsageError(
        `${other.number} was removed from trunk ${other.trunk} less than ${inEnglish(retention.removedNumbers.kept)} ago, and subscribers may still call it. Try again later.`,
      )
    }
    for (let number = first; number <= last; number++) {
      await insertConfirmationNumber(session, number, trunk, slotOfNth(present.length + number - first))
    }
    await logAction(session, actor, {
      accountId: null,
      action: 'confirmation numbers added',
      details: { trunk, first, last },
    })
  })
}

// Inbound verifications as the console shows them: the pool of confirmation numbers, the requests that wait for a call, and why calls
// of the last day matched none.

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

export async function showInbound(deps: Deps): Promise<ShownInbound> {
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
