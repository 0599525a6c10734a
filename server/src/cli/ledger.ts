import type { Command } from 'commander'
import { auditLedger } from '../actions/audit-ledger.ts'
import { formatRoubles, toRoubles } from '../domain/money/money.ts'
import { UsageError } from '../errors.ts'
import { type CliContext, type CommandResult, type DatabaseContext, withDatabase } from './context.ts'

export function addLedgerCommands(program: Command, context: CliContext): void {
  program
    .command('ledger')
    .description('Check the ledger.')
    .command('audit')
    .description(
      'Compare every balance with its ledger entries and every hold with its active verification. The sum over all accounts must be zero.',
    )
    .option('--json', 'print JSON')
    .action(withDatabase(context, audit))
}

async function audit(open: DatabaseContext): Promise<CommandResult> {
  const { accounts, sum, faults } = await auditLedger(open)
  if (faults.length > 0) throw new UsageError(`The ledger has discrepancies:\n  ${faults.join('\n  ')}`)
  return {
    json: { accounts, sum: toRoubles(sum), faults },
    text: `No discrepancies in ${accounts} accounts; the sum is ${formatRoubles(sum)}.`,
  }
}
