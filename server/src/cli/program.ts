// Every CLI command, in one list.

import type { Command } from 'commander'
import { addAccountCommands } from './accounts/accounts.ts'
import { addServiceCommands } from './accounts/services.ts'
import type { CliContext } from './core/context.ts'
import { addIdCommands } from './core/ids.ts'
import { addAuditCommands } from './installation/audit.ts'
import { addBackupCommands } from './installation/backup.ts'
import { addDoctorCommand } from './installation/doctor.ts'
import { addInstallCommands } from './installation/install.ts'
import { addAsteriskCommands, addEdgeCommands } from './installation/node.ts'
import { addSecretCommands } from './installation/secrets.ts'
import { addSeedCommands } from './installation/seed.ts'
import { addServeCommand, emptyProgram } from './installation/serve.ts'
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
