import type { Command } from 'commander'
import { addCallerRange } from '../actions/add-caller-range.ts'
import { addConfirmationNumbers } from '../actions/add-confirmation-numbers.ts'
import { type CodeRange, codesPossible, showCoverage } from '../actions/show-coverage.ts'
import { isCountryCode } from '../domain/numbers/country.ts'
import { UsageError } from '../errors.ts'
import { type CliContext, type CommandResult, type DatabaseContext, withDatabase } from './context.ts'
import { table } from './table.ts'

export function addNumberCommands(program: Command, context: CliContext): void {
  const numbers = program.command('numbers').description('Our own numbers: those that call, and those that are called.')

  numbers
    .command('add-range')
    .description('Add caller numbers of a trunk, as a range with both its ends.')
    .requiredOption('--trunk <name>', 'whose numbers they are')
    .requiredOption('--country <code>', 'where they are shown, by its ISO 3166 code')
    .requiredOption('--first <digits>', 'the lowest, with the country code and without a plus')
    .requiredOption('--last <digits>', 'the highest')
    .option('--json', 'print JSON')
    .action(withDatabase(context, addRange))

  numbers
    .command('add-inbound')
    .description('Add confirmation numbers of a trunk, which subscribers call: one, or a range with both its ends.')
    .requiredOption('--trunk <name>', 'over which calls to them come in')
    .requiredOption('--first <digits>', 'the lowest, with the country code and without a plus')
    .option('--last <digits>', 'the highest; by default there is one')
    .option('--json', 'print JSON')
    .action(withDatabase(context, addInbound))

  numbers
    .command('coverage')
    .description('Show which codes calls can show, by country. 0000 is no code.')
    .option('--country <code>', 'only this country')
    .option('--json', 'print JSON')
    .action(withDatabase(context, coverage))
}

// A slip of the pen must not make a million rows.
const inboundMax = 10_000

type RangeOptions = { trunk: string; country: string; first: string; last: string }

async function addRange(open: DatabaseContext, { trunk, country, first, last }: RangeOptions): Promise<CommandResult> {
  assertCountry(country)
  const range = { trunk, country, ...parseRange(first, last) }
  await addCallerRange(open, open.actor, range)
  const count = range.last - range.first + 1
  return {
    json: { ...range, numbers: count },
    text: `Trunk ${trunk} has ${count} more numbers, shown in ${country}. Look: ringproof numbers coverage`,
  }
}

async function addInbound(
  open: DatabaseContext,
  { trunk, first, last = first }: Omit<RangeOptions, 'country' | 'last'> & { last?: string },
): Promise<CommandResult> {
  const range = parseRange(first, last)
  const count = range.last - range.first + 1
  if (count > inboundMax) throw new UsageError(`at most ${inboundMax} are added at once`)
  await addConfirmationNumbers(open, open.actor, { trunk, ...range })
  return {
    json: { trunk, ...range, numbers: count },
    text: `Subscribers may be told ${count} more numbers of trunk ${trunk} within a moment.`,
  }
}

async function coverage(open: DatabaseContext, options: { country?: string }): Promise<CommandResult> {
  if (options.country !== undefined) assertCountry(options.country)
  const countries = await showCoverage(open, options.country)
  const rows = countries.map(({ country, numbers, codes, missing }) => [
    country,
    String(numbers),
    `${codes} of ${codesPossible}`,
    missing.map(asText).join(' ') || 'none',
  ])
  return {
    json: countries.map(({ country, numbers, codes, missing }) => ({
      country,
      numbers,
      codes,
      missing: missing.map(asText),
    })),
    text:
      rows.length === 0
        ? 'There are no caller numbers yet. Add some: ringproof numbers add-range --trunk …'
        : table(['COUNTRY', 'NUMBERS', 'CODES', 'MISSING'], rows),
  }
}

function asText({ first, last }: CodeRange): string {
  return first === last ? first : `${first}-${last}`
}

function assertCountry(text: string): void {
  if (!isCountryCode(text)) throw new UsageError('--country takes the two capital letters of ISO 3166')
}

function parseRange(firstText: string, lastText: string): { readonly first: number; readonly last: number } {
  const range = { first: parseNumber('--first', firstText), last: parseNumber('--last', lastText) }
  if (firstText.length !== lastText.length) {
    throw new UsageError('--first and --last take numbers of the same length')
  }
  if (range.first > range.last) throw new UsageError('--first is above --last')
  return range
}

function parseNumber(option: string, text: string): number {
  if (!/^[1-9]\d{6,14}$/.test(text)) {
    throw new UsageError(`${option} takes 7 to 15 digits, with the country code and without a plus`)
  }
  return Number(text)
}
