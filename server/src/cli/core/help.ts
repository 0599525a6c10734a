// `ringproof help`: every command on one screen, by what a person wants to do. `ringproof trunks --help` says more about one noun.

import type { Command } from 'commander'

// Every command that buildProgram adds is in one of these; docs/reference/commands.md has the same order.
export const tasks: readonly (readonly [task: string, names: readonly string[]])[] = [
  ['Set up', ['setup', 'migrate', 'serve', 'installation', 'config', 'asterisk', 'edge', 'seed']],
  ['Trunks and numbers', ['trunks', 'numbers', 'routes', 'registry']],
  ['Accounts and services', ['accounts', 'services', 'tariffs', 'payments', 'invoices', 'ledger']],
  ['People and announcements', ['operators', 'people', 'announcements']],
  ['Protection and personal data', ['fraud', 'opt-outs', 'privacy']],
  ['Look into calls', ['verifications', 'requests', 'webhooks', 'stats']],
  ['Run and maintain', ['doctor', 'support-bundle', 'backup', 'secrets', 'audit', 'slots', 'ids']],
]

// What help leaves out where no calls are sold. It can be typed all the same: a price makes the installation a provider.
const aboutMoney: ReadonlySet<string> = new Set([
  ...['tariffs', 'payments', 'invoices', 'ledger'].map((noun) => `ringproof ${noun}`),
  ...['credit', 'debit', 'statement'].map((verb) => `accounts ${verb}`),
  '--balance',
  '--tariff',
  '--spend-day-max',
])

export function withTaskHelp(program: Command): Command {
  // The subcommands keep their own help.
  return program.configureHelp({ formatHelp: () => helpText(program) })
}

export function withoutMoney(program: Command): Command {
  for (const command of [program, ...program.commands.flatMap((noun) => [noun, ...noun.commands])]) {
    if (isHidden(command)) continue
    const all = command.createHelp()
    command.configureHelp({
      ...command.configureHelp(),
      visibleCommands: (of) => all.visibleCommands(of).filter((one) => !isHidden(one)),
      visibleOptions: (of) => all.visibleOptions(of).filter(({ long }) => !aboutMoney.has(long ?? '')),
    })
  }
  return program
}

// Whether a command line prints help. A noun alone does.
export function asksForHelp(program: Command, words: readonly string[]): boolean {
  const [first = 'help', ...others] = words
  const isNoun = program.commands.some((command) => command.name() === first && command.commands.length > 0)
  return first === 'help' || words.includes('--help') || words.includes('-h') || (isNoun && others.length === 0)
}

function isHidden(command: Command): boolean {
  const { parent } = command
  return parent !== null && (aboutMoney.has(`${parent.name()} ${command.name()}`) || isHidden(parent))
}

// A command as its words, or all commands of a noun.
export function commandsOf(command: Command): readonly string[] {
  if (command.commands.length === 0) return [command.name()]
  return command.commands.flatMap((one) => commandsOf(one).map((words) => `${command.name()} ${words}`))
}

function helpText(program: Command): string {
  return [
    'Usage: ringproof COMMAND [ARGUMENTS]',
    '`ringproof COMMAND --help` says what a command does and takes. Most print JSON with --json.',
    ...tasks.flatMap(([task, names]) => ['', task, ...linesOf(program, names)]),
    '',
  ].join('\n')
}

// Nouns with one command share a line with commands that have no noun.
function linesOf(program: Command, names: readonly string[]): readonly string[] {
  const found = names.flatMap((name) => shownIn(program).filter((command) => command.name() === name))
  const short = found.filter(({ commands }) => commands.length < 2)
  const nouns = found.filter(({ commands }) => commands.length > 1)
  return [
    ...(short.length === 0 ? [] : [`  ${short.flatMap((one) => commandsOf(one)).join(', ')}`]),
    ...nouns.map(
      (noun) =>
        `  ${noun.name().padEnd(13)}  ${shownIn(noun)
          .flatMap((one) => commandsOf(one))
          .join(', ')}`,
    ),
  ]
}

function shownIn(command: Command): readonly Command[] {
  const shown = command.createHelp().visibleCommands(command)
  return command.commands.filter((one) => shown.includes(one))
}
