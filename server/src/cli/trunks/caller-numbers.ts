// Commands of `ringproof numbers` that bring caller numbers in, take them out of use and bring them back.

import { readFileSync } from 'node:fs'
import { importCallerNumbers, previewCallerImport } from '../../actions/trunks/caller-numbers.ts'
import { quarantineNumbers, returnNumbers } from '../../actions/trunks/number-removal.ts'
import { UsageError } from '../../process/errors.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'
import { assertCountry, codesText, parseRange } from '../numbers/numbers.ts'

export function addCallerNumberCommands(numbers: CliCommand): void {
  numbers
    .command('import')
    .description(
      'Add the caller numbers of a file to a trunk: one number or FIRST-LAST a line. Numbers that are there already are left out.',
    )
    .argument('<file>', 'text or CSV file, as the carrier sent it; - reads standard input')
    .requiredOption('--trunk <name>', 'trunk that owns the numbers')
    .requiredOption('--country <code>', 'country where they are shown as caller ID, as ISO 3166 code')
    .option('--dry-run', 'only show what would be added and which codes become possible')
    .work(importFile)

  numbers
    .command('quarantine')
    .description(
      'Take caller numbers of a trunk out of use, both ends included. Accepted calls keep their caller number.',
    )
    .requiredOption('--trunk <name>', 'trunk that owns the numbers')
    .requiredOption('--first <digits>', 'first number, with country code and without +')
    .option('--last <digits>', 'last number; default: only the first')
    .requiredOption('--reason <text>', 'why, for the log: at most 200 characters')
    .option('--days <number>', 'bring them back after so many days; default: when they are returned')
    .work(quarantine)

  numbers
    .command('return')
    .description('Use caller numbers again that were in quarantine, both ends included.')
    .requiredOption('--trunk <name>', 'trunk that owns the numbers')
    .requiredOption('--first <digits>', 'first number, with country code and without +')
    .option('--last <digits>', 'last number; default: only the first')
    .work(giveBack)
}

type ImportOptions = { trunk: string; country: string; dryRun?: boolean }

async function importFile(
  open: DatabaseContext,
  path: string,
  { trunk, country, dryRun }: ImportOptions,
): Promise<CommandResult> {
  assertCountry(country)
  const command = { trunk, country, text: readText(path) }
  const preview = await previewCallerImport(open, command)
  const { added, duplicates, taken, repeated, invalidLines, gained, missingAfter } = preview
  if (!dryRun) await importCallerNumbers(open, open.actor, { ...command, expected: added })
  const codes = gained.map(codesText)
  return {
    json: {
      added,
      duplicates,
      taken,
      repeated,
      invalid_lines: invalidLines,
      codes_gained: codes,
      codes_missing: missingAfter,
    },
    text: [
      `${dryRun ? 'Would add' : 'Added'} ${added} caller numbers for ${country} to trunk ${trunk}.`,
      `Left out: ${duplicates} that are there already, ${taken} with another use, ${repeated} repeated in the file.`,
      ...(invalidLines.length > 0 ? [`Lines that are no number: ${shortened(invalidLines.map(String))}.`] : []),
      `Codes that become possible: ${shortened(codes) || 'none'}. Codes without a number afterwards: ${missingAfter}.`,
    ].join('\n'),
  }
}

type RangeOptions = { trunk: string; first: string; last?: string }

async function quarantine(
  open: DatabaseContext,
  { trunk, first, last = first, reason, days }: RangeOptions & { reason: string; days?: string },
): Promise<CommandResult> {
  const range = parseRange(first, last)
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

async function giveBack(open: DatabaseContext, { trunk, first, last = first }: RangeOptions): Promise<CommandResult> {
  const range = parseRange(first, last)
  await returnNumbers(open, open.actor, { trunk, ...range })
  return { json: { trunk, ...range }, text: 'Calls use these numbers again within seconds.' }
}

function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function shortened(texts: readonly string[]): string {
  const shown = texts.slice(0, 20).join(' ')
  return texts.length > 20 ? `${shown} and ${texts.length - 20} more` : shown
}
