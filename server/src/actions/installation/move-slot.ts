// Moves a slot to another database while it serves. Every step may be interrupted and is taken up again by the same command.
//
//   begin     Both databases know of the move: rows are hidden in the target, changes are noted in the source.
//   copy      All rows, by pages; then what has changed meanwhile, until little is left.
//   verify    In one snapshot of the source, after its changes were copied: both have the same rows in every table.
//   switch    The slot is frozen for a moment: the last changes are copied, and the source gives the slot away.
//   clean     The rows in the source are deleted, and triggers and policies dropped in both.
//
// Until the source gives the slot away nothing is lost but time, and a freeze ends by itself.

import type { Database, Session } from '../../db/core/database.ts'
import {
  checksumOf,
  copyChanges,
  copyPartitions,
  deletePage,
  type Key,
  type Pair,
  readKeys,
  readShapes,
  type Shapes,
  syncKeys,
} from '../../db/core/slot-copy.ts'
import { addFence, bypassesPolicies, dropFence } from '../../db/core/slot-fence.ts'
import {
  alignMark,
  countUnplacedNumbers,
  drawId,
  freezeSlot,
  giveSlotAway,
  hasVerifications,
  hideSlot,
  holdCounting,
  inExemptSession,
  lockMove,
  lowerSweepMark,
  markClean,
  raiseIds,
  readBalances,
  readSlotMove,
  readSweepMark,
  type SlotMove,
  unfreezeSlot,
  writeProgress,
  writeSlotState,
} from '../../db/core/slot-move.ts'
import { slotTables } from '../../db/core/slot-tables.ts'
import type { Slot } from '../../domain/core/slot.ts'
import { inEnglish } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import type { Clock } from '../../process/clock.ts'
import { UsageError } from '../../process/errors.ts'

export type PlacedDatabase = { readonly name: string; readonly database: Database }

export type MoveDeps = {
  // As the owner of the tables.
  readonly source: PlacedDatabase
  readonly target: PlacedDatabase
  readonly clock: Clock
  readonly report: (text: string) => void
  // Runs before the freeze; for tests.
  readonly beforeSwitch?: () => Promise<void>
}

type MovedSlot = { readonly rows: number; readonly frozenMs: number | undefined }

// A freeze ends by itself after this.
const freezeMs = 3_000
// Processes look for moves every second; while there is one, ten times a second.
const noticeMs = 1_500
const staleMs = 500
// What was on its way to the source meets the fence until then, and goes to the target.
const lateMs = 1_500
const backlogMax = 200
const countingTriesMax = 600

export async function moveSlot(deps: MoveDeps, slot: Slot): Promise<MovedSlot> {
  return withSessions(deps, slot, async (pair) => {
    const { source } = pair
    await assertMovable(deps, pair)
    const shapes = await readShapes(source)
    const from = await readSlotMove(source, slot)
    const sweepMark = await readSweepMark(source)
    let rows = 0
    let frozenMs: number | undefined
    if (from?.state !== 'moved') {
      await begin(deps, pair, shapes, from)
      rows = await copyAll(deps, pair, shapes)
      await verify(deps, pair, shapes)
      await deps.beforeSwitch?.()
      frozenMs = await switchOver(deps, pair, shapes)
    } else if ((await readSlotMove(pair.target, slot))?.state === 'arriving') await takeOver(deps, pair)
    deps.report(`Slot ${slot} lives in ${deps.target.name} now. Deleting its rows in ${deps.source.name}.`)
    await hideSlot(source, slot)
    await pause(deps, lateMs)
    await deleteAll(source, slot, shapes)
    await markClean(source, slot)
    await dropFence(source, slot)
    await dropFence(pair.target, slot)
    // Once more: a sweep that began before the switch has not seen the calls that came, and may have moved the mark past them.
    await lowerSweepMark(pair.target, sweepMark)
    return { rows, frozenMs }
  })
}

// Ends a move that has not switched: the slot stays where it is, and its copy is deleted.
export async function cancelMove(deps: MoveDeps, slot: Slot): Promise<void> {
  await withSessions(deps, slot, async ({ source, target }) => {
    await assertAlone(source, slot)
    await unfreezeSlot(source, slot)
    const from = await readSlotMove(source, slot)
    if (from?.state !== 'copying') throw new UsageError(`Slot ${slot} is not being copied; there is nothing to cancel.`)
    await writeSlotState(target, slot, { state: 'moved', peer: deps.source.name, isHidden: true, isDirty: true })
    await writeSlotState(source, slot, { state: 'here', peer: deps.target.name })
    await dropFence(source, slot)
    await source.query('DELETE FROM slot_changes WHERE slot = $1', [slot])
    await deleteAll(target, slot, await readShapes(target))
    await markClean(target, slot)
    await dropFence(target, slot)
  })
}

async function withSessions<T>(deps: MoveDeps, slot: Slot, work: (pair: Pair) => Promise<T>): Promise<T> {
  const { source: from, target: to } = deps
  return inExemptSession(from.database, slot, (source) =>
    inExemptSession(to.database, slot, (target) => work({ source, target, slot })),
  )
}

async function assertAlone(source: Session, slot: Slot): Promise<void> {
  if (!(await lockMove(source, slot))) throw new UsageError(`Another command is moving slot ${slot}.`)
}

async function assertMovable({ source: { name } }: MoveDeps, { source, target, slot }: Pair): Promise<void> {
  await assertAlone(source, slot)
  if ((await bypassesPolicies(source)) || (await bypassesPolicies(target)))
    throw new UsageError(
      'The owner of the tables is a superuser, who sees hidden rows. Give the tables to another role first.',
    )
  const unplaced = await countUnplacedNumbers(source)
  if (unplaced > 0)
    throw new UsageError(
      `${unplaced} numbers in ${name} were last called before the upgrade and do not name their slot. They are forgotten ${inEnglish(retention.numbers.kept)} after their last call; try again then.`,
    )
}

async function begin(deps: MoveDeps, pair: Pair, shapes: Shapes, from: SlotMove | undefined): Promise<void> {
  const { source, target, slot } = pair
  const isBegun = from?.state === 'copying' || from?.state === 'frozen'
  if (isBegun && from.peer !== deps.target.name)
    throw new UsageError(
      `Slot ${slot} is being copied to ${from.peer}. Cancel that move first: ringproof slots move ${slot} --cancel`,
    )
  if (!isBegun) {
    // Hidden before anything can be written, and without what an earlier move has left.
    await writeSlotState(target, slot, { state: 'arriving', peer: deps.source.name })
    await addFence(target, slot)
    await deleteAll(target, slot, shapes)
    await writeSlotState(source, slot, { state: 'copying', peer: deps.target.name })
  } else await unfreezeSlot(source, slot)
  await addFence(target, slot)
  await addFence(source, slot)
  await copyPartitions(pair)
  await pause(deps, noticeMs)
}

async function copyAll({ report }: MoveDeps, pair: Pair, shapes: Shapes): Promise<number> {
  const { source, slot } = pair
  const progress = (await readSlotMove(source, slot))?.progress ?? {}
  let copied = 0
  for (const table of slotTables) {
    let after: Key | undefined = progress[table.name]
    for (;;) {
      const keys = await readKeys(pair, table, shapes, after)
      const last = keys.at(-1)
      if (!last) break
      copied += await syncKeys(pair, table, shapes, keys)
      await writeProgress(source, slot, table.name, last)
      after = last
    }
    await copyBacklog(pair, shapes)
  }
  report(`Copied ${copied} rows.`)
  return copied
}

async function copyBacklog(pair: Pair, shapes: Shapes): Promise<void> {
  while ((await copyChanges(pair, shapes)) > backlogMax);
}

// What changes meanwhile is not in the snapshot, and is copied afterwards.
async function verify({ report }: MoveDeps, pair: Pair, shapes: Shapes): Promise<void> {
  const { source, target, slot } = pair
  await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  try {
    while ((await copyChanges(pair, shapes)) > 0);
    for (const table of slotTables) {
      const [before, after] = [await checksumOf(source, slot, table), await checksumOf(target, slot, table)]
      if (before !== after)
        throw new UsageError(
          `${table.name} differs: ${before} in the source, ${after} in the target. Cancel the move and start again: ringproof slots move ${slot} --cancel`,
        )
    }
    await source.query('COMMIT')
  } catch (error) {
    await source.query('ROLLBACK')
    throw error
  }
  report('Both databases have the same rows.')
}

// Returns how long the slot was frozen.
async function switchOver(deps: MoveDeps, pair: Pair, shapes: Shapes): Promise<number> {
  const { clock, source: from, target: to } = deps
  const { source, target, slot } = pair
  const holders = [await from.database.connect(), await to.database.connect()] as const
  try {
    await alignCounting(deps, pair, shapes, holders)
    await copyBacklog(pair, shapes)
    const startedMs = clock.monotonicMs()
    try {
      await freezeSlot(source, slot, freezeMs)
      while ((await copyChanges(pair, shapes, true)) > 0);
      const [before, after] = [await readBalances(source, slot), await readBalances(target, slot)]
      if (before !== after) throw new Error(`balances differ: ${before} in the source, ${after} in the target`)
      await raiseIds(pair)
      // Counting is still held.
      for (const holder of holders) await holder.query('SELECT')
      if (!(await giveSlotAway(source, slot)))
        throw new UsageError('The freeze was over before the last rows were copied. Try again.')
    } catch (error) {
      await unfreezeSlot(source, slot)
      throw error
    }
    await takeOver(deps, pair)
    const frozenMs = clock.monotonicMs() - startedMs
    // Until every process knows, it may read the rows where they were.
    await pause(deps, staleMs)
    await hideSlot(source, slot)
    return frozenMs
  } finally {
    for (const holder of holders) holder.release(true)
  }
}

async function takeOver(deps: MoveDeps, pair: Pair): Promise<void> {
  const { source, target, slot } = pair
  await lowerSweepMark(target, await readSweepMark(source))
  await writeSlotState(target, slot, { state: 'here', peer: deps.source.name })
}

// A call counts for statistics in the database that it is in when its minute is counted. So the slot must have no call between what
// the source has counted and what the target has. Both wait from here until the switch.
async function alignCounting(
  deps: MoveDeps,
  pair: Pair,
  shapes: Shapes,
  holders: readonly [Session, Session],
): Promise<void> {
  const { source, slot } = pair
  const [from, to] = holders
  for (const holder of holders) await holder.query('SET idle_in_transaction_session_timeout = 0')
  for (let tries = 0; tries < countingTriesMax; tries++) {
    const [before, after] = [await holdCounting(from), await holdCounting(to)]
    if (!(await hasVerifications(source, slot, Math.min(before, after), Math.max(before, after)))) return
    // A target without calls of that time, as a new one, can count from where the source does.
    if (await alignMark(to, after, before)) continue
    // Nothing is held meanwhile: an open transaction would keep the sweep, and so the counting, from going on.
    for (const holder of holders) await holder.query('ROLLBACK')
    for (const { database } of [deps.source, deps.target]) await drawId(database)
    if (tries === 0) deps.report('Waiting until both databases have counted the same minutes.')
    await pause(deps, 1_000)
    await copyBacklog(pair, shapes)
  }
  throw new UsageError(
    'The two databases do not count the same minutes. Check that a process with the role keeper runs, then try again.',
  )
}

// Children before parents.
async function deleteAll(session: Session, slot: Slot, shapes: Shapes): Promise<void> {
  for (const table of slotTables.toReversed()) {
    let after: Key | undefined
    do after = await deletePage(session, slot, table, shapes, after)
    while (after)
  }
}

async function pause({ clock }: MoveDeps, ms: number): Promise<void> {
  await clock.sleep(ms, new AbortController().signal)
}
