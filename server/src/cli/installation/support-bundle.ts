import type { Command } from 'commander'
import { examineInstallation } from '../../actions/installation/examine-installation.ts'
import { makeSupportBundle } from '../../actions/installation/make-support-bundle.ts'
import { createSlotMap } from '../../db/core/slot-map.ts'
import { createClock } from '../../process/clock.ts'
import type { CliContext } from '../core/context.ts'

// As for doctor: servers that do not respond are what it is made for.
const deadlines = { statementMs: 3_000, responseMs: 4_000 }

export function addSupportBundleCommand(program: Command, context: CliContext, version: string): void {
  program
    .command('support-bundle')
    .description(
      'Print what helps others to find a fault, as JSON: findings, settings, counts. No customers, numbers, keys or passwords.',
    )
    .action(() => printBundle(context, version))
}

async function printBundle(context: CliContext, version: string): Promise<void> {
  const config = context.readConfig()
  const clock = createClock(1)
  const slots = createSlotMap(config.slotUrls, deadlines, 'operator')
  try {
    const probes = await context.installationProbes(config, clock)
    const deps = {
      slots,
      version,
      settings: context.printableSettings,
      nowSeconds: () => clock.timeOfDayMs() / 1_000,
      examine: async () => ({ findings: await examineInstallation({ config, slots, clock, probes }) }),
    }
    const { text, isLogged } = await makeSupportBundle(deps, context.actor)
    context.say(text)
    if (!isLogged) context.note('The database could not be used: nothing is in the action log, and counts are missing.')
  } finally {
    await slots.close()
  }
}
