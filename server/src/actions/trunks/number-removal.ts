// What is lost when caller numbers of a trunk are removed or taken out of use: which codes flash calls can then no longer show.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction, type Session } from '../../db/core/database.ts'
import { readDatabaseClock } from '../../db/core/database-clock.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  deleteQuarantine,
  forgetQuarantines,
  insertQuarantine,
  readQuarantines,
} from '../../db/trunks/caller-number.ts'
import {
  forgetConfirmationNumbers,
  lockConfirmationNumbers,
  removeConfirmationNumbers,
} from '../../db/trunks/confirmation-number.ts'
import {
  deleteCallerRange,
  insertCallerRange,
  lockCallerRanges,
  readCallerRanges,
  readTrunks,
} from '../../db/trunks/trunk.ts'
import { numbersIn, withoutNumbers } from '../../domain/trunks/caller-pool.ts'
import { type CodeRange, codesOnlyIn, coverageOf } from '../../domain/trunks/code-coverage.ts'
import { commonSpans, liveRanges } from '../../domain/trunks/number-spans.ts'
import { dayMs } from '../../domain/values/time.ts'
import { UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
}

type Command = { readonly trunk: string; readonly first: number; readonly last: number }

type RemovalPreview = {
  // Of the trunk, in use or not.
  readonly numbers: number
  // By country: a trunk may show numbers in several.
  readonly lost: readonly { readonly country: string; readonly codes: readonly CodeRange[] }[]
}

export async function previewNumberRemoval({ slots }: Deps, { trunk, first, last }: Command): Promise<RemovalPreview> {
  const { globalDatabase } = slots
  const [trunks, owned, quarantines] = await Promise.all([
    readTrunks(globalDatabase),
    readCallerRanges(globalDatabase),
    readQuarantines(globalDatabase),
  ])
  const live = liveRanges(owned, quarantines)
  const own = owned.filter((range) => range.trunk === trunk)
  const hit = own.filter((range) => range.first <= last && first <= range.last)
  const rest = live.flatMap((range) => (range.trunk === trunk ? withoutNumbers(range, { first, last }) : [range]))
  const countries = [...new Set(hit.map(({ country }) => country))].toSorted()
  return {
    numbers: numbersIn(commonSpans(own, [{ first, last }])),
    lost: countries.map((country) => {
      const before = coverageOf({ trunks, live, owned }, country)
      const after = coverageOf({ trunks, live: rest, owned }, country)
      return { country, codes: codesOnlyIn(before.counts, after.counts) }
    }),
  }
}

// Removes numbers from a trunk, for example a range that was added by mistake or went back to the carrier. No call in flight
// is harmed: an accepted call keeps the caller number that it was given, and a removed confirmation number still matches the
// subscribers who were given it.

type RemoveNumbersCommand = {
  readonly trunk: string
  readonly first: number
  readonly last: number
  // Undefined: both kinds.
  readonly kind?: 'caller' | 'confirmation'
}

type RemovedNumbers = { readonly callerNumbers: number; readonly confirmationNumbers: number }

export async function removeNumbers(
  deps: Deps,
  actor: Actor,
  { trunk, first, last, kind }: RemoveNumbersCommand,
): Promise<RemovedNumbers> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    await lockCallerRanges(session)
    await lockConfirmationNumbers(session)
    await forgetConfirmationNumbers(session)
    const owned = kind === 'confirmation' ? [] : await readCallerRanges(session)
    const ranges = owned.filter((range) => range.trunk === trunk && range.first <= last && first <= range.last)
    for (const range of ranges) {
      await deleteCallerRange(session, range)
      for (const rest of withoutNumbers(range, { first, last })) await insertCallerRange(session, rest)
    }
    if (kind !== 'confirmation') await returnNumbersIn(session, { trunk, first, last })
    const removed = {
      callerNumbers: ranges.reduce(
        (sum, range) => sum + Math.min(range.last, last) - Math.max(range.first, first) + 1,
        0,
      ),
      confirmationNumbers: kind === 'caller' ? 0 : await removeConfirmationNumbers(session, trunk, { first, last }),
    }
    if (removed.callerNumbers + removed.confirmationNumbers === 0) {
      throw new UsageError(
        `Trunk ${trunk} has no number from ${first} to ${last}. \`ringproof numbers list\` shows all.`,
      )
    }
    const details = { trunk, first, last, ...removed }
    await logAction(session, actor, { accountId: null, action: 'numbers removed', details })
    return removed
  })
}

// Takes caller numbers of a trunk out of use, for good or for some days, for example because phones show them as spam. Calls that
// were accepted before keep them; every process follows within a second.

type QuarantineNumbersCommand = {
  readonly trunk: string
  readonly first: number
  readonly last: number
  readonly reason: string
  // Undefined: until an operator returns them.
  readonly days: number | undefined
}

export async function quarantineNumbers(
  deps: Deps,
  actor: Actor,
  { trunk, first, last, reason, days }: QuarantineNumbersCommand,
): Promise<{ readonly numbers: number }> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    await lockCallerRanges(session)
    const own = (await readCallerRanges(session)).filter((range) => range.trunk === trunk)
    const spans = commonSpans(own, [{ first, last }])
    if (spans.length === 0)
      throw new UsageError(`Trunk ${trunk} has no caller number from ${first} to ${last}. See: ringproof numbers list`)
    await returnNumbersIn(session, { trunk, first, last })
    const { now: since } = await readDatabaseClock(session)
    const until = days === undefined ? null : new Date(since.getTime() + days * dayMs)
    for (const span of spans) await insertQuarantine(session, { trunk, ...span, reason, since, until })
    const numbers = numbersIn(spans)
    const details = { trunk, first, last, numbers, reason, days: days ?? null }
    await logAction(session, actor, { accountId: null, action: 'caller numbers quarantined', details })
    return { numbers }
  })
}

// Caller numbers that were out of use may be shown by calls again.

export async function returnNumbers(deps: Deps, actor: Actor, { trunk, first, last }: Command): Promise<void> {
  await inTransaction(deps.slots.globalDatabase, async (session) => {
    await lockCallerRanges(session)
    if (!(await returnNumbersIn(session, { trunk, first, last })))
      throw new UsageError(`No number of trunk ${trunk} from ${first} to ${last} is in quarantine.`)
    const details = { trunk, first, last }
    await logAction(session, actor, { accountId: null, action: 'caller numbers returned', details })
  })
}

// For use inside a larger transaction: these numbers are out of use no longer. Returns whether some were.
async function returnNumbersIn(session: Session, { trunk, first, last }: Command): Promise<boolean> {
  await forgetQuarantines(session)
  const ended = (await readQuarantines(session)).filter(
    (one) => one.trunk === trunk && one.first <= last && first <= one.last,
  )
  for (const one of ended) {
    await deleteQuarantine(session, one)
    for (const rest of withoutNumbers(one, { first, last })) await insertQuarantine(session, rest)
  }
  return ended.length > 0
}
