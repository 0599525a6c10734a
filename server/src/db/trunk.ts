import type { CallerRange } from '../domain/trunks/caller-pool.ts'
import type { Trunk } from '../domain/trunks/trunk.ts'
import type { Session } from './database.ts'

export async function readTrunks(globalDatabase: Session): Promise<readonly Trunk[]> {
  const { rows } = await globalDatabase.query<Trunk>(
    `SELECT name, is_on AS "isOn", is_draining AS "isDraining", is_test AS "isTest", priority, countries, channels, calls_per_second AS "callsPerSecond",
            counts_early_media AS "countsEarlyMedia", ring_seconds AS "ringSeconds", address, transport,
            sip_user AS "user", password_sealed AS "passwordSealed", outbound_registration AS "outboundRegistration", called_prefix AS "calledPrefix",
            called_format AS "calledFormat", caller_format AS "callerFormat", caller_id_header AS "callerIdHeader",
            from_user AS "fromUser", inbound_format AS "inboundFormat", identity, return_path AS "returnPath", allows_relay AS "allowsRelay",
            srtp
     FROM trunks ORDER BY priority, name`,
  )
  return rows
}

// Whether calls to virtual phones go over real SIP.
export async function hasTestTrunk(globalDatabase: Session): Promise<boolean> {
  const { rowCount } = await globalDatabase.query('SELECT FROM trunks WHERE is_test AND is_on')
  return rowCount === 1
}

const columns = `name, is_on, priority, countries, channels, calls_per_second, counts_early_media, ring_seconds, address,
  transport, sip_user, password_sealed, outbound_registration, called_prefix, called_format, caller_format, caller_id_header,
  from_user, inbound_format, identity, return_path, allows_relay, srtp, is_test, is_draining`
const parameters =
  '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25'

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
  return [
    trunk.name,
    trunk.isOn,
    trunk.priority,
    trunk.countries,
    trunk.channels,
    trunk.callsPerSecond,
    trunk.countsEarlyMedia,
    trunk.ringSeconds,
    trunk.address,
    trunk.transport,
    trunk.user,
    trunk.passwordSealed,
    trunk.outboundRegistration,
    trunk.calledPrefix,
    trunk.calledFormat,
    trunk.callerFormat,
    trunk.callerIdHeader,
    trunk.fromUser,
    trunk.inboundFormat,
    trunk.identity,
    trunk.returnPath,
    trunk.allowsRelay,
    trunk.srtp,
    trunk.isTest,
    trunk.isDraining,
  ]
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
export type RangeText = { readonly trunk: string; readonly country: string; readonly ends: string }

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
