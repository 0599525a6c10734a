import type { Command } from 'commander'
import { showVerification } from '../actions/show-verification.ts'
import type { Verification } from '../db/verification.ts'
import { toRoubles } from '../domain/money/money.ts'
import { secondOfVerification } from '../domain/slot.ts'
import {
  type CliContext,
  type CommandResult,
  type DatabaseContext,
  parseVerificationId,
  withDatabase,
} from './context.ts'

export function addVerificationCommands(program: Command, context: CliContext): void {
  const verifications = program.command('verifications').description('Show verifications.')

  verifications
    .command('show')
    .description('Show one verification: timeline, cause, charge.')
    .argument('<verification>', 'verification ID (vendor_id in the API)')
    .option('--json', 'print JSON')
    .action(withDatabase(context, show))
}

async function show(open: DatabaseContext, text: string): Promise<CommandResult> {
  const { verification, phoneMask, description, explanation } = await showVerification(open, parseVerificationId(text))
  if (!explanation) return { json: { ...facts(verification, phoneMask), description }, text: description }
  const { cause, atFault, advice } = explanation
  return {
    json: { ...facts(verification, phoneMask), description, cause, at_fault: atFault, advice },
    text: `${description}\n${cause} At fault: ${atFault}. ${advice}`,
  }
}

// Leaves out the code and the customer's own data about the person.
function facts(verification: Verification, phoneMask: string): Record<string, unknown> {
  const { id, state, price } = verification
  return {
    vendor_id: id,
    account_id: verification.accountId,
    service_id: verification.serviceId,
    mode: verification.mode,
    state,
    test: verification.isTest,
    phone: phoneMask,
    country: verification.country,
    price: toRoubles(price),
    charged: state === 'succeeded' ? toRoubles(price) : 0,
    attempt: verification.attempt,
    trunk: verification.trunk,
    caller_number: verification.callerNumber,
    accepted: new Date(secondOfVerification(id) * 1000).toISOString(),
    dialled: verification.dialledAt?.toISOString() ?? null,
    rang: verification.rangAt?.toISOString() ?? null,
    ended: verification.endedAt?.toISOString() ?? null,
    reason: verification.reason,
    sip_status: verification.sipStatus,
    post_dial_ms: verification.postDialMs,
    ring_ms: verification.ringMs,
    ended_by: verification.endedBy,
  }
}
