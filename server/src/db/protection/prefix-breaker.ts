// Circuit breakers of prefixes and countries: their input in every database, their state in the global database.

import type { NumberPrefix } from '../../domain/numbers/number-prefix.ts'
import type { Breaker, CallCounts } from '../../domain/protection/prefix-breaker.ts'
import type { BreakerScope, PrefixState } from '../../domain/protection/prefix-gate.ts'
import { secondsOf } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import type { Session } from '../core/database.ts'

// Sums up past minutes, each once, however many processes call it.
export async function rollUpPrefixes(session: Session, timeScale: number): Promise<void> {
  await session.query('SELECT roll_up_prefixes($1)', [timeScale])
}

// Without a prefix, the window of a whole country.
export type PrefixWindow = CallCounts & { readonly country: string; readonly prefix: NumberPrefix | null }

export async function readWindows(
  session: Session,
  minutes: number,
  callsMin: number,
  watched: readonly NumberPrefix[],
  timeScale: number,
): Promise<readonly PrefixWindow[]> {
  const { rows } = await session.query<PrefixWindow>(
    `SELECT country, prefix, calls::float8, answered::float8, repeats::float8 FROM prefix_windows($1, $2, $3, $4)`,
    [minutes, callsMin, watched, timeScale],
  )
  return rows
}

// The time to evaluate at; undefined if another process has evaluated this minute or is doing so.
export async function beginMinute(globalDatabase: Session, timeScale: number): Promise<number | undefined> {
  await globalDatabase.query(
    `INSERT INTO fraud_progress (job, done_until) VALUES ('breakers', '-infinity') ON CONFLICT DO NOTHING`,
  )
  const { rows } = await globalDatabase.query<{ now: Date }>(
    `UPDATE fraud_progress SET done_until = clock_timestamp()
     WHERE job = 'breakers' AND done_until <= clock_timestamp() - interval '1 minute' * $1::float8
     RETURNING clock_timestamp() AS now`,
    [timeScale],
  )
  return rows[0]?.now.getTime()
}

type BreakerRow = {
  readonly scope: BreakerScope
  readonly phase: Breaker['phase']
  readonly since: Date
  readonly cooldownMs: number
  readonly calls: number
  readonly answered: number
  readonly repeats: number
}

// The breakers of these scopes, and all that are not closed.
export async function readBreakers(
  globalDatabase: Session,
  scopes: readonly BreakerScope[],
): Promise<ReadonlyMap<BreakerScope, Breaker>> {
  const { rows } = await globalDatabase.query<BreakerRow>(
    `SELECT scope, phase, since, cooldown_ms AS "cooldownMs", baseline_calls AS calls, baseline_answered AS answered,
            baseline_repeats AS repeats
     FROM prefix_breakers WHERE scope = ANY ($1) OR phase <> 'closed'`,
    [scopes],
  )
  return new Map(
    rows.map(({ scope, phase, since, cooldownMs, ...baseline }) => [
      scope,
      { phase, sinceMs: since.getTime(), cooldownMs, baseline },
    ]),
  )
}

export async function writeBreakers(
  globalDatabase: Session,
  breakers: ReadonlyMap<BreakerScope, Breaker>,
): Promise<void> {
  const rows = [...breakers].map(([scope, { phase, sinceMs, cooldownMs, baseline }]) => ({
    scope,
    phase,
    since: new Date(sinceMs),
    cooldown_ms: cooldownMs,
    baseline_calls: baseline.calls,
    baseline_answered: baseline.answered,
    baseline_repeats: baseline.repeats,
  }))
  await globalDatabase.query(
    `INSERT INTO prefix_breakers AS b
       (scope, phase, since, cooldown_ms, baseline_calls, baseline_answered, baseline_repeats)
     SELECT scope, phase, since, cooldown_ms, baseline_calls, baseline_answered, baseline_repeats
     FROM jsonb_populate_recordset(NULL::prefix_breakers, $1) ORDER BY scope
     ON CONFLICT (scope) DO UPDATE SET (phase, since, cooldown_ms, baseline_calls, baseline_answered, baseline_repeats,
         updated_at) =
       ROW (excluded.phase, excluded.since, excluded.cooldown_ms, excluded.baseline_calls, excluded.baseline_answered,
         excluded.baseline_repeats, clock_timestamp())`,
    [JSON.stringify(rows)],
  )
  await globalDatabase.query(
    `DELETE FROM prefix_breakers WHERE scope IN (
       SELECT scope FROM prefix_breakers
       WHERE phase = 'closed' AND updated_at < clock_timestamp() - make_interval(secs => $1) LIMIT 1000)`,
    [secondsOf(retention.prefixBreakers.kept)],
  )
}

type PrefixSum = { readonly prefix: NumberPrefix; readonly calls: number; readonly until: Date }

export async function readPrefixSums(
  session: Session,
  callsMin: number,
  prefixes: readonly NumberPrefix[],
): Promise<readonly PrefixSum[]> {
  const { rows } = await session.query<PrefixSum>('SELECT prefix, calls::float8, until FROM prefix_sums($1, $2)', [
    callsMin,
    prefixes,
  ])
  return rows
}

export async function writeFullPrefixes(globalDatabase: Session, full: readonly PrefixSum[]): Promise<void> {
  await globalDatabase.query(
    `INSERT INTO full_prefixes (prefix, until) SELECT * FROM unnest($1::bigint[], $2::timestamptz[]) ORDER BY 1
     ON CONFLICT (prefix) DO UPDATE SET until = excluded.until`,
    [full.map(({ prefix }) => prefix), full.map(({ until }) => until)],
  )
}

export async function forgetFullPrefixes(globalDatabase: Session): Promise<void> {
  await globalDatabase.query('DELETE FROM full_prefixes WHERE until <= clock_timestamp()')
}

// Breakers that are not closed and prefixes above the cap of all services, newest first.
type BlockedScope = {
  readonly scope: BreakerScope
  readonly rule: 'breaker' | 'prefix-cap-all'
  readonly since: Date
  // Null: half-open, so a few calls are let through.
  readonly until: Date | null
}

export async function readBlockedScopes(
  globalDatabase: Session,
  timeScale: number,
  limit: number,
): Promise<readonly BlockedScope[]> {
  const { rows } = await globalDatabase.query<BlockedScope>(
    `SELECT scope, 'breaker' AS rule, since,
       CASE phase WHEN 'open' THEN since + interval '1 millisecond' * cooldown_ms * $1::float8 END AS until
     FROM prefix_breakers WHERE phase <> 'closed'
     UNION ALL
     SELECT prefix::text, 'prefix-cap-all', since, until FROM full_prefixes WHERE until > clock_timestamp()
     ORDER BY since DESC LIMIT $2`,
    [timeScale, limit],
  )
  return rows
}

// An operator lets calls through again.
export async function closeBreaker(globalDatabase: Session, scope: BreakerScope): Promise<void> {
  await globalDatabase.query(
    `UPDATE prefix_breakers SET phase = 'closed', since = clock_timestamp() WHERE scope = $1 AND phase <> 'closed'`,
    [scope],
  )
}

// The prefix state that every process needs, in one statement.
export async function readPrefixState(globalDatabase: Session): Promise<PrefixState> {
  const { rows } = await globalDatabase.query<Omit<PrefixState, 'nowMs'> & { now: Date }>(
    `SELECT clock_timestamp() AS now,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('scope', scope, 'phase', phase,
          'sinceMs', round(extract(epoch FROM since) * 1000), 'cooldownMs', cooldown_ms)), '[]')
        FROM prefix_breakers WHERE phase <> 'closed') AS breakers,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('prefix', prefix,
          'untilMs', round(extract(epoch FROM until) * 1000))), '[]')
        FROM full_prefixes WHERE until > clock_timestamp()) AS "full",
       (SELECT coalesce(jsonb_agg(jsonb_build_object('scope', scope,
          'untilMs', round(extract(epoch FROM until) * 1000))), '[]')
        FROM allowed_prefixes WHERE until IS NULL OR until > clock_timestamp()) AS allowed,
       (SELECT coalesce(jsonb_object_agg(rule, calls_max), '{}') FROM fraud_limits) AS limits`,
  )
  const [state] = rows
  if (!state) return { breakers: [], full: [], allowed: [], limits: {}, nowMs: 0 }
  const { now, ...rest } = state
  return { ...rest, nowMs: now.getTime() }
}
