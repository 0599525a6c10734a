// docs/reference/commands.md: every command of the program, by task, with who needs it and how often.

import type { Command } from 'commander'
import type { CliContext } from '../../server/src/cli/core/context.ts'
import { commandsOf, tasks } from '../../server/src/cli/core/help.ts'
import { buildProgram } from '../../server/src/cli/program.ts'

export const commandsPage = 'docs/reference/commands.md'

type Use = readonly [who: 'operator' | 'on call' | 'support' | 'finance' | 'newcomer' | 'a timer', howOften: string]

const uses: Readonly<Record<string, Use>> = {
  setup: ['operator', 'once, and after an upgrade that needs a new key'],
  migrate: ['operator', 'once, and at every upgrade'],
  serve: ['operator', 'always: the service manager runs it'],
  'config print': ['operator', 'after a change of settings'],
  'asterisk prepare': ['operator', 'once for each node, and after a change of its settings'],
  'edge prepare': ['operator', 'once for each edge, and after a change of its settings'],
  'installation set': ['operator', 'once, if it sells calls'],
  'seed demo': ['newcomer', 'once, to try the program'],
  'trunks add': ['operator', 'once for each carrier'],
  'trunks set': ['operator', 'when a carrier changes something, or to take it out of use'],
  'trunks list': ['on call', 'daily'],
  'trunks test': ['operator', 'for a new trunk, and when a carrier is in doubt'],
  'trunks trial': ['operator', 'once for each carrier'],
  'trunks remove': ['operator', 'when a contract ends'],
  'trunks stop-all': ['on call', 'in an emergency'],
  'trunks resume-all': ['on call', 'after an emergency'],
  'numbers add-range': ['operator', 'for new caller numbers'],
  'numbers add-inbound': ['operator', 'for new confirmation numbers'],
  'numbers list': ['operator', 'when numbers change'],
  'numbers remove': ['operator', 'when numbers go back to the carrier'],
  'numbers coverage': ['operator', 'when numbers change, and when an alert names missing codes'],
  'numbers quarantine': ['operator', 'when phones label a number as spam'],
  'routes explain': ['support', 'when somebody asks why a number is or is not called'],
  'routes switch-overs': ['on call', 'when ring-through falls'],
  'routes automation': ['on call', 'rarely: when the automatic switch-over is wrong'],
  'registry import': ['operator', 'monthly, where nothing can be downloaded'],
  'registry fetch': ['operator', 'rarely: the server fetches by itself'],
  'registry import-mnp': ['a timer', 'daily, with a contract for ported numbers'],
  'registry status': ['operator', 'after an import'],
  'registry lookup': ['support', 'when somebody asks who holds a number'],
  'registry rollback': ['on call', 'after a faulty import'],
  'accounts create': ['operator', 'for each customer who does not sign up'],
  'accounts list': ['support', 'daily'],
  'accounts show': ['support', 'daily'],
  'accounts set': ['support', 'to change a tariff, and to block or reopen an account'],
  'accounts credit': ['finance', 'for each payment that no payment page reports'],
  'accounts debit': ['finance', 'for each refund'],
  'accounts statement': ['finance', 'monthly'],
  'services create': ['operator', 'for each customer who does not sign up'],
  'services list': ['support', 'daily'],
  'services show': ['support', 'when a client gets refusals'],
  'services set': ['support', 'when a customer asks for other limits'],
  'services rotate-key': ['support', 'when a key has leaked'],
  'services rotate-webhook-secret': ['support', 'when a secret has leaked'],
  'services keys add': ['support', 'rarely: customers do it in the dashboard'],
  'services keys revoke': ['support', 'when a key has leaked'],
  'tariffs list': ['finance', 'before prices change'],
  'tariffs set': ['finance', 'when prices change'],
  'tariffs cost': ['finance', 'when a carrier changes its prices'],
  'payments show': ['finance', 'rarely'],
  'payments set': ['finance', 'once'],
  'payments new-secret': ['operator', 'once, and when the secret has leaked'],
  'invoices list': ['finance', 'daily, where customers pay by invoice'],
  'invoices paid': ['finance', 'for each invoice that was paid'],
  'ledger list': ['finance', 'when a customer doubts a charge'],
  'ledger audit': ['a timer', 'daily'],
  'operators create': ['operator', 'for each person'],
  'people remove-factors': ['support', 'when somebody has lost a phone'],
  'announcements list': ['on call', 'during an outage'],
  'announcements post': ['on call', 'in an outage, and before maintenance'],
  'announcements end': ['on call', 'after an outage'],
  'fraud show': ['on call', 'when customers report code 50'],
  'fraud hits': ['on call', 'when customers report code 50'],
  'fraud set': ['operator', 'rarely'],
  'fraud allow': ['on call', 'when a good customer is blocked'],
  'opt-outs add': ['support', 'for each person who asks for it'],
  'opt-outs remove': ['support', 'for each person who asks for it'],
  'privacy find': ['support', 'for each request of a person'],
  'privacy export': ['support', 'for each request of a person'],
  'privacy erase': ['support', 'for each request of a person'],
  'verifications list': ['support', 'daily'],
  'verifications show': ['support', 'daily'],
  'requests list': ['support', 'when a client gets refusals'],
  'webhooks list': ['support', 'when a customer misses webhooks'],
  'webhooks resend': ['support', 'when the receiver of a customer is back'],
  stats: ['on call', 'daily'],
  doctor: ['on call', 'daily, and after every change'],
  'support-bundle': ['operator', 'with every report of a fault'],
  'backup status': ['operator', 'weekly'],
  'backup finish-restore': ['on call', 'after every restore'],
  'secrets list': ['operator', 'monthly, and when doctor names a key'],
  'secrets add': ['operator', 'when the list says so'],
  'secrets activate': ['operator', 'after each new key'],
  'secrets reseal': ['operator', 'after each new key of seal-records'],
  'secrets destroy': ['operator', 'when the list says so'],
  'audit list': ['operator', 'when somebody asks who changed something'],
  'audit verify': ['a timer', 'weekly'],
  'slots list': ['operator', 'beyond one machine: before a move'],
  'slots move': ['operator', 'beyond one machine: for each new database'],
  'ids confirm-clock': ['on call', 'rarely: when a refusal names it'],
}

export function commandsText(): string {
  const program = buildProgram({} as CliContext, '')
  const sections = tasks.map(([task, names]) => `## ${task}\n\n${tableOf(names.map((name) => namedOf(program, name)))}`)
  const commands = program.commands.flatMap((command) => commandsOf(command))
  const unknown = Object.keys(uses).filter((name) => !commands.includes(name))
  if (unknown.length > 0) throw new Error(`There are no commands ${unknown.join(', ')}`)
  return `# Commands

Generated by \`npm run generate\` from the program and \`scripts/generate/commands-page.ts\`: all ${commands.length} commands, in the order of
\`ringproof help\`. \`ringproof COMMAND --help\` has the options. Operators install and run the program; who is on call looks after it when
an alert comes; most of what support and finance do is in the console, too.

${sections.join('\n\n')}
`
}

function tableOf(commands: readonly Command[]): string {
  const rows = commands.flatMap((command) =>
    commandsOf(command).map((words) => {
      const use = uses[words]
      if (use === undefined)
        throw new Error(`Who needs ${words}, and how often, is not in scripts/generate/commands-page.ts`)
      const described = words.split(' ').slice(1).reduce(namedOf, command)
      return `| \`${words}\` | ${firstSentence(described.description())} | ${use.join(' | ')} |`
    }),
  )
  return ['| command | what it does | who | how often |', '|---|---|---|---|', ...rows].join('\n')
}

function namedOf(parent: Command, name: string): Command {
  const command = parent.commands.find((one) => one.name() === name)
  if (command === undefined) throw new Error(`There is no command ${name}`)
  return command
}

function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text
}
