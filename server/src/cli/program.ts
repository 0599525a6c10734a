// Every CLI command, in one list.

import type { Command } from 'commander'
import { addAccountCommands } from './accounts.ts'
import { addAnnouncementCommands } from './announcements.ts'
import { addAsteriskCommands } from './asterisk.ts'
import { addAuditCommands } from './audit.ts'
import { addBackupCommands } from './backup.ts'
import { addCallerNumberCommands } from './caller-numbers.ts'
import type { CliContext } from './context.ts'
import { addDoctorCommand } from './doctor.ts'
import { addEdgeCommands } from './edge.ts'
import { addFraudCommands } from './fraud.ts'
import { addIdCommands } from './ids.ts'
import { addInstallCommands } from './install.ts'
import { addInvoiceCommands } from './invoices.ts'
import { addLedgerCommands } from './ledger.ts'
import { addNumberCommands } from './numbers.ts'
import { addOperatorCommands } from './operators.ts'
import { addOptOutCommands } from './opt-outs.ts'
import { addPaymentCommands } from './payments.ts'
import { addPeopleCommands } from './people.ts'
import { addPrivacyCommands } from './privacy.ts'
import { addRegistryCommands } from './registry.ts'
import { addRequestCommands } from './requests.ts'
import { addRouteCommands } from './routes.ts'
import { addSecretCommands } from './secrets.ts'
import { addSeedCommands } from './seed.ts'
import { addServeCommand } from './serve.ts'
import { emptyProgram } from './serve-program.ts'
import { addServiceCommands } from './services.ts'
import { addSlotCommands } from './slots.ts'
import { addStatsCommand } from './stats.ts'
import { addSupportBundleCommand } from './support-bundle.ts'
import { addTariffCommands } from './tariffs.ts'
import { addTrunkCommands } from './trunks.ts'
import { addVerificationCommands } from './verifications.ts'
import { addWebhookCommands } from './webhooks.ts'

export function buildProgram(context: CliContext, version: string): Command {
  const program = emptyProgram(version)
  addInstallCommands(program, context)
  addServeCommand(program, context)
  addDoctorCommand(program, context)
  addSupportBundleCommand(program, context, version)
  addBackupCommands(program, context)
  addAccountCommands(program, context)
  addServiceCommands(program, context)
  addOperatorCommands(program, context)
  addPeopleCommands(program, context)
  addSecretCommands(program, context)
  addTariffCommands(program, context)
  addTrunkCommands(program, context)
  addAsteriskCommands(program, context)
  addEdgeCommands(program, context)
  addCallerNumberCommands(addNumberCommands(program, context), context)
  addRouteCommands(program, context)
  addRegistryCommands(program, context)
  addVerificationCommands(program, context)
  addRequestCommands(program, context)
  addStatsCommand(program, context)
  addOptOutCommands(program, context)
  addPrivacyCommands(program, context)
  addFraudCommands(program, context)
  addWebhookCommands(program, context)
  addLedgerCommands(program, context)
  addAuditCommands(program, context)
  addAnnouncementCommands(program, context)
  addPaymentCommands(program, context)
  addInvoiceCommands(program, context)
  addIdCommands(program, context)
  addSlotCommands(program, context)
  addSeedCommands(program, context)
  return program
}
