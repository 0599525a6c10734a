// PostgreSQL settings that decide whether commits are durable and whether phone numbers get into its log. They may be set for
// the server, the database or the login, so they are read over one of our sessions.

import type { RiskySetting } from '../../domain/installation/database-check.ts'
import type { Session } from './database.ts'

const durability = ['fsync', 'full_page_writes', 'synchronous_commit'] as const
// Each makes the server log statements unless it has this value.
const statementLogs = new Map([
  ['log_statement', 'none'],
  ['log_min_duration_statement', '-1'],
  ['log_min_duration_sample', '-1'],
  ['log_transaction_sample_rate', '0'],
])

export async function riskySettings(session: Session): Promise<readonly RiskySetting[]> {
  const { rows } = await session.query<{ name: string; value: string; source: string }>(
    `SELECT name, setting AS value, source FROM pg_settings
     WHERE name = ANY ($1)`,
    [[...durability, ...statementLogs.keys(), ...parameterLogs]],
  )
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const sources = new Map(rows.map(({ name, source }) => [name, source]))
  const sourceOf = (name: string) => sources.get(name) ?? ''
  const logsStatements = [...statementLogs].some(
    ([name, quiet]) => values.get(name) !== quiet && !logsNoRows(values, name),
  )
  return [
    ...durability
      .filter((name) => values.get(name) === 'off')
      .map((name) => ({ name, value: 'off', safe: 'on', risk: 'lost', source: sourceOf(name) }) as const),
    ...parameterLogs
      .filter((name) => values.get(name) !== '0' && (logsStatements || name === onError))
      .map(
        (name) => ({ name, value: values.get(name) ?? '', safe: '0', risk: 'logged', source: sourceOf(name) }) as const,
      ),
  ]
}

const onError = 'log_parameter_max_length_on_error'
const parameterLogs = ['log_parameter_max_length', onError] as const

// Serving processes run no DDL.
function logsNoRows(values: ReadonlyMap<string, string>, name: string): boolean {
  return name === 'log_statement' && values.get(name) === 'ddl'
}
