// Every CLI command, in one list.

import type { Command } from 'commander'
import { requestDeadlines } from '../db/core/database.ts'
import { createSlotMap } from '../db/core/slot-map.ts'
import { readPurpose } from '../db/installation/installation.ts'
import { addAccountCommands } from './accounts/accounts.ts'
import { addServiceCommands } from './accounts/services.ts'
import { CliCommand, type CliContext } from './core/context.ts'
import { asksForHelp, withoutMoney, withTaskHelp } from './core/help.ts'
import { addIdCommands } from './core/ids.ts'
import { addAuditCommands } from './installation/audit.ts'
import { addBackupCommands } from './installation/backup.ts'
import { addDoctorCommand } from './installation/doctor.ts'
import { addInstallCommands } from './installation/install.ts'
import { addAsteriskCommands, addEdgeCommands } from './installation/node.ts'
import { addPurposeCommand } from './installation/purpose.ts'
import { addSecretCommands } from './installation/secrets.ts'
import { addSeedCommands } from './installation/seed.ts'
import { addServeCommand, describeProgram } from './installation/serve.ts'
import { addSlotCommands } from './installation/slots.ts'
import { addSupportBundleCommand } from './installation/support-bundle.ts'
import { addInvoiceCommands } from './money/invoices.ts'
import { addLedgerCommands } from './money/ledger.ts'
import { addPaymentCommands } from './money/payments.ts'
import { addTariffCommands } from './money/tariffs.ts'
import { addAnnouncementCommands } from './notices/announcements.ts'
import { addNumberCommands } from './numbers/numbers.ts'
import { addRegistryCommands } from './numbers/registry.ts'
import { addOperatorCommands, addPeopleCommands } from './people/operators.ts'
import { addFraudCommands } from './protection/fraud.ts'
import { addOptOutCommands } from './protection/opt-outs.ts'
import { addRequestCommands } from './requests/requests.ts'
import { addCallerNumberCommands } from './trunks/caller-numbers.ts'
import { addRouteCommands } from './trunks/routes.ts'
import { addTrunkCommands } from './trunks/trunks.ts'
import { addPrivacyCommands } from './verifications/privacy.ts'
import { addStatsCommand } from './verifications/stats.ts'
import { addVerificationCommands } from './verifications/verifications.ts'
import { addWebhookCommands } from './webhooks/webhooks.ts'

export function buildProgram(context: CliContext, version: string): Command {
  const program = describeProgram(new CliCommand(context, 'ringproof'), version)
  addInstallCommands(program, context)
  addPurposeCommand(program)
  addServeCommand(program, context)
  addDoctorCommand(program, context)
  addSupportBundleCommand(program, context, version)
  addBackupCommands(program, context)
  addAccountCommands(program)
  addServiceCommands(program)
  addOperatorCommands(program)
  addPeopleCommands(program)
  addSecretCommands(program)
  addTariffCommands(program)
  addTrunkCommands(program)
  addAsteriskCommands(program, context)
  addEdgeCommands(program, context)
  addCallerNumberCommands(addNumberCommands(program))
  addRouteCommands(program)
  addRegistryCommands(program, context)
  addVerificationCommands(program)
  addRequestCommands(program)
  addStatsCommand(program)
  addOptOutCommands(program)
  addPrivacyCommands(program)
  addFraudCommands(program)
  addWebhookCommands(program)
  addLedgerCommands(program)
  addAuditCommands(program)
  addAnnouncementCommands(program)
  addPaymentCommands(program)
  addInvoiceCommands(program)
  addIdCommands(program)
  addSlotCommands(program)
  addSeedCommands(program)
  return withTaskHelp(program)
}

// Runs a command line, given as its words. Help is shorter where no calls are sold; without a database it has everything.
export async function runCommand(program: Command, context: CliContext, words: readonly string[]): Promise<void> {
  if (asksForHelp(program, words) && (await sellsNothing(context))) withoutMoney(program)
  await program.parseAsync(words, { from: 'user' })
}

async function sellsNothing({ readConfig }: CliContext): Promise<boolean> {
  try {
    const slots = createSlotMap(readConfig().slotUrls, requestDeadlines, 'operator')
    try {
      return (await readPurpose(slots.globalDatabase)) === 'own'
    } finally {
      await slots.close()
    }
  } catch {
    return false
  }
}
