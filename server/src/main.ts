// Where everything is put together: what the operator's hand holds, and how a failure is told.

import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import manifest from '../package.json' with { type: 'json' }
import { buildProgram } from './cli/program.ts'
import { printableSettings, readConfig } from './config.ts'
import { OperatorMistake } from './errors.ts'

const program = buildProgram(
  {
    readConfig,
    printableSettings,
    chance: randomBytes,
    actor: { address: 'cli', userAgent: `ringproof ${manifest.version} (${userInfo().username})` },
    say: (text) => process.stdout.write(`${text}\n`),
  },
  manifest.version,
)

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${tell(error)}\n`)
  process.exitCode = 1
}

function tell(error: unknown): string {
  if (error instanceof OperatorMistake) return error.message
  if (isUnreachable(error))
    return `The database cannot be reached: ${error.code}. Is it running, and is its address right?`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function isUnreachable(error: unknown): error is Error & { code: string } {
  const codes = ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'ECONNRESET']
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
