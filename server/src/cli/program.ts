// THE OPERATOR'S HAND: every command, in one list.

import { Command } from 'commander'
import { addAccountCommands } from './accounts.ts'
import { addAsteriskCommands } from './asterisk.ts'
import { addFraudCommands } from './fraud.ts'
import type { Hand } from './hand.ts'
import { addIdCommands } from './ids.ts'
import { addInstallCommands } from './install.ts'
import { addLedgerCommands } from './ledger.ts'
import { addNumberCommands } from './numbers.ts'
import { addOptOutCommands } from './opt-outs.ts'
import { addRegistryCommands } from './registry.ts'
import { addSecretCommands } from './secrets.ts'
import { addSeedCommands } from './seed.ts'
import { addServeCommand } from './serve.ts'
import { addServiceCommands } from './services.ts'
import { addTariffCommands } from './tariffs.ts'
import { addTrunkCommands } from './trunks.ts'
import { addVerificationCommands } from './verifications.ts'
import { addWebhookCommands } from './webhooks.ts'

export function buildProgram(hand: Hand, version: string): Command {
  const program = new Command('ringproof')
    .description('Phone-call verification that you run yourself.')
    .version(version)
    .showHelpAfterError('(ringproof … --help tells more)')
  addInstallCommands(program, hand)
  addServeCommand(program, hand)
  addAccountCommands(program, hand)
  addServiceCommands(program, hand)
  addSecretCommands(program, hand)
  addTariffCommands(program, hand)
  addTrunkCommands(program, hand)
  addAsteriskCommands(program, hand)
  addNumberCommands(program, hand)
  addRegistryCommands(program, hand)
  addVerificationCommands(program, hand)
  addOptOutCommands(program, hand)
  addFraudCommands(program, hand)
  addWebhookCommands(program, hand)
  addLedgerCommands(program, hand)
  addIdCommands(program, hand)
  addSeedCommands(program, hand)
  return program
}
