// --limit and --before of lists that are too long for one page.

import { UsageError } from '../../process/errors.ts'
import type { CliCommand } from './context.ts'

export type PageOptions = { readonly limit: string; readonly before?: string }

const rowsMax = 10_000

export function withPages(command: CliCommand): CliCommand {
  return command
    .option('--limit <n>', `rows at most, 1 to ${rowsMax}`, '50')
    .option('--before <id>', 'only rows older than this ID: the next page')
}

export function parseLimit(text: string): number {
  const limit = Number(text)
  if (!/^\d+$/.test(text) || limit < 1 || limit > rowsMax) {
    throw new UsageError(`--limit takes a whole number from 1 to ${rowsMax}, not "${text}".`)
  }
  return limit
}
