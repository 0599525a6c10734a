// The state of slots that move, in each of the two databases: see migrations/0062 and functions/slot-moves.sql.

import type { Slot } from '../../domain/core/slot.ts'
import { createClock } from '../../process/clock.ts'
import { UsageError } from '../../process/errors.ts'
import type { Database, Session } from './database.ts'

// Real time, not scaled: these are database timeouts.
const clock = createClock(1)

export const slotStates = ['copying', 'frozen', 'moved', 'arriving', 'here'] as const
type SlotState = (typeof slotStates)[number]

export type SlotMove = {
  readonly slot: Slot
  readonly state: SlotState
  readonly peer: string
  readonly isHidden: boolean
  readonly isDirty: boolean
  readonly progress: Readonly<Record<string, readonly string[]>>
  readonly changedAt: Date
}

// A session that sees and changes the rows of a slot wherever they are. Texts of rows are compared, so all of them write alike.
export async function inExemptSession<T>(
  database: Database,
  slot: Slot,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const client = await database.connect()
  try {
    await client.query(`SET ringproof.moving_slot = '${slot}'`)
    await client.query(`SET TimeZone = 'UTC'`)
    await client.query(`SET DateStyle = 'ISO'`)
    await client.query('SET enable_seqscan = off')
    // One of the two waits while the other works.
    await client.query('SET idle_in_transaction_session_timeout = 0')
    return await work(client)
  } finally {
    // Closed, because it keeps its settings and locks.
    client.release(true)
  }
}

export async function readSlotMoves(session: Session): Promise<readonly SlotMove[]> {
  const { rows } = await session.query<SlotMove>(
    `SELECT slot, state, peer, is_hidden AS "isHidden", is_dirty AS "isDirty", progress, changed_at AS "changedAt"
     FROM slot_moves ORDER BY slot`,
  )
  return rows
}

export async function readSlotMove(session: Session, slot: Slot): Promise<SlotMove | undefined> {
  return (await readSlotMoves(session)).find((move) => move.slot === slot)
}

export async function writeSlotState(
  session: Session,
  slot: Slot,
  {
    state,
    peer,
    isHidden = false,
    isDirty = false,
  }: Pick<SlotMove, 'state' | 'peer'> & Partial<Pick<SlotMove, 'isHidden' | 'isDirty'>>,
): Promise<void> {
  await session.query(
    `INSERT INTO slot_moves (slot, state, peer, is_hidden, is_dirty) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (slot) DO UPDATE SET (state, peer, is_hidden, is_dirty, progress, changed_at) =
       ROW(excluded.state, excluded.peer, excluded.is_hidden, excluded.is_dirty, '{}', clock_timestamp())`,
    [slot, state, peer, isHidden, isDirty],
  )
}

export async function writeProgress(
  session: Session,
  slot: Slot,
  table: string,
  key: readonly string[],
): Promise<void> {
  await session.query(
    'UPDATE slot_moves SET progress = progress || jsonb_build_object($2::text, $3::jsonb) WHERE slot = $1',
    [slot, table, JSON.stringify(key)],
  )
}

export async function hideSlot(session: Session, slot: Slot): Promise<void> {
  await session.query('UPDATE slot_moves SET is_hidden = true WHERE slot = $1', [slot])
}

export async function markClean(session: Session, slot: Slot): Promise<void> {
  await session.query('UPDATE slot_moves SET is_dirty = false WHERE slot = $1', [slot])
}

// False if another session moves this slot. The lock ends with the session.
export async function lockMove(session: Session, slot: Slot): Promise<boolean> {
  const { rows } = await session.query<{ locked: boolean }>('SELECT pg_try_advisory_lock(1380533061, $1) AS locked', [
    slot,
  ])
  return rows[0]?.locked === true
}

// Returns when no change of the slot is in flight any more, and none can begin before the time is over.
export async function freezeSlot(session: Session, slot: Slot, freezeMs: number): Promise<void> {
  await session.query(
    `UPDATE slot_moves SET state = 'frozen', frozen_until = clock_timestamp() + make_interval(secs => $2) WHERE slot = $1`,
    [slot, freezeMs / 1_000],
  )
  await session.query('BEGIN')
  try {
    await excludeChanges(session, slot, freezeMs)
  } finally {
    await session.query('ROLLBACK')
  }
}

// Until the end of the transaction nobody changes the slot. It is tried instead of waited for: others would queue behind it.
async function excludeChanges(session: Session, slot: Slot, waitMs: number): Promise<void> {
  const startedMs = clock.monotonicMs()
  for (;;) {
    const { rows } = await session.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_xact_lock(1380533060, $1) AS locked',
      [slot],
    )
    if (rows[0]?.locked) return
    if (clock.monotonicMs() - startedMs > waitMs)
      throw new UsageError(`A transaction has been changing slot ${slot} for too long. Try again.`)
    await clock.sleep(2, new AbortController().signal)
  }
}

export async function unfreezeSlot(session: Session, slot: Slot): Promise<void> {
  await session.query(`UPDATE slot_moves SET state = 'copying' WHERE slot = $1 AND state = 'frozen'`, [slot])
}

// From here on the slot lives in the other database. False if the freeze was over or something has changed since; then nothing is
// done. The lock keeps others from changing a row between the look and the commit.
export async function giveSlotAway(session: Session, slot: Slot): Promise<boolean> {
  await session.query('BEGIN')
  try {
    await excludeChanges(session, slot, 1_000)
    const { rowCount } = await session.query(
      `UPDATE slot_moves SET state = 'moved', is_dirty = true, frozen_until = NULL, changed_at = clock_timestamp()
       WHERE slot = $1 AND state = 'frozen' AND clock_timestamp() < frozen_until
         AND NOT EXISTS (SELECT FROM slot_changes WHERE slot = $1)`,
      [slot],
    )
    await session.query('COMMIT')
    return rowCount === 1
  } catch (error) {
    await session.query('ROLLBACK')
    throw error
  }
}

// Numbers whose row does not name its slot yet.
export async function countUnplacedNumbers(session: Session): Promise<number> {
  const { rows } = await session.query<{ count: number }>(
    'SELECT count(*) AS count FROM subscriber_numbers WHERE slot IS NULL',
  )
  return rows[0]?.count ?? 0
}

// IDs of the slot continue above those that the source has given out. Of the values that are drawn here none is used.
export async function raiseIds({
  source,
  target,
  slot,
}: {
  source: Session
  target: Session
  slot: Slot
}): Promise<void> {
  const { rows } = await source.query<{ last: number }>('SELECT last_value AS last FROM id_ticks')
  const last = rows[0]?.last ?? 0
  await target.query('SELECT next_id($1)', [slot])
  const { rows: ticks } = await target.query<{ last: number }>('SELECT last_value AS last FROM id_ticks')
  const missing = last - (ticks[0]?.last ?? 0)
  if (missing > ticksMax) throw new Error('the clocks of the two databases differ by more than ten seconds')
  if (missing > 0)
    await target.query(`SELECT count(nextval('id_ticks')) FROM generate_series(0, $1::integer)`, [missing])
}

// Ten seconds of IDs.
const ticksMax = 10 * 2 ** 17

// The sweep of a database reads from its mark on: calls in progress that come from elsewhere may be below it.
export async function readSweepMark(session: Session): Promise<number> {
  const { rows } = await session.query<{ id: number }>('SELECT from_id AS id FROM sweep_marks')
  return rows[0]?.id ?? 0
}

export async function lowerSweepMark(session: Session, id: number): Promise<void> {
  await session.query('UPDATE sweep_marks SET from_id = least(from_id, $1)', [id])
}

export async function readBalances(session: Session, slot: Slot): Promise<string> {
  const { rows } = await session.query<{ sums: string }>(
    `SELECT count(*) || ' ' || coalesce(sum(balance), 0) || ' ' || coalesce(sum(held), 0) AS sums FROM accounts WHERE id % 64 = $1`,
    [slot],
  )
  return rows[0]?.sums ?? ''
}

// Keeps the database from counting calls for statistics until the transaction ends. Returns up to which ID it has.
export async function holdCounting(session: Session): Promise<number> {
  await session.query('BEGIN')
  const { rows } = await session.query<{ to: number }>('SELECT counted_to AS "to" FROM call_count_marks FOR UPDATE')
  return rows[0]?.to ?? 0
}

// Ends the transaction, and sets the mark to another minute if this database has no call between the two.
export async function alignMark(session: Session, from: number, to: number): Promise<boolean> {
  const { rowCount } = await session.query(
    `UPDATE call_count_marks SET counted_to = $2 WHERE NOT EXISTS (
       SELECT FROM verifications WHERE id >= least($1::bigint, $2) AND id < greatest($1, $2::bigint))`,
    [from, to],
  )
  await session.query('COMMIT')
  return rowCount === 1
}

// A database that gives out no IDs does not know that a minute is over, and does not count it.
export async function drawId(session: Session): Promise<void> {
  await session.query('SELECT next_id(0)')
}

// Whether the slot has a verification in this range of IDs.
export async function hasVerifications(session: Session, slot: Slot, first: number, end: number): Promise<boolean> {
  const { rowCount } = await session.query(
    `SELECT FROM verifications WHERE id >= $1 AND id < $2 AND ((id >> 17) & 63) = ${slot} LIMIT 1`,
    [first, end],
  )
  return rowCount === 1
}
