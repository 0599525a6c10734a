// Caller numbers that are taken out of use and brought back: `ringproof numbers quarantine`.

import { quarantineNumbers, returnNumbers } from '../../actions/trunks/number-removal.ts'
import { UsageError } from '../../process/errors.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'
import { parseRange } from '../numbers/numbers.ts'

export function addCallerNumberCommands(numbers: CliCommand): void {
  numbers
    .command('quarantine')
    .description(
      'Take caller numbers of a trunk out of use, both ends included, or end their quarantine. Accepted calls keep their caller number.',
    )
    .requiredOption('--trunk <name>', 'trunk that owns the numbers')
    .requiredOption('--first <digits>', 'first number, with country code and without +')
    .option('--last <digits>', 'last number; default: only the first')
    .option('--reason <text>', 'why, for the log: at most 200 characters; required without --end')
    .option('--days <number>', 'bring them back after so many days; default: until it is ended')
    .option('--end', 'use them again')
    .work(quarantine)
}

type QuarantineOptions = { trunk: string; first: string; last?: string; reason?: string; days?: string; end?: true }

async function quarantine(
  open: DatabaseContext,
  { trunk, first, last = first, reason = '', days, end }: QuarantineOptions,
): Promise<CommandResult> {
  const range = parseRange(first, last)
  if (end) {
    if (days !== undefined) throw new UsageError('Give either --days or --end.')
    await returnNumbers(open, open.actor, { trunk, ...range })
    return { json: { trunk, ...range }, text: 'Calls use these numbers again within seconds.' }
  }
  if (reason.trim() === '' || reason.length > 200) throw new UsageError('--reason takes 1 to 200 characters.')
  if (days !== undefined && !/^[1-9]\d{0,2}$/.test(days))
    throw new UsageError(`--days takes 1 to 999 days, not "${days}".`)
  const command = { trunk, ...range, reason: reason.trim(), days: days === undefined ? undefined : Number(days) }
  const { numbers } = await quarantineNumbers(open, open.actor, command)
  return {
    json: { trunk, ...range, numbers },
    text: `No new call shows these ${numbers} numbers of trunk ${trunk}. Check: ringproof numbers coverage`,
  }
}
