import { purposes } from '@ringproof/contract/lists/installation.ts'
import { setPurpose } from '../../actions/installation/setup.ts'
import { oneOf } from '../../domain/values/parsers.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'
import { parseOption } from '../core/parse-option.ts'

export function addPurposeCommand(program: CliCommand): void {
  program
    .command('installation')
    .description('Set what the installation is for.')
    .command('set')
    .description('Verify the users of one company, or sell calls to customers as a provider.')
    .requiredOption('--purpose <purpose>', purposes.join(' or '))
    .work(set)
}

async function set(open: DatabaseContext, options: { purpose: string }): Promise<CommandResult> {
  const purpose = parseOption('purpose', oneOf(...purposes), options.purpose)
  const isChanged = await setPurpose(open, open.actor, purpose)
  return {
    json: { purpose, changed: isChanged },
    text: isChanged
      ? `The installation is for: ${purpose}. Pages follow when they are loaded again.`
      : 'Nothing changed.',
  }
}
