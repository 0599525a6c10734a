// How a failed command is printed: one sentence if the operator can fix it, otherwise the full stack trace.

import { eachHost } from '../../domain/core/database-address.ts'
import { UsageError } from '../../process/errors.ts'

export function formatFailure(error: unknown): string {
  if (error instanceof UsageError) return error.message
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  // The driver's own timeout has no code.
  if (/timeout/i.test(error.message) && code === '') return unreachable.replace('{code}', 'no response in time')
  const role = /permission denied to set role "(\w+)"/.exec(error.message)?.[1]
  if (role) return notMember.replaceAll('{role}', role)
  const unknown = /^role "(ringproof_\w+)" does not exist/.exec(error.message)?.[1]
  if (unknown)
    return `The database server has no role ${unknown}. \`ringproof migrate\` prints the statements that create it.`
  // An exception from our own SQL contains its fix as a hint.
  if (code === 'P0001' && 'hint' in error && typeof error.hint === 'string') return `${error.message}. ${error.hint}`
  return sentences[code]?.replace('{code}', code) ?? error.stack ?? error.message
}

// For `ringproof migrate`, whose login is another than that of all other commands: on a new server it is the first to be missing.
export function formatOwnerFailure(error: unknown, url: string, setting: string): string {
  const { username, pathname } = new URL(eachHost(url)[0] ?? url)
  const [owner, name] = [decodeURIComponent(username), decodeURIComponent(pathname.slice(1))]
  const code = error instanceof Error && 'code' in error ? error.code : ''
  // With a password an unknown role looks the same as a wrong password.
  const isRejected = code === '28P01' || (code === '28000' && String(error).endsWith('does not exist'))
  if (isRejected) {
    return `The database server rejects ${owner}, the login in ${setting}: the password is wrong or, on a new server, the role is missing. ${creating(owner, name, true)}`
  }
  if (code === '3D000')
    return `The server has no database ${name}, which ${setting} names. ${creating(owner, name, false)}`
  return formatFailure(error).replaceAll('RINGPROOF_DATABASE_URL', setting)
}

// With the statements for an administrator.
export function creating(owner: string, name: string, withOwner: boolean): string {
  const statements = [
    ...(withOwner ? [`CREATE ROLE ${quoted(owner)} LOGIN PASSWORD '…';`] : []),
    `CREATE DATABASE ${quoted(name)} OWNER ${quoted(owner)};`,
  ]
  return `To create what is missing, run as a superuser, then \`ringproof migrate\` again:\n  ${statements.join('\n  ')}`
}

function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}

const notMember =
  'The login in RINGPROOF_DATABASE_URL is not a member of {role}, which this process needs. As a superuser, run ' +
  'GRANT {role} TO that login, or use another login.'
const unreachable =
  'Cannot connect to the database: {code}. Check that PostgreSQL is running and that RINGPROOF_DATABASE_URL is correct.'
const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENOTFOUND: unreachable,
  ETIMEDOUT: unreachable,
  RING1:
    "PostgreSQL's clock is more than a day ahead of the last time this installation was running. Check it: ringproof ids confirm-clock",
  '28P01': 'The database rejects the password. Check RINGPROOF_DATABASE_URL.',
  '28000':
    'The database rejects the login: unknown role, or no permission. Check RINGPROOF_DATABASE_URL and pg_hba.conf.',
  '3D000': 'The server has no database of this name. Check RINGPROOF_DATABASE_URL.',
}
