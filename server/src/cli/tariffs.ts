import type { Command } from 'commander'
import { listTariffs } from '../actions/list-tariffs.ts'
import { setTariff } from '../actions/set-tariff.ts'
import { formatRoubles, toRoubles } from '../domain/money/money.ts'
import {
  anyCountry,
  defaultTariff,
  isCountry,
  isModeOf,
  isPricedMethod,
  pricedMethods,
} from '../domain/money/tariff.ts'
import { parseText } from '../domain/text.ts'
import { parseTimestamp } from '../domain/timestamp.ts'
import { UsageError } from '../errors.ts'
import { type CliContext, type CommandResult, type DatabaseContext, parseAmount, withDatabase } from './context.ts'
import { table } from './table.ts'

export function addTariffCommands(program: Command, context: CliContext): void {
  const tariffs = program.command('tariffs').description('What things cost.')

  tariffs
    .command('set')
    .description('Set a price. Earlier prices stay on record and are followed by this one.')
    .option('--tariff <code>', 'the tariff; made if it is new', defaultTariff)
    .option('--name <name>', 'what customers see the tariff called')
    .requiredOption('--method <method>', pricedMethods.join(', '))
    .option('--mode <mode>', 'flash, voice or mix; for initCall only', '')
    .option('--country <code>', 'its ISO 3166 code, or * for every country without its own price', anyCountry)
    .requiredOption('--price <roubles>', 'for one verification or look-up')
    .option(
      '--from <time>',
      'in force from, such as 2027-01-01 or 2027-01-01T09:00, by UTC unless +03:00 follows; now if not given',
    )
    .option('--json', 'print JSON')
    .action(withDatabase(context, set))

  tariffs
    .command('list')
    .description('Show all prices, also past and coming ones.')
    .option('--json', 'print JSON')
    .action(withDatabase(context, list))
}

type SetOptions = {
  tariff: string
  name?: string
  method: string
  mode: string
  country: string
  price: string
  from?: string
}

async function set(open: DatabaseContext, options: SetOptions): Promise<CommandResult> {
  const { tariff, method, mode, country } = options
  const validFrom = options.from === undefined ? undefined : parseTimestamp(options.from)
  const name = options.name === undefined ? undefined : parseText(options.name, 1, 100)
  if (!/^[a-z0-9_-]{1,32}$/.test(tariff)) throw new UsageError('--tariff takes 1 to 32 of a-z, 0-9, _ and -')
  if (!isPricedMethod(method)) throw new UsageError(`--method takes ${pricedMethods.join(', ')}`)
  if (!isModeOf(method, mode)) {
    throw new UsageError(method === 'initCall' ? '--mode takes flash, voice or mix' : `${method} has no --mode`)
  }
  if (!isCountry(country)) throw new UsageError('--country takes the two capital letters of ISO 3166, or *')
  if (options.from !== undefined && !validFrom) {
    throw new UsageError('--from takes a day or a time of it, such as 2027-01-01 or 2027-01-01T09:00+03:00')
  }
  if (options.name !== undefined && !name) {
    throw new UsageError('--name takes 1 to 100 characters, none of them a control character')
  }

  const price = { method, mode, country, price: parseAmount(options.price), validFrom }
  const inForce = await setTariff(open, open.actor, { tariff, name, price })
  const what = [method, mode, country === anyCountry ? 'anywhere else' : country].filter(Boolean).join(' ')
  return {
    json: { tariff, method, mode, country, price: toRoubles(price.price), from: inForce.toISOString() },
    text: `Tariff ${tariff}: ${what} costs ${formatRoubles(price.price)} roubles from ${inForce.toISOString()}.`,
  }
}

async function list(open: DatabaseContext): Promise<CommandResult> {
  const tariffs = await listTariffs(open)
  const rows = tariffs.flatMap(({ code, prices }) =>
    prices.map(({ method, mode, country, price, validFrom }) => [
      code,
      method,
      mode || '-',
      country,
      formatRoubles(price),
      validFrom.toISOString(),
    ]),
  )
  const names = tariffs.map(({ code, name }) => `${code} (${name})`).join(', ')
  return {
    json: tariffs.map(({ code, name, prices }) => ({
      tariff: code,
      name,
      prices: prices.map((price) => ({
        method: price.method,
        mode: price.mode,
        country: price.country,
        price: toRoubles(price.price),
        from: price.validFrom.toISOString(),
      })),
    })),
    text:
      rows.length === 0
        ? `Tariffs: ${names}. There are no prices yet: ringproof tariffs set --method … --price …`
        : `Tariffs: ${names}\n${table(['TARIFF', 'METHOD', 'MODE', 'COUNTRY', 'ROUBLES', 'FROM'], rows)}`,
  }
}
