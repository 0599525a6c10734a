import type { Command } from 'commander'
import { UsageError } from '../errors.ts'
import { type CliContext, type Role, roles } from './context.ts'

export function addServeCommand(program: Command, context: Pick<CliContext, 'serve'>): void {
  program
    .command('serve')
    .description('Run the server until it receives SIGTERM or Ctrl-C.')
    .option('--roles <roles>', `roles of this process, comma-separated: ${roles.join(', ')}`, roles.join(','))
    .action((options: { roles: string }) => context.serve(parseRoles(options.roles)))
}

function parseRoles(text: string): readonly Role[] {
  return text.split(',').map((word) => {
    const role = roles.find((known) => known === word.trim())
    if (!role) throw new UsageError(`Unknown role in --roles: ${word}. Use ${roles.join(', ')}.`)
    return role
  })
}
