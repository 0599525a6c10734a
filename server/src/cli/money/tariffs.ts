import { pricedMethods } from '@ringproof/contract/lists/money.ts'
import { listTariffs, setFailedCallCharge, setTariff } from '../../actions/money/tariffs.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { anyCountry, defaultTariff, isCountry, isModeOf, isPricedMethod } from '../../domain/money/tariff.ts'
import { onOff } from '../../domain/values/parsers.ts'
import { parseText } from '../../domain/values/text.ts'
import { parseTimestamp } from '../../domain/values/time.ts'
import { UsageError } from '../../process/errors.ts'
import { type CliCommand, type CommandResult, type DatabaseContext, parseAmount } from '../core/context.ts'
import { parseOption } from '../core/parse-option.ts'
import { table } from '../core/table.ts'
import { addCostCommand } from './trunk-cost.ts'

export function addTariffCommands(program: CliCommand): void {
  const tariffs = program.command('tariffs').description('Manage prices.')

  tariffs
    .command('set')
    .description(
      'Set a price of a tariff from a given time on, or whether it charges failed calls. Earlier prices stay in the history.',
    )
    .option('--tariff <code>', 'tariff code; created with its first price', defaultTariff)
    .option('--name <name>', 'with --price: tariff name that customers see')
    .option('--method <method>', `with --price: API method: ${pricedMethods.join(', ')}`)
    .option('--mode <mode>', 'flash, voice or mix; only for initCall', '')
    .option('--country <code>', 'ISO 3166 code, or * for all countries without their own price', anyCountry)
    .option('--price <amount>', 'price of one verification or lookup')
    .option(
      '--from <time>',
      'start time of the price, such as 2027-01-01 or 2027-01-01T09:00+03:00; UTC unless an offset is given; default: now',
    )
    .option(
      '--charge-failed <on|off>',
      'on: failed calls cost, too, unless they never reached a carrier; off for a new tariff',
    )
    .work(set)

  tariffs.command('list').description('List all prices: past, current and future.').work(list)

  addCostCommand(tariffs)
}

type PriceOptions = {
  tariff: string
  name?: string
  method: string
  mode: string
  country: string
  price: string
  from?: string
}

type SetOptions = Omit<PriceOptions, 'method' | 'price'> & { method?: string; price?: string; chargeFailed?: string }

async function set(open: DatabaseContext, options: SetOptions): Promise<CommandResult> {
  const { chargeFailed, method, price, ...rest } = options
  const charges = chargeFailed === undefined ? undefined : parseOption('chargeFailed', onOff, chargeFailed)
  if ((method === undefined) !== (price === undefined) || (price === undefined && charges === undefined))
    throw new UsageError('Give --method and --price, or --charge-failed, or all of them.')
  const results = [
    ...(method === undefined || price === undefined ? [] : [await setPrice(open, { ...rest, method, price })]),
    ...(charges === undefined ? [] : [await setFailedCalls(open, rest.tariff, charges)]),
  ]
  return {
    json: Object.assign({}, ...results.map(({ json }) => json)),
    text: results.map(({ text }) => text).join('\n'),
  }
}

async function setPrice(open: DatabaseContext, options: PriceOptions): Promise<CommandResult> {
  const { tariff, method, mode, country } = options
  const validFrom = options.from === undefined ? undefined : parseTimestamp(options.from)
  const name = options.name === undefined ? undefined : parseText(options.name, 1, 100)
  if (!/^[a-z0-9_-]{1,32}$/.test(tariff))
    throw new UsageError(`--tariff takes 1 to 32 of a-z, 0-9, _ and -, not "${tariff}".`)
  if (!isPricedMethod(method)) throw new UsageError(`--method takes ${pricedMethods.join(', ')}, not "${method}".`)
  if (!isModeOf(method, mode)) {
    throw new UsageError(
      method === 'initCall'
        ? `--mode takes flash, voice or mix, not "${mode}".`
        : `${method} has no modes. Omit --mode.`,
    )
  }
  if (!isCountry(country))
    throw new UsageError(`--country takes a two-letter ISO 3166 code in capitals, or *, not "${country}".`)
  if (options.from !== undefined && !validFrom) {
    throw new UsageError(
      `--from takes a date or time, such as 2027-01-01 or 2027-01-01T09:00+03:00, not "${options.from}".`,
    )
  }
  if (options.name !== undefined && !name) {
    throw new UsageError('--name takes 1 to 100 characters without control characters.')
  }

  const price = { method, mode, country, price: parseAmount(options.price), validFrom }
  const inForce = await setTariff(open, open.actor, { tariff, name, price })
  const what = [method, mode, country === anyCountry ? 'all other countries' : country].filter(Boolean).join(' ')
  return {
    json: { tariff, method, mode, country, price: toDecimal(price.price), from: inForce.toISOString() },
    text: `Tariff ${tariff}: ${what} costs ${open.money(price.price)} from ${inForce.toISOString()}.`,
  }
}

async function setFailedCalls(open: DatabaseContext, tariff: string, charges: boolean): Promise<CommandResult> {
  const changed = await setFailedCallCharge(open, open.actor, { tariff, charges })
  const words = charges ? 'charges failed calls' : 'does not charge failed calls'
  return {
    json: { tariff, charges_failed: charges },
    text: `Tariff ${tariff} ${changed ? 'now' : 'already'} ${words}.`,
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
      open.money(price),
      validFrom.toISOString(),
    ]),
  )
  const names = tariffs
    .map(({ code, name, chargesFailed }) => `${code} (${name}${chargesFailed ? ', charges failed calls' : ''})`)
    .join(', ')
  return {
    json: tariffs.map(({ code, name, chargesFailed, prices }) => ({
      tariff: code,
      name,
      charges_failed: chargesFailed,
      prices: prices.map((price) => ({
        method: price.method,
        mode: price.mode,
        country: price.country,
        price: toDecimal(price.price),
        from: price.validFrom.toISOString(),
      })),
    })),
    text:
      rows.length === 0
        ? `Tariffs: ${names}. There are no prices yet: ringproof tariffs set --method … --price …`
        : `Tariffs: ${names}\n${table(['TARIFF', 'METHOD', 'MODE', 'COUNTRY', 'PRICE', 'FROM'], rows)}`,
  }
}
