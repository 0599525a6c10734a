// What `ringproof doctor` and the operator console say about an installation: one finding per check and server, trunk or file.

import type { findingLevels } from '@ringproof/contract/lists/installation.ts'
import { dayMs } from '../values/time.ts'
import type { CheckName } from './checks.ts'

export type Level = (typeof findingLevels)[number]

export type Finding = {
  readonly check: CheckName
  // Which server, trunk, country or file; empty if there is only one.
  readonly subject: string
  readonly level: Level
  // One sentence.
  readonly cause: string
  // One command, or one setting to set. Undefined if there is nothing to do.
  readonly fix: string | undefined
}

export function good(check: CheckName, subject: string, cause: string): Finding {
  return { check, subject, level: 'good', cause, fix: undefined }
}

export function warning(check: CheckName, subject: string, cause: string, fix: string): Finding {
  return { check, subject, level: 'warning', cause, fix }
}

export function bad(check: CheckName, subject: string, cause: string, fix: string): Finding {
  return { check, subject, level: 'bad', cause, fix }
}

// Why something could not be examined, as one clause without a full stop. Some errors of the system have only a code.
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = codeOf(error)
  const known = reasons[code]
  if (known !== undefined) return known
  if (/timeout|timed out|aborted/i.test(error.message)) return 'no response in time'
  const [line = ''] = error.message.split('\n')
  return (line || code || error.name).replace(/\.$/, '')
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens on this port',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the host name does not resolve',
  ETIMEDOUT: 'no response in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

// 1 and more: 'one stream', '3 streams'.
export function counted(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`
}

export function days(ms: number): string {
  const whole = Math.floor(ms / dayMs)
  return whole === 1 ? '1 day' : `${whole} days`
}
