// Triggers and policies on the tables of a slot, for the time of its move: see functions/slot-moves.sql. Each table is locked
// for a moment, and requests queue behind that lock; so it is waited for only briefly, and tried again.

import type { Slot } from '../../domain/core/slot.ts'
import { createClock } from '../../process/clock.ts'
import { isLockTimeout, type Session } from './database.ts'
import { type SlotTable, slotSql, slotTables } from './slot-tables.ts'

// Real time, not scaled: these are database timeouts.
const clock = createClock(1)

const lockMs = 50
const pauseMs = 200
// An autovacuum that is in the way takes minutes at most.
const triesMax = 2_400

export async function addFence(session: Session, slot: Slot): Promise<void> {
  for (const table of slotTables) {
    if (await hasFence(session, slot, table)) continue
    await changeTable(session, table, [
      ...(['INSERT OR UPDATE', 'DELETE'] as const).map(
        (event) =>
          `CREATE TRIGGER ${fenceName(slot)}_${event.slice(0, 6).toLowerCase()} BEFORE ${event} ON ${table.name} FOR EACH ROW
           WHEN (${slotSql(table, event === 'DELETE' ? 'OLD.' : 'NEW.')} = ${slot})
           EXECUTE FUNCTION note_slot_change('${[slot, table.name, ...table.key].join("', '")}')`,
      ),
      // Without a permissive policy nothing could be seen.
      `DROP POLICY IF EXISTS slot_moves ON ${table.name}`,
      `CREATE POLICY slot_moves ON ${table.name} USING (true)`,
      `CREATE POLICY ${fenceName(slot)} ON ${table.name} AS RESTRICTIVE
       USING (${slotSql(table)} IS DISTINCT FROM ${slot} OR is_slot_here(${slot}))`,
      // The functions run as the owner.
      `ALTER TABLE ${table.name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`,
    ])
  }
}

export async function dropFence(session: Session, slot: Slot): Promise<void> {
  for (const table of slotTables) {
    if (!(await hasFence(session, slot, table))) continue
    const { rowCount } = await session.query(
      `SELECT FROM pg_policy WHERE polrelid = $1::regclass AND polname NOT IN ('slot_moves', $2)`,
      [table.name, fenceName(slot)],
    )
    await changeTable(session, table, [
      `DROP TRIGGER IF EXISTS ${fenceName(slot)}_insert ON ${table.name}`,
      `DROP TRIGGER IF EXISTS ${fenceName(slot)}_delete ON ${table.name}`,
      `DROP POLICY ${fenceName(slot)} ON ${table.name}`,
      ...(rowCount === 0
        ? [
            `DROP POLICY slot_moves ON ${table.name}`,
            `ALTER TABLE ${table.name} DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY`,
          ]
        : []),
    ])
  }
}

// A superuser sees hidden rows and changes them, and so would every function of ours.
export async function bypassesPolicies(session: Session): Promise<boolean> {
  const { rows } = await session.query<{ bypasses: boolean }>(
    'SELECT rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = current_user',
  )
  return rows[0]?.bypasses !== false
}

function fenceName(slot: Slot): string {
  return `slot_move_${slot}`
}

async function hasFence(session: Session, slot: Slot, table: SlotTable): Promise<boolean> {
  const { rowCount } = await session.query('SELECT FROM pg_policy WHERE polrelid = $1::regclass AND polname = $2', [
    table.name,
    fenceName(slot),
  ])
  return rowCount === 1
}

// All of it or nothing, so that a fence is never half there.
async function changeTable(session: Session, table: SlotTable, statements: readonly string[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await session.query('BEGIN')
      await session.query(`SET LOCAL lock_timeout = ${lockMs}`)
      await session.query(`LOCK TABLE ${table.name} IN ACCESS EXCLUSIVE MODE`)
      for (const statement of statements) await session.query(statement)
      await session.query('COMMIT')
      return
    } catch (error) {
      await session.query('ROLLBACK')
      if (!isLockTimeout(error) || tries >= triesMax) throw error
      await clock.sleep(pauseMs, new AbortController().signal)
    }
  }
}
