// Copies rows of a slot from one database to another: by pages of keys first, then whatever has changed since. Rows travel as
// PostgreSQL writes them, so every type arrives as it was.

import type { Slot } from '../../domain/core/slot.ts'
import type { Session } from './database.ts'
import { type SlotTable, slotSql, slotTables } from './slot-tables.ts'

export type Pair = { readonly source: Session; readonly target: Session; readonly slot: Slot }

export type Key = readonly string[]

// What the catalogue says about a table.
type Shape = {
  readonly columns: readonly string[]
  readonly types: Readonly<Record<string, string>>
  // Its rows cannot be deleted and written again: others refer to them.
  readonly isReferenced: boolean
}
export type Shapes = ReadonlyMap<string, Shape>

const keysMax = 1_000
const changesMax = 10_000

export async function readShapes(session: Session): Promise<Shapes> {
  const { rows } = await session.query<Shape & { name: string }>(
    `SELECT c.relname AS name, json_agg(a.attname ORDER BY a.attnum) AS columns,
       json_object_agg(a.attname, format_type(a.atttypid, a.atttypmod)) AS types,
       EXISTS (SELECT FROM pg_constraint AS f WHERE f.confrelid = c.oid AND f.contype = 'f') AS "isReferenced"
     FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1) GROUP BY c.oid, c.relname`,
    [slotTables.map(({ name }) => name)],
  )
  return new Map(rows.map(({ name, ...shape }) => [name, shape]))
}

// Partitions of the source that the target lacks: its days began later.
export async function copyPartitions({ source, target }: Pair): Promise<void> {
  const { rows } = await source.query<{ parent: string; name: string; bounds: string; options: string | null }>(
    `SELECT p.relname AS parent, c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds,
       array_to_string(c.reloptions, ', ') AS options
     FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid JOIN pg_class AS p ON p.oid = i.inhparent
     WHERE p.relname = ANY ($1) AND c.relkind = 'r' ORDER BY 1, 2`,
    [slotTables.map(({ name }) => name)],
  )
  for (const { parent, name, bounds, options } of rows) {
    const { rows: found } = await target.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
      name,
    ])
    if (found[0]?.exists) continue
    const storage = options ? ` WITH (${options})` : ''
    await target.query(`CREATE TABLE ${name} (LIKE ${parent} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)${storage}`)
    await target.query(`ALTER TABLE ${parent} ATTACH PARTITION ${name} ${bounds}`)
  }
}

// The next keys of the slot after this one, in order.
export async function readKeys(
  { source, slot }: Pick<Pair, 'source' | 'slot'>,
  table: SlotTable,
  shapes: Shapes,
  after: Key | undefined,
): Promise<readonly Key[]> {
  const key = table.key.join(', ')
  const from = table.key.map((column, nth) => `$${nth + 1}::${typeOf(shapes, table, column)}`).join(', ')
  const { rows } = await source.query<string[]>({
    text: `SELECT ${table.key.map((column) => `${column}::text`).join(', ')} FROM (
             SELECT DISTINCT ${key} FROM ${table.name}
             WHERE ${slotSql(table)} = ${slot} ${after ? `AND (${key}) > (${from})` : ''}
             ORDER BY ${key} LIMIT ${keysMax}) AS page ORDER BY ${table.key.map((column) => `page.${column}`).join(', ')}`,
    values: after ? [...after] : [],
    rowMode: 'array',
  } as never)
  return rows
}

// Makes the rows with these keys in the target what they are in the source. Returns how many there are.
export async function syncKeys(pair: Pair, table: SlotTable, shapes: Shapes, keys: readonly Key[]): Promise<number> {
  const { source, target } = pair
  const { columns, isReferenced } = shapes.get(table.name) as Shape
  const rows = await readRows(source, table, shapes, keys)
  const texts = rows.map(({ row }) => row)
  const found = new Set(rows.map(({ key }) => key.join('\0')))
  // The text of a key may come from JSON, so it is compared as the source writes it.
  const gone = isReferenced
    ? (await readRows(target, table, shapes, keys)).filter(({ key }) => !found.has(key.join('\0')))
    : []
  const deleted = isReferenced ? gone.map(({ key }) => key) : keys
  if (deleted.length > 0) await deleteKeys(target, table, shapes, deleted)
  if (texts.length === 0) return 0
  const others = columns.filter((column) => !table.key.includes(column))
  const update = `ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET (${others.join(', ')}) = ROW(${others.map((column) => `excluded.${column}`).join(', ')})`
  await target.query(
    `INSERT INTO ${table.name} SELECT * FROM unnest($1::${table.name}[]) ${isReferenced ? update : ''}`,
    [texts],
  )
  return texts.length
}

// Copies what has changed since it was copied, and forgets that it has. Returns how many changes there were. With `isChecked` the
// rows are read again from the target.
export async function copyChanges(pair: Pair, shapes: Shapes, isChecked = false): Promise<number> {
  const { source, slot } = pair
  const { rows } = await source.query<{ id: number; table: string; key: Key }>(
    `SELECT id, table_name AS "table", key FROM slot_changes WHERE slot = $1 ORDER BY id LIMIT ${changesMax}`,
    [slot],
  )
  const byTable = Map.groupBy(rows, ({ table }) => table)
  for (const table of slotTables) {
    const changed = new Map(byTable.get(table.name)?.map(({ key }) => [key.join('\0'), key]))
    for (const keys of pagesOf([...changed.values()])) {
      await syncKeys(pair, table, shapes, keys)
      if (isChecked) await assertSame(pair, table, shapes, keys)
    }
  }
  await source.query('DELETE FROM slot_changes WHERE id = ANY ($1)', [rows.map(({ id }) => id)])
  return rows.length
}

// How many rows of the slot a table has, and a checksum of them.
export async function checksumOf(session: Session, slot: Slot, table: SlotTable): Promise<string> {
  const { rows } = await session.query<{ checksum: string }>(
    `SELECT count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS checksum
     FROM ${table.name} AS t WHERE ${slotSql(table)} = ${slot}`,
  )
  return rows[0]?.checksum ?? ''
}

// Deletes the next rows of the slot after this key. Returns the last key, or undefined when none are left.
export async function deletePage(
  session: Session,
  slot: Slot,
  table: SlotTable,
  shapes: Shapes,
  after: Key | undefined,
): Promise<Key | undefined> {
  const keys = await readKeys({ source: session, slot }, table, shapes, after)
  if (keys.length > 0) await deleteKeys(session, table, shapes, keys)
  return keys.at(-1)
}

async function deleteKeys(session: Session, table: SlotTable, shapes: Shapes, keys: readonly Key[]): Promise<void> {
  await session.query(
    `DELETE FROM ${table.name} AS t USING ${keysSql(table, shapes)} WHERE ${matchSql(table)}`,
    valuesOf(table, keys),
  )
}

async function assertSame(
  { source, target }: Pair,
  table: SlotTable,
  shapes: Shapes,
  keys: readonly Key[],
): Promise<void> {
  const [before, after] = await Promise.all([source, target].map((one) => readRows(one, table, shapes, keys)))
  const textOf = (rows: typeof before) =>
    rows
      ?.map(({ row }) => row)
      .toSorted()
      .join('\n')
  if (textOf(before) !== textOf(after)) throw new Error(`changed rows of ${table.name} differ in the target`)
}

async function readRows(
  session: Session,
  table: SlotTable,
  shapes: Shapes,
  keys: readonly Key[],
): Promise<readonly { readonly key: Key; readonly row: string }[]> {
  const { rows } = await session.query<{ key: Key; row: string }>(
    `SELECT ARRAY[${table.key.map((column) => `t.${column}::text`).join(', ')}] AS key, t::text AS row
     FROM ${keysSql(table, shapes)} JOIN ${table.name} AS t ON ${matchSql(table)}`,
    valuesOf(table, keys),
  )
  return rows
}

// Keys as a table of one array for each column.
function keysSql(table: SlotTable, shapes: Shapes): string {
  const arrays = table.key.map((column, nth) => `$${nth + 1}::${typeOf(shapes, table, column)}[]`)
  return `unnest(${arrays.join(', ')}) AS k(${table.key.join(', ')})`
}

function matchSql(table: SlotTable): string {
  return table.key.map((column) => `t.${column} = k.${column}`).join(' AND ')
}

function valuesOf(table: SlotTable, keys: readonly Key[]): string[][] {
  return table.key.map((_, nth) => keys.map((key) => key[nth] ?? ''))
}

function typeOf(shapes: Shapes, table: SlotTable, column: string): string {
  const type = shapes.get(table.name)?.types[column]
  if (!type) throw new Error(`${table.name} has no column ${column}`)
  return type
}

function pagesOf(keys: readonly Key[]): readonly (readonly Key[])[] {
  return Array.from({ length: Math.ceil(keys.length / keysMax) }, (_, nth) =>
    keys.slice(nth * keysMax, (nth + 1) * keysMax),
  )
}
