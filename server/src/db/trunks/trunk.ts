import { type TrunkOptionName, trunkOptionNames, trunkOptions } from '@ringproof/contract/lists/trunk-options.ts'
import type { CallerRange } from '../../domain/trunks/caller-pool.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import type { Session } from '../core/database.ts'

// The column of each field.
const columnOf: Readonly<Record<keyof Trunk, string>> = {
  name: 'name',
  isOn: 'is_on',
  isDraining: 'is_draining',
  passwordSealed: 'password_sealed',
  ...(Object.fromEntries(trunkOptionNames.map((name) => [name, trunkOptions[name].column])) as Readonly<
    Record<TrunkOptionName, string>
  >),
}
const fields = Object.keys(columnOf) as readonly (keyof Trunk)[]
const columns = fields.map((field) => columnOf[field]).join(', ')
const parameters = fields.map((_, index) => `$${index + 1}`).join(', ')

export async function readTrunks(globalDatabase: Session): Promise<readonly Trunk[]> {
  const selected = fields.map((field) => `${columnOf[field]} AS "${field}"`).join(', ')
  const { rows } = await globalDatabase.query<Trunk>(`SELECT ${selected} FROM trunks ORDER BY priority, name`)
  return rows
}

// Whether calls to virtual phones go over real SIP.
export async function hasTestTrunk(globalDatabase: Session): Promise<boolean> {
  const { rowCount } = await globalDatabase.query('SELECT FROM trunks WHERE is_test AND is_on')
  return rowCount === 1
}

export async function putTrunk(globalDatabase: Session, trunk: Trunk): Promise<void> {
  await globalDatabase.query(
    `INSERT INTO trunks (${columns}) VALUES (${parameters})
     ON CONFLICT (name) DO UPDATE SET (${columns}) = ROW (${parameters})`,
    valuesOf(trunk),
  )
}

// False if the name is taken.
export async function insertTrunk(globalDatabase: Session, trunk: Trunk): Promise<boolean> {
  const { rowCount } = await globalDatabase.query(
    `INSERT INTO trunks (${columns}) VALUES (${parameters}) ON CONFLICT DO NOTHING`,
    valuesOf(trunk),
  )
  return rowCount === 1
}

// Also deletes its numbers; false if there is no such trunk.
export async function deleteTrunk(globalDatabase: Session, name: string): Promise<boolean> {
  await globalDatabase.query('DELETE FROM caller_ranges WHERE trunk = $1', [name])
  await globalDatabase.query('DELETE FROM confirmation_numbers WHERE trunk = $1', [name])
  const { rowCount } = await globalDatabase.query('DELETE FROM trunks WHERE name = $1', [name])
  return rowCount === 1
}

// How many numbers would be deleted with it.
export async function countNumbers(globalDatabase: Session, name: string): Promise<number> {
  const { rows } = await globalDatabase.query<{ count: number }>(
    `SELECT coalesce((SELECT sum(last_number - first_number + 1) FROM caller_ranges WHERE trunk = $1), 0)::float8
       + (SELECT count(*) FROM confirmation_numbers WHERE trunk = $1)::float8 AS count`,
    [name],
  )
  return rows[0]?.count ?? 0
}

function valuesOf(trunk: Trunk): unknown[] {
  return fields.map((field) => trunk[field])
}

// Adding a range needs a view of all existing ones: no unique key can prevent an overlap. Readers do not wait.
export async function lockCallerRanges(globalDatabase: Session): Promise<void> {
  await globalDatabase.query('LOCK TABLE caller_ranges IN SHARE ROW EXCLUSIVE MODE')
}

// Sorted by trunk, country and number. As one row for each trunk and country: numbers that were imported one by one are a range each.
export async function readCallerRanges(globalDatabase: Session): Promise<readonly CallerRange[]> {
  return parseRanges(await readRangeTexts(globalDatabase))
}

// The numbers of a trunk and country as JSON: a process that knows the text need not parse it again.
type RangeText = { readonly trunk: string; readonly country: string; readonly ends: string }

export async function readRangeTexts(globalDatabase: Session): Promise<readonly RangeText[]> {
  const { rows } = await globalDatabase.query<RangeText>(
    `SELECT trunk, country,
       json_build_array(json_agg(first_number ORDER BY first_number), json_agg(last_number ORDER BY first_number))::text AS ends
     FROM caller_ranges GROUP BY trunk, country ORDER BY trunk, country`,
  )
  return rows
}

export function parseRanges(texts: readonly RangeText[]): readonly CallerRange[] {
  return texts.flatMap(({ trunk, country, ends }) => {
    const [firsts, lasts] = JSON.parse(ends) as [number[], number[]]
    return firsts.map((first, at) => ({ trunk, country, first, last: lasts[at] ?? first }))
  })
}

// False if the range already exists.
export async function insertCallerRange(globalDatabase: Session, range: CallerRange): Promise<boolean> {
  const { rowCount } = await globalDatabase.query(
    `INSERT INTO caller_ranges (trunk, country, first_number, last_number) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [range.trunk, range.country, range.first, range.last],
  )
  return rowCount === 1
}

export async function deleteCallerRange(globalDatabase: Session, range: CallerRange): Promise<void> {
  await globalDatabase.query('DELETE FROM caller_ranges WHERE trunk = $1 AND country = $2 AND first_number = $3', [
    range.trunk,
    range.country,
    range.first,
  ])
}
