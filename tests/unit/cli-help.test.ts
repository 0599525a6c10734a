// `ringproof help`: all commands on one screen, by task. Their number is bounded, so that a person can look through them: a new one
// takes the place of one that nobody needs any more.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import type { CliContext } from '../../server/src/cli/core/context.ts'
import { asksForHelp, commandsOf, tasks, withoutMoney, withTaskHelp } from '../../server/src/cli/core/help.ts'
import { buildProgram } from '../../server/src/cli/program.ts'

const commandsMax = 90
const linesMax = 50
const columnsMax = 100

const program = buildProgram({} as CliContext, '1.2.3')

test(`there are at most ${commandsMax} commands`, () => {
  const commands = program.commands.flatMap((command) => commandsOf(command))
  assert(commands.length <= commandsMax, `${commands.length} commands`)
})

test('help has every command in exactly one task, on one screen', () => {
  assert.deepEqual(misplacedIn(program), [])
  const lines = program.helpInformation().trimEnd().split('\n')
  assert(lines.length <= linesMax, `${lines.length} lines`)
  assert.deepEqual(
    lines.filter((line) => line.length > columnsMax),
    [],
  )
  const names = tasks.flatMap(([, ofTask]) => ofTask)
  assert.deepEqual([...names].toSorted(), program.commands.map((command) => command.name()).toSorted())
})

test('a command without a task is found', () => {
  const other = new Command('ringproof')
  other.command('unheard-of')
  other.command('trunks').command('unheard-of')
  assert.deepEqual(misplacedIn(withTaskHelp(other)), ['unheard-of: 0 times'])
})

test('a noun keeps its own help', () => {
  const trunks = program.commands.find((one) => one.name() === 'trunks')
  assert.match(trunks?.helpInformation() ?? '', /^Usage: ringproof trunks .*Place one flash call/s)
})

test('where no calls are sold no topic that help names speaks of money', () => {
  const own = withoutMoney(buildProgram({} as CliContext, '1.2.3'))
  const money = /price|balance|tariff|invoice|rouble|\bRUB\b|charged|currency/i
  const topics = shownIn(own)
  assert(topics.length > 80, `${topics.length} topics`)
  assert.deepEqual(
    topics.filter((topic) => money.test(topic.helpInformation())).map((topic) => topic.name()),
    [],
  )
  assert(shownIn(program).some((topic) => money.test(topic.helpInformation())))
})

test('what prints help is known from the words', () => {
  for (const words of ['', 'help', 'help trunks', 'trunks', 'trunks add --help', 'stats -h'])
    assert(asksForHelp(program, words.split(' ').filter(Boolean)), words)
  for (const words of ['stats', 'doctor', 'trunks list']) assert(!asksForHelp(program, words.split(' ')), words)
})

function shownIn(command: Command): readonly Command[] {
  const shown = command.createHelp().visibleCommands(command)
  return [command, ...command.commands.filter((one) => shown.includes(one)).flatMap(shownIn)]
}

// A line has commands without a noun, or a noun and what can be done with it.
function misplacedIn(shown: Command): readonly string[] {
  const lines = shown
    .helpInformation()
    .split('\n')
    .filter((line) => line.startsWith('  '))
  const words = lines.flatMap((line) => {
    const [, noun, verbs = line.trim()] = /^ {2}(\S+) {2,}(\S.*)$/.exec(line) ?? []
    return verbs.split(', ').map((verb) => (noun === undefined ? verb : `${noun} ${verb}`))
  })
  return shown.commands
    .flatMap((command) => commandsOf(command))
    .map((command) => `${command}: ${words.filter((one) => one === command).length} times`)
    .filter((said) => !said.endsWith(': 1 times'))
}
