import { addOptOut, removeOptOut } from '../../actions/protection/opt-outs.ts'
import { mask, type PhoneNumber } from '../../domain/numbers/phone-number.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'
import { parsePhone, phoneOption } from '../numbers/phone-option.ts'

type Options = { readonly phone: string; readonly reason?: string }

export function addOptOutCommands(program: CliCommand): void {
  const optOuts = program.command('opt-outs').description('Manage numbers that must not be called.')
  for (const [verb, description, work] of [
    ['add', 'Reject calls to a number in all services, with code 3.', add],
    ['remove', 'Allow calls to a number again, at the request of its subscriber.', remove],
  ] as const) {
    optOuts
      .command(verb)
      .description(description)
      .requiredOption(...phoneOption)
      .option('--reason <text>', 'why, for the log')
      .work(work)
  }
}

async function add(open: DatabaseContext, options: Options): Promise<CommandResult> {
  const phone = parsePhone(options.phone)
  const isNew = await addOptOut(open, open.actor, phone, options.reason)
  return response(phone, true, isNew ? 'is now opted out' : 'was already opted out')
}

async function remove(open: DatabaseContext, options: Options): Promise<CommandResult> {
  const phone = parsePhone(options.phone)
  const wasThere = await removeOptOut(open, open.actor, phone, options.reason)
  return response(phone, false, wasThere ? 'can be called again' : 'was not opted out')
}

function response(phone: PhoneNumber, isOptedOut: boolean, state: string): CommandResult {
  return { json: { phone: mask(phone), opted_out: isOptedOut }, text: `${mask(phone)} ${state}.` }
}
