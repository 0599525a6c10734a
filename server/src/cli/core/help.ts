// `ringproof help`: every command on one screen, by what a person wants to do. `ringproof trunks --help` says more about one noun.

import type { Command } from 'commander'

// Every command that buildProgram adds is in one of these; docs/reference/commands.md has the same order.
export const tasks: readonly (readonly [task: string, names: readonly string[]])[] = [
  ['Set up', ['setup', 'migrate', 'serve', 'installation', 'config', 'asterisk', 'edge', 'seed']],
  ['Trunks and numbers', ['trunks', 'numbers', 'routes', 'registry']],
  ['Customers and their money', ['accounts', 'services', 'tariffs', 'payments', 'invoices', 'ledger']],
  ['People and announcements', ['operators', 'people', 'announcements']],
  ['Protection and personal data', ['fraud', 'opt-outs', 'privacy']],
  ['Look into calls', ['verifications', 'requests', 'webhooks', 'stats']],
  ['Run and maintain', ['doctor', 'support-bundle', 'backup', 'secrets', 'audit', 'slots', 'ids']],
]

export function withTaskHelp(program: Command): Command {
  // The subcommands keep their own help.
  return program.configureHelp({ formatHelp: () => helpText(program) })
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
  const found = names.flatMap((name) => program.commands.filter((command) => command.name() === name))
  const short = found.filter(({ commands }) => commands.length < 2)
  const nouns = found.filter(({ commands }) => commands.length > 1)
  return [
    ...(short.length === 0 ? [] : [`  ${short.flatMap((one) => commandsOf(one)).join(', ')}`]),
    ...nouns.map(
      (noun) => `  ${noun.name().padEnd(13)}  ${noun.commands.flatMap((one) => commandsOf(one)).join(', ')}`,
    ),
  ]
}
