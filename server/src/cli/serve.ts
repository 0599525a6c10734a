import type { Command } from 'commander'
import { UsageError } from '../errors.ts'
import { type CliContext, type Role, roles } from './context.ts'

export function addServeCommand(program: Command, context: CliContext): void {
  program
    .command('serve')
    .description('Run the service until it is told to stop (SIGTERM, Ctrl-C).')
    .option('--roles <roles>', `what this process does, comma-separated: ${roles.join(', ')}`, roles.join(','))
    .action((options: { roles: string }) => context.serve(parseRoles(options.roles)))
}

function parseRoles(text: string): readonly Role[] {
  return text.split(',').map((word) => {
    const role = roles.find((known) => known === word.trim())
    if (!role) throw new UsageError(`there is no role ${word}; there is ${roles.join(', ')}`)
    return role
  })
}
