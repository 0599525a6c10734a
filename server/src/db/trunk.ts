import type { CallerRange } from '../domain/caller-pool.ts'
import type { Trunk } from '../domain/routing.ts'
import type { Session } from './database.ts'

export async function readTrunks(home: Session): Promise<readonly Trunk[]> {
  const { rows } = await home.query<Trunk>(
    `SELECT name, is_on AS "isOn", position, countries, channels, calls_per_second AS "callsPerSecond",
            counts_early_media AS "countsEarlyMedia", ring_seconds AS "ringSeconds",
            inbound_format AS "inboundFormat"
     FROM trunks ORDER BY position, name`,
  )
  return rows
}

export async function putTrunk(home: Session, trunk: Trunk): Promise<void> {
  await home.query(
    `INSERT INTO trunks (name, is_on, position, countries, channels, calls_per_second, counts_early_media, ring_seconds,
       inbound_format)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (name) DO UPDATE SET (is_on, position, countries, channels, calls_per_second, counts_early_media,
       ring_seconds, inbound_format) = (excluded.is_on, excluded.position, excluded.countries, excluded.channels,
       excluded.calls_per_second, excluded.counts_early_media, excluded.ring_seconds, excluded.inbound_format)`,
    [
      trunk.name,
      trunk.isOn,
      trunk.position,
      trunk.countries,
      trunk.channels,
      trunk.callsPerSecond,
      trunk.countsEarlyMedia,
      trunk.ringSeconds,
      trunk.inboundFormat,
    ],
  )
}

// False when there is one of that name already.
export async function insertTrunk(home: Session, trunk: Trunk): Promise<boolean> {
  const { name, isOn, position, countries, channels, callsPerSecond, countsEarlyMedia, ringSeconds, inboundFormat } =
    trunk
  const { rowCount } = await home.query(
    `INSERT INTO trunks (name, is_on, position, countries, channels, calls_per_second, counts_early_media, ring_seconds,
       inbound_format)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT DO NOTHING`,
    [name, isOn, position, countries, channels, callsPerSecond, countsEarlyMedia, ringSeconds, inboundFormat],
  )
  return rowCount === 1
}

// Whoever adds a range must see those of everybody else: two that overlap have no key in common. Readers do not wait.
export async function lockCallerRanges(home: Session): Promise<void> {
  await home.query('LOCK TABLE caller_ranges IN SHARE ROW EXCLUSIVE MODE')
}

export async function readCallerRanges(home: Session): Promise<readonly CallerRange[]> {
  const { rows } = await home.query<CallerRange>(
    `SELECT trunk, country, first_number AS first, last_number AS last FROM caller_ranges
     ORDER BY trunk, country, first_number`,
  )
  return rows
}

// False when the range is there already.
export async function insertCallerRange(home: Session, range: CallerRange): Promise<boolean> {
  const { rowCount } = await home.query(
    `INSERT INTO caller_ranges (trunk, country, first_number, last_number) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [range.trunk, range.country, range.first, range.last],
  )
  return rowCount === 1
}
