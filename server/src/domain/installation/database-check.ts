// Evaluates one PostgreSQL server.

import { groupOf, loginOfCli } from '../core/database-role.ts'
import { hourSeconds } from '../values/time.ts'
import { bad, codeOf, counted, type Finding, good, reasonOf, warning } from './finding.ts'
import { postgresMajorMin } from './schema-version.ts'
import { clockOffsetMsBad, clockOffsetMsMax } from './thresholds.ts'

export type DatabaseFacts = {
  readonly versionNumber: number
  readonly version: string
  readonly isStandby: boolean
  readonly syncStandbyNames: string
  readonly standbys: number
  readonly login: string
  readonly isSuperuser: boolean
  // Those of our groups that the login is a member of.
  readonly groups: readonly string[]
  readonly database: string
  readonly riskySettings: readonly RiskySetting[]
  readonly isMigrated: boolean
  // Undefined until the database is migrated.
  readonly clock: ClockFacts | undefined
}

export type RiskySetting = {
  readonly name: string
  readonly value: string
  // The value to set instead.
  readonly safe: string
  // lost: accepted calls may be lost in a crash. logged: statement parameters, including phone numbers, are logged.
  readonly risk: 'lost' | 'logged'
  // As in pg_settings.source: where the value comes from.
  readonly source: string
}

type ClockFacts = {
  readonly offsetMs: number
  readonly errorMs: number
  readonly leadSeconds: number
  readonly isTrusted: boolean
}

// What a pooler takes away.
export type LostInPooler = 'sessions' | 'deadlines'

export const riskSentences = {
  lost: 'a crash can lose calls that were accepted and charged.',
  logged: 'phone numbers can appear in its log as statement parameters.',
} as const

export const poolerSentences = {
  sessions:
    'The database at {host} is behind a connection pooler in transaction or statement mode (pool_mode in ' +
    'pgbouncer.ini), where LISTEN does not work.',
  deadlines:
    'The database at {host} is behind a connection pooler that rejects our session timeouts ' +
    '(statement_timeout and others).',
} as const

export function evaluateDatabase(subject: string, facts: DatabaseFacts): readonly Finding[] {
  return [
    evaluateServer(subject, facts),
    evaluateMigrations(subject, facts),
    ...evaluateSettings(subject, facts),
    ...(facts.isStandby ? [] : [evaluateReplication(subject, facts)]),
    ...(facts.clock ? [evaluateClock(subject, facts.clock)] : []),
    evaluateLogin(subject, facts),
  ]
}

export function evaluatePooler(subject: string, host: string, lost: LostInPooler | undefined): Finding {
  if (lost === undefined) return good('pooler', subject, 'Sessions are exclusive, and notifications arrive.')
  return bad('pooler', subject, poolerSentences[lost].replace('{host}', host), poolerFix)
}

const poolerFix = "point RINGPROOF_DATABASE_URL (or RINGPROOF_SHARD_URLS) at PostgreSQL's own port, 5432 by default"

export function unreachableDatabase(subject: string, error: unknown): Finding {
  const reason = reasonOf(error)
  const role = /permission denied to set role "(\w+)"/.exec(reason)?.[1]
  if (role !== undefined) {
    const cause = `The login of this process is not a member of ${role}, which the checks need.`
    return bad('database', subject, cause, sql(`GRANT ${role} TO …`))
  }
  const [host, port = '5432'] = subject.split('/')[0]?.split(':') ?? []
  const fix = fixes[codeOf(error)] ?? `pg_isready -h ${host} -p ${port}, then correct RINGPROOF_DATABASE_URL`
  return bad('database', subject, `The database cannot be used: ${reason}.`, fix)
}

const fixes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'systemctl start postgresql',
  '28P01': 'psql -c "ALTER ROLE … PASSWORD \'…\'", with the password of RINGPROOF_DATABASE_URL',
  '28000': 'add the login to pg_hba.conf, then: psql -c "SELECT pg_reload_conf()"',
  '3D000': 'createdb --owner=ringproof_owner …, then: ringproof migrate',
  '22023': 'ringproof migrate',
  '42704': 'ringproof migrate',
}

function evaluateServer(subject: string, { versionNumber, version, isStandby }: DatabaseFacts): Finding {
  if (Math.floor(versionNumber / 10_000) < postgresMajorMin) {
    const cause = `PostgreSQL ${version} is too old: ${postgresMajorMin} or newer is needed.`
    return bad('database', subject, cause, `pg_upgradecluster ${Math.floor(versionNumber / 10_000)} main`)
  }
  if (isStandby) {
    return bad(
      'database',
      subject,
      'This server is a standby, so nothing can be written.',
      'point RINGPROOF_DATABASE_URL (or RINGPROOF_SHARD_URLS) at the primary; if it is lost: psql -c "SELECT pg_promote()"',
    )
  }
  return good('database', subject, `PostgreSQL ${version} responds.`)
}

function evaluateMigrations(subject: string, { isMigrated }: DatabaseFacts): Finding {
  if (isMigrated) return good('migrations', subject, 'The schema is that of this program.')
  return bad('migrations', subject, 'The schema is older than this program.', 'ringproof migrate')
}

function evaluateSettings(subject: string, facts: DatabaseFacts): readonly Finding[] {
  const findings = facts.riskySettings.map((setting) => {
    const { name, value, risk } = setting
    const cause = `It has ${name} = ${value}: ${riskSentences[risk]}`
    const fix = resetting(setting, facts)
    return risk === 'lost' ? bad('durability', subject, cause, fix) : warning('statement-log', subject, cause, fix)
  })
  const isQuiet = (check: string) => !findings.some((finding) => finding.check === check)
  return [
    ...(isQuiet('durability') ? [good('durability', subject, 'Commits are on disk before they are confirmed.')] : []),
    ...findings,
    ...(isQuiet('statement-log') ? [good('statement-log', subject, 'No statement parameter is logged.')] : []),
  ]
}

// A value of the role or of the database takes precedence over that of the server, so it has to be removed there.
function resetting({ name, safe, source }: RiskySetting, { login, database }: DatabaseFacts): string {
  if (source === 'user') return sql(`ALTER ROLE ${login} RESET ${name}`)
  if (source === 'database') return sql(`ALTER DATABASE ${database} RESET ${name}`)
  if (source === 'database user') return sql(`ALTER ROLE ${login} IN DATABASE ${database} RESET ${name}`)
  return `${sql(`ALTER SYSTEM SET ${name} = ${safe}`)} -c "SELECT pg_reload_conf()"`
}

function sql(statement: string): string {
  return `psql -c "${statement}"`
}

function evaluateReplication(subject: string, { syncStandbyNames, standbys }: DatabaseFacts): Finding {
  const isSync = syncStandbyNames !== ''
  if (isSync && standbys === 0) {
    const cause = 'Commits wait for a standby, and none is connected.'
    return bad('replication', subject, cause, 'start a standby (systemctl start postgresql on its machine)')
  }
  if (isSync) return good('replication', subject, `Commits wait for one of ${counted(standbys, 'standby server')}.`)
  const sync = `${sql("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'")} -c "SELECT pg_reload_conf()"`
  if (standbys > 0) {
    const cause = 'Commits do not wait for a standby: if this machine is lost, so are the last calls and payments.'
    return warning('replication', subject, cause, sync)
  }
  const cause = 'It has no standby: if its disk is lost, so is everything since the last backup.'
  return warning('replication', subject, cause, `pg_basebackup -R -h ${subject.split(/[:/]/)[0]} -D DIRECTORY`)
}

function evaluateClock(subject: string, { offsetMs, errorMs, leadSeconds, isTrusted }: ClockFacts): Finding {
  const offMs = Math.abs(offsetMs) - errorMs
  if (!isTrusted) {
    const cause = `Its clock is ${Math.round(leadSeconds / hourSeconds)} hours ahead of its last activity, so no call starts.`
    return bad('clock', subject, cause, 'ringproof ids confirm-clock')
  }
  if (offMs <= clockOffsetMsMax) return good('clock', subject, 'Its clock agrees with the clock of this machine.')
  const direction = offsetMs > 0 ? 'ahead of' : 'behind'
  const cause = `Its clock is ${Math.round(Math.abs(offsetMs) / 1_000)} s ${direction} the clock of this machine.`
  const fix = 'timedatectl set-ntp true, on both machines'
  return offMs > clockOffsetMsBad ? bad('clock', subject, cause, fix) : warning('clock', subject, cause, fix)
}

function evaluateLogin(subject: string, { login, isSuperuser, groups }: DatabaseFacts): Finding {
  if (isSuperuser) {
    const cause = `The login ${login} is a superuser: a fault in any process can change money and rights.`
    return bad('database-login', subject, cause, sql(`ALTER ROLE ${login} NOSUPERUSER`))
  }
  if (groups.includes(groupOf('operator')) && groups.length > 1) {
    const cause = `The login ${login} has the rights of the command line and of processes, so such a process can do what commands can.`
    const statement = `CREATE ROLE ${loginOfCli} LOGIN PASSWORD '…' IN ROLE ${groupOf('operator')}`
    return warning(
      'database-login',
      subject,
      cause,
      `${sql(statement)}, and REVOKE ${groupOf('operator')} FROM ${login}`,
    )
  }
  return good('database-login', subject, `The login ${login} has the rights of ${counted(groups.length, 'role')} only.`)
}
