import { type OperatorRole, operatorRoles } from '@ringproof/contract/web/access.ts'
import { webPages } from '@ringproof/contract/web/pages.ts'
import { inviteOperator } from '../../actions/people/invitations.ts'
import { removeFactors } from '../../actions/people/recovery.ts'
import { oneOf } from '../../domain/values/parsers.ts'
import { Denial, UsageError } from '../../process/errors.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'
import { parseOption } from '../core/parse-option.ts'

export function addOperatorCommands(program: CliCommand): void {
  const operators = program.command('operators').description('Manage the people who may use the operator console.')
  operators
    .command('create')
    .description('Print a link with which a person becomes an operator. It works once, for 24 hours.')
    .requiredOption('--email <email>', 'e-mail address of the person')
    .option(`--role <${operatorRoles.join('|')}>`, 'what the person may do', 'admin')
    .work(create)
}

async function create(open: DatabaseContext, options: { email: string; role: string }): Promise<CommandResult> {
  const role: OperatorRole = parseOption('role', oneOf(...operatorRoles), options.role)
  const deps = { ...open, letters: { operator: () => undefined } }
  const by = { email: open.actor.operator ?? '' }
  const command = { email: options.email, role, language: 'en' } as const
  const token = await inviteOperator(deps, open.actor, by, command).catch((error: unknown) => {
    if (error instanceof Denial) throw new UsageError(`Invalid e-mail address: ${options.email}`)
    throw error
  })
  const link = `${open.readConfig().publicUrl}${webPages.acceptInvitation}#token=${token}`
  return {
    json: { email: options.email, role, link },
    text: `Open this link within 24 hours. It works once:\n${link}`,
  }
}

export function addPeopleCommands(program: CliCommand): void {
  const people = program.command('people').description('Help the people who sign in to the web pages.')
  people
    .command('remove-factors')
    .description(
      'Remove all second factors of a person who has lost them, and end their sessions. First make sure who is asking.',
    )
    .requiredOption('--email <email>', 'e-mail address of the person')
    .work(remove)
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
