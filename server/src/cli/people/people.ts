import type { Command } from 'commander'
import { removeFactors } from '../../actions/people/recovery.ts'
import { type CliContext, type CommandResult, type DatabaseContext, withDatabase } from '../core/context.ts'

export function addPeopleCommands(program: Command, context: CliContext): void {
  const people = program.command('people').description('Help the people who sign in to the web pages.')
  people
    .command('remove-factors')
    .description(
      'Remove all second factors of a person who has lost them, and end their sessions. First make sure who is asking.',
    )
    .requiredOption('--email <email>', 'e-mail address of the person')
    .option('--json', 'print JSON')
    .action(withDatabase(context, remove))
}

async function remove(open: DatabaseContext, { email }: { email: string }): Promise<CommandResult> {
  const removed = await removeFactors(open, open.actor, email)
  return {
    json: { email, removed },
    text:
      removed.length === 0
        ? `${email} has no second factor. All their sessions have ended.`
        : `Removed: ${removed.join(', ')}. All sessions of ${email} have ended; the password alone signs in now.`,
  }
}
