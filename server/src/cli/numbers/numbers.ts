import { addCallerRange } from '../../actions/trunks/caller-numbers.ts'
import {
  codesPossible,
  type ListedNumbers,
  listNumbers,
  showCoverage,
} from '../../actions/trunks/caller-numbers-view.ts'
import { addConfirmationNumbers } from '../../actions/trunks/confirmation-numbers.ts'
import { removeNumbers } from '../../actions/trunks/number-removal.ts'
import { isCountryCode } from '../../domain/numbers/country.ts'
import { UsageError } from '../../process/errors.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'
import { type Column, listResult, table } from '../core/table.ts'
import { addFile, codesText, type FileOptions } from './caller-file.ts'

export function addNumberCommands(program: CliCommand): CliCommand {
  const numbers = program
    .command('numbers')
    .description('Manage our own numbers: caller numbers and confirmation numbers.')

  numbers
    .command('add-range')
    .description('Add caller numbers to a trunk: a range, both ends included, or the ranges of a file.')
    .requiredOption('--trunk <name>', 'trunk that owns the numbers')
    .requiredOption('--country <code>', 'country where they are shown as caller ID, as ISO 3166 code')
    .option('--first <digits>', 'first number, with country code and without +')
    .option('--last <digits>', 'last number')
    .option(
      '--file <path>',
      'text or CSV file, as the carrier sent it: one number or FIRST-LAST a line; - reads standard input. Numbers that are there already are left out',
    )
    .option('--dry-run', 'with --file: only show what would be added and which codes become possible')
    .work(add)

  numbers
    .command('add-inbound')
    .description(
      'Add confirmation numbers, which subscribers call, to a trunk: one number or a range, both ends included.',
    )
    .requiredOption('--trunk <name>', 'trunk that delivers calls to these numbers')
    .requiredOption('--first <digits>', 'first number, with country code and without +')
    .option('--last <digits>', 'last number; default: only the first')
    .work(addInbound)

  const list = numbers
    .command('list')
    .description('List caller ranges and confirmation numbers.')
    .option('--trunk <name>', 'only this trunk')
  list.workList(listAll)

  numbers
    .command('remove')
    .description(
      'Remove numbers from a trunk, both ends included. Accepted calls keep their caller number, and subscribers can still call a confirmation number that they were given.',
    )
    .requiredOption('--trunk <name>', 'trunk that owns the numbers')
    .requiredOption('--first <digits>', 'first number, with country code and without +')
    .option('--last <digits>', 'last number; default: only the first')
    .work(remove)

  numbers
    .command('coverage')
    .description('Show by country which codes flash calls can show. 0000 is never used.')
    .option('--country <code>', 'show only this country')
    .work(coverage)
  return numbers
}

// A typo must not create a million rows.
const inboundMax = 10_000

type RangeOptions = { trunk: string; country: string; first: string; last: string }
type AddOptions = FileOptions & { first?: string; last?: string; file?: string }

async function add(open: DatabaseContext, { first, last, file, ...options }: AddOptions): Promise<CommandResult> {
  assertCountry(options.country)
  if (file !== undefined && first === undefined && last === undefined) return addFile(open, file, options)
  if (file !== undefined || first === undefined || last === undefined || options.dryRun)
    throw new UsageError('Give either --first and --last, or --file. --dry-run is for --file.')
  return addRange(open, { ...options, first, last })
}

async function addRange(open: DatabaseContext, { trunk, country, first, last }: RangeOptions): Promise<CommandResult> {
  const range = { trunk, country, ...parseRange(first, last) }
  await addCallerRange(open, open.actor, range)
  const count = range.last - range.first + 1
  return {
    json: { ...range, numbers: count },
    text: `Trunk ${trunk} has ${count} more caller numbers for ${country}. Check: ringproof numbers coverage`,
  }
}

type NumberOptions = Omit<RangeOptions, 'country' | 'last'> & { last?: string }

async function addInbound(
  open: DatabaseContext,
  { trunk, first, last = first }: NumberOptions,
): Promise<CommandResult> {
  const range = parseRange(first, last)
  const count = range.last - range.first + 1
  if (count > inboundMax)
    throw new UsageError(`The range has ${count} numbers; at most ${inboundMax} can be added at once. Split it.`)
  await addConfirmationNumbers(open, open.actor, { trunk, ...range })
  return {
    json: { trunk, ...range, numbers: count },
    text: `Trunk ${trunk} has ${count} more confirmation numbers. They are used within seconds.`,
  }
}

async function listAll(open: DatabaseContext, { trunk }: { trunk?: string }): Promise<CommandResult> {
  const empty = 'There are no numbers yet. Add some: ringproof numbers add-range --trunk …'
  return listResult(columns, await listNumbers(open, trunk), empty)
}

const columns: readonly Column<ListedNumbers>[] = [
  { name: 'kind', head: 'KIND', value: ({ kind }) => kind },
  { name: 'trunk', head: 'TRUNK', value: ({ trunk }) => trunk },
  { name: 'country', head: 'COUNTRY', value: ({ country }) => country ?? null },
  { name: 'first', head: 'FIRST', value: ({ first }) => first },
  { name: 'last', head: 'LAST', value: ({ last }) => last },
  { name: 'numbers', head: 'NUMBERS', value: ({ first, last }) => last - first + 1 },
  { name: 'state', head: 'STATE', value: stateOf },
]

function stateOf({ isRemoved, quarantined }: ListedNumbers): string {
  if (isRemoved) return 'removed'
  return quarantined > 0 ? `${quarantined} in quarantine` : 'active'
}

async function remove(open: DatabaseContext, { trunk, first, last = first }: NumberOptions): Promise<CommandResult> {
  const range = parseRange(first, last)
  const removed = await removeNumbers(open, open.actor, { trunk, ...range })
  const { callerNumbers, confirmationNumbers } = removed
  return {
    json: { trunk, ...range, caller_numbers: callerNumbers, confirmation_numbers: confirmationNumbers },
    text: [
      `Removed from trunk ${trunk}: ${callerNumbers} caller numbers, ${confirmationNumbers} confirmation numbers.`,
      ...(callerNumbers > 0 ? ['Check: ringproof numbers coverage'] : []),
    ].join('\n'),
  }
}

async function coverage(open: DatabaseContext, options: { country?: string }): Promise<CommandResult> {
  if (options.country !== undefined) assertCountry(options.country)
  const countries = await showCoverage(open, options.country)
  const rows = countries.map(({ country, numbers, codes, missing }) => [
    country,
    String(numbers),
    `${codes} of ${codesPossible}`,
    missing.map(codesText).join(' ') || 'none',
  ])
  return {
    json: countries.map(({ country, numbers, codes, missing }) => ({
      country,
      numbers,
      codes,
      missing: missing.map(codesText),
    })),
    text:
      rows.length === 0
        ? 'There are no caller numbers yet. Add some: ringproof numbers add-range --trunk …'
        : table(['COUNTRY', 'NUMBERS', 'CODES', 'MISSING'], rows),
  }
}

function assertCountry(text: string): void {
  if (!isCountryCode(text))
    throw new UsageError(`--country takes a two-letter ISO 3166 code in capitals, not "${text}".`)
}

export function parseRange(firstText: string, lastText: string): { readonly first: number; readonly last: number } {
  const range = { first: parseNumber('--first', firstText), last: parseNumber('--last', lastText) }
  if (firstText.length !== lastText.length) {
    throw new UsageError('--first and --last must have the same number of digits.')
  }
  if (range.first > range.last)
    throw new UsageError(`--first ${firstText} is greater than --last ${lastText}. Swap them.`)
  return range
}

function parseNumber(option: string, text: string): number {
  if (!/^[1-9]\d{6,14}$/.test(text)) {
    throw new UsageError(`${option} takes 7 to 15 digits with country code and without +, not "${text}".`)
  }
  return Number(text)
}
