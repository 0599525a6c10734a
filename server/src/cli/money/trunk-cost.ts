// What carriers take: `ringproof tariffs cost`. The console shows what is left of the prices.

import { verificationModes } from '@ringproof/contract/lists/calls.ts'
import { setTrunkCost } from '../../actions/money/tariffs.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { anyCountry, isCountry } from '../../domain/money/tariff.ts'
import { parseTimestamp } from '../../domain/values/time.ts'
import { UsageError } from '../../process/errors.ts'
import { type CliCommand, type CommandResult, type DatabaseContext, parseAmount } from '../core/context.ts'

export function addCostCommand(tariffs: CliCommand): void {
  tariffs
    .command('cost')
    .description(
      'Set what a carrier takes for one dialled call, from a given time on. Earlier costs stay in the history.',
    )
    .requiredOption('--trunk <name>', 'name of the trunk')
    .requiredOption('--mode <mode>', verificationModes.join(', '))
    .option('--country <code>', 'ISO 3166 code, or * for all countries without their own cost', anyCountry)
    .requiredOption('--cost <amount>', 'cost of one dialled call')
    .option('--from <time>', 'start time, such as 2027-01-01; UTC unless an offset is given; default: now')
    .work(setCost)
}

type CostOptions = { trunk: string; mode: string; country: string; cost: string; from?: string }

async function setCost(open: DatabaseContext, options: CostOptions): Promise<CommandResult> {
  const { trunk, country } = options
  const mode = verificationModes.find((one) => one === options.mode)
  if (!mode) throw new UsageError(`--mode takes ${verificationModes.join(', ')}, not "${options.mode}".`)
  if (!isCountry(country))
    throw new UsageError(`--country takes a two-letter ISO 3166 code in capitals, or *, not "${country}".`)
  const validFrom = options.from === undefined ? undefined : parseTimestamp(options.from)
  if (options.from !== undefined && !validFrom)
    throw new UsageError(`--from takes a date or time, such as 2027-01-01, not "${options.from}".`)
  const cost = parseAmount(options.cost)
  const inForce = await setTrunkCost(open, open.actor, { trunk, mode, country, cost, validFrom })
  return {
    json: { trunk, mode, country, cost: toDecimal(cost), from: inForce.toISOString() },
    text: `Trunk ${trunk}: a ${mode} call costs ${open.money(cost)} from ${inForce.toISOString()}.`,
  }
}
