// The CLI inside the test's own process: the same commands and outputs, without the second that a process takes to start.

import { randomBytes } from 'node:crypto'
import { type Command, CommanderError } from 'commander'
import type { CliContext } from '../../../server/src/cli/core/context.ts'
import { formatFailure } from '../../../server/src/cli/core/format-failure.ts'
import { buildProgram, runCommand } from '../../../server/src/cli/program.ts'
import { eraseFromVault } from '../../../server/src/engine/core/erase-from-vault.ts'
import { printableSettings, readConfig } from '../../../server/src/process/config/config.ts'
import type { Environment, Said } from './cli.ts'

export type Cli = {
  readonly run: (...args: string[]) => Promise<Said>
  // For commands that must succeed and print JSON.
  readonly json: <T>(...args: string[]) => Promise<T>
}

export function createCli(environment: Environment, own: Partial<CliContext> = {}): Cli {
  const run = async (...args: string[]): Promise<Said> => {
    let out = ''
    let err = ''
    const note = (text: string) => {
      err += `${text}\n`
    }
    const context: CliContext = {
      readConfig: () => readConfig(environment),
      printableSettings: () => printableSettings(environment),
      randomBytes,
      actor: { address: 'cli', userAgent: 'test', operator: 'tester' },
      say: (text) => {
        out += `${text}\n`
      },
      note,
      serve: unavailable,
      numbering: unavailable,
      notifyNumberingChanged: unavailable,
      reportProgress: () => undefined,
      placeTestCall: unavailable,
      prepareAsterisk: unavailable,
      prepareEdge: unavailable,
      installationProbes: unavailable,
      exitWith: () => undefined,
      eraseFromVault: (numbers) => eraseFromVault(readConfig(environment), readConfig(environment).natsPrefix, numbers),
      ...own,
    }
    const program = buildProgram(context, 'test')
    for (const command of withSubcommands(program)) {
      command.exitOverride().configureOutput({ writeErr: note, writeOut: (text) => (out += text) })
    }
    try {
      await runCommand(program, context, args)
      return { status: 0, out, err }
    } catch (error) {
      if (!(error instanceof CommanderError)) note(formatFailure(error))
      return { status: error instanceof CommanderError ? error.exitCode : 1, out, err }
    }
  }
  return {
    run,
    json: async <T>(...args: string[]) => {
      const { status, out, err } = await run(...args, '--json')
      if (status !== 0) throw new Error(`ringproof ${args.join(' ')} failed: ${err}`)
      return JSON.parse(out) as T
    },
  }
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

async function unavailable(): Promise<never> {
  throw new Error('only the process has this')
}
