// `ringproof help`: all commands on one screen, by task. Their number is bounded, so that a person can look through them: a new one
// takes the place of one that nobody needs any more.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import type { CliContext } from '../../server/src/cli/core/context.ts'
import { commandsOf, tasks, withTaskHelp } from '../../server/src/cli/core/help.ts'
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
