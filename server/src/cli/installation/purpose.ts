import { purposes } from '@ringproof/contract/lists/installation.ts'
import type { Command } from 'commander'
import { setPurpose } from '../../actions/installation/setup.ts'
import type { Purpose } from '../../domain/installation/purpose.ts'
import { type CliContext, type CommandResult, type DatabaseContext, withDatabase } from '../core/context.ts'
import { parseOneOf } from '../core/parse-option.ts'

export function addPurposeCommand(program: Command, context: CliContext): void {
  program
    .command('installation')
    .description('Set what the installation is for.')
    .command('set')
    .description('Verify the users of one company, or sell calls to customers as a provider.')
    .requiredOption('--purpose <purpose>', purposes.join(' or '))
    .option('--json', 'print JSON')
    .action(withDatabase(context, set))
}

async function set(open: DatabaseContext, options: { purpose: string }): Promise<CommandResult> {
  const purpose: Purpose = parseOneOf('--purpose', purposes, options.purpose)
  const isChanged = await setPurpose(open, open.actor, purpose)
  return {
    json: { purpose, changed: isChanged },
    text: isChanged
      ? `The installation is for: ${purpose}. Pages follow when they are loaded again.`
      : 'Nothing changed.',
  }
}
