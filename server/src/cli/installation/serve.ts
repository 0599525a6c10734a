import { Command } from 'commander'
import { type ProcessRole, processRoles } from '../../domain/core/database-role.ts'
import { UsageError } from '../../process/errors.ts'
import type { CliContext } from '../core/context.ts'

export function addServeCommand(program: Command, context: Pick<CliContext, 'serve'>): void {
  program
    .command('serve')
    .description('Run the server until it receives SIGTERM or Ctrl-C.')
    .option(
      '--roles <roles>',
      `roles of this process, comma-separated: ${processRoles.join(', ')}`,
      processRoles.join(','),
    )
    .action((options: { roles: string }) => context.serve(parseRoles(options.roles)))
}

function parseRoles(text: string): readonly ProcessRole[] {
  return text.split(',').map((word) => {
    const role = processRoles.find((known) => known === word.trim())
    if (!role) throw new UsageError(`Unknown role in --roles: ${word}. Use ${processRoles.join(', ')}.`)
    return role
  })
}

// The program without its other commands: a server would hold them in memory for as long as it runs.

export function buildServeProgram(context: Pick<CliContext, 'serve'>, version: string): Command {
  const program = describeProgram(new Command('ringproof'), version)
  addServeCommand(program, context)
  return program
}

export function describeProgram<Program extends Command>(program: Program, version: string): Program {
  return program
    .description('Run and manage a self-hosted phone-call verification service.')
    .version(version)
    .showHelpAfterError('(add --help for usage)')
}
