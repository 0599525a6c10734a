// The program without its other commands: a server would hold them in memory for as long as it runs.

import { Command } from 'commander'
import type { CliContext } from '../core/context.ts'
import { addServeCommand } from './serve.ts'

export function buildServeProgram(context: Pick<CliContext, 'serve'>, version: string): Command {
  const program = emptyProgram(version)
  addServeCommand(program, context)
  return program
}

export function emptyProgram(version: string): Command {
  return new Command('ringproof')
    .description('Run and manage a self-hosted phone-call verification service.')
    .version(version)
    .showHelpAfterError('(add --help for usage)')
}
