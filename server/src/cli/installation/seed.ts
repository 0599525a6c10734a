import { seedDemo } from '../../actions/installation/seed-demo.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'

export function addSeedCommands(program: CliCommand): void {
  const seed = program.command('seed').description('Load demo data.')

  seed
    .command('demo')
    .description(
      'Create what a first call of a provider needs: a trunk, its numbers, what calls cost, a fictitious numbering registry. Existing data is not changed.',
    )
    .work(demo)
}

async function demo(open: DatabaseContext): Promise<CommandResult> {
  const { trunks, callerRanges, confirmationNumbers, prices } = await seedDemo(open, open.actor)
  const registries = (await importRegistry(open)) ? 1 : 0
  const counts = { trunks, caller_ranges: callerRanges, confirmation_numbers: confirmationNumbers, prices, registries }
  const made = Object.entries(counts).filter(([, count]) => count > 0)
  return {
    json: counts,
    text:
      made.length === 0
        ? 'All demo data is already there.'
        : `Created: ${made.map(([what, count]) => `${what.replace('_', ' ')} ${count}`).join(', ')}.`,
  }
}

// Without a directory for it the demo works, too: then only the numbering plans are used.
async function importRegistry(open: DatabaseContext): Promise<boolean> {
  const { numberingDir } = open.readConfig()
  if (numberingDir === '') return false
  const isNew = await (await open.numbering()).importDemoRegistry(numberingDir)
  if (isNew) await open.notifyNumberingChanged()
  return isNew
}
