// How a failed command is told: a sentence where a person can do something, and all we know where they cannot.

import { UsageError } from '../errors.ts'

export function formatFailure(error: unknown): string {
  if (error instanceof UsageError) return error.message
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  // The driver's own time limit comes without a code.
  if (/timeout/i.test(error.message) && code === '') return unreachable.replace('{code}', 'no response in time')
  const role = /permission denied to set role "(\w+)"/.exec(error.message)?.[1]
  if (role) return notMember.replaceAll('{role}', role)
  const unknown = /^role "(ringproof_\w+)" does not exist/.exec(error.message)?.[1]
  if (unknown) return `The database server has no role ${unknown}. \`ringproof migrate\` says which roles to create.`
  // An exception of our own SQL says what to do.
  if (code === 'P0001' && 'hint' in error && typeof error.hint === 'string') return `${error.message}. ${error.hint}`
  return sentences[code]?.replace('{code}', code) ?? error.stack ?? error.message
}

const notMember =
  'The login of RINGPROOF_DATABASE_URL is no member of {role}, which this process needs. As a superuser: ' +
  'GRANT {role} TO that login. Or use a login that is.'
const unreachable = 'The database cannot be reached: {code}. Is it running, and is its address right?'
const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENOTFOUND: unreachable,
  ETIMEDOUT: unreachable,
  EADDRINUSE: 'The port is taken by another program. Choose another RINGPROOF_HTTP_PORT or RINGPROOF_METRICS_PORT.',
  RING1:
    "PostgreSQL's clock is more than a day ahead of the last time this installation was at work. `ringproof ids confirm-clock` shows it.",
  '28P01': 'The database refuses the password. Look at RINGPROOF_DATABASE_URL.',
  '28000': 'The database does not know the role, or does not let it in. Look at RINGPROOF_DATABASE_URL.',
  '3D000': 'The server has no database of that name. Look at RINGPROOF_DATABASE_URL.',
}
