// A process of a run: started, killed, frozen and restarted by the nemesis, always by its own PID. Every start has its
// own log file.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pollUntilResolved } from '../support/poll.ts'

export type Part = {
  readonly name: string
  readonly start: () => void
  // Kills it and waits until it is gone.
  readonly kill: () => Promise<void>
  // Resolves when it is gone, for any reason.
  readonly gone: () => Promise<void>
  readonly freeze: () => void
  readonly thaw: () => void
  // Resolves when it responds.
  readonly ready: () => Promise<void>
  // Stops it for good, as its operator would.
  readonly close: () => Promise<void>
}

export type ChildOptions = {
  readonly name: string
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly logDirectory: string
  // Rejects while it does not respond; the path is that of the log of the latest start.
  readonly ask: (logPath: string) => Promise<unknown>
  readonly closeSignal: 'SIGTERM' | 'SIGINT'
  // Whether it is restarted when it ends by itself, and who is notified.
  readonly died?: (how: string, log: string) => void
}

// A busy machine may take long to start a process.
const readyMs = 120_000
const intervalMs = 50
const againMs = 300
const closeMs = 20_000
// No core dump: it would contain the numbers of every call.
const withoutCore = ['bash', '-c', 'ulimit -c 0; exec "$@"', 'bash']

// Nothing outlives the run, however it ends.
const living = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

export function createChild(options: ChildOptions): Part {
  let child: ChildProcess | undefined
  let starts = 0
  let isWanted = false
  const start = () => {
    isWanted = true
    starts += 1
    const nth = starts
    child = launch(options, logPathOf(options, nth))
    child.once('exit', (code, signal) => {
      if (!isWanted || nth !== starts || !options.died) return
      options.died(signal ?? String(code), readFileSync(logPathOf(options, nth), 'utf8'))
      // Unless it was started or stopped meanwhile.
      setTimeout(() => (isWanted && nth === starts ? start() : undefined), againMs)
    })
  }
  const end = async (signal: NodeJS.Signals) => {
    isWanted = false
    await gone(child, signal)
  }
  return {
    name: options.name,
    start,
    kill: () => end('SIGKILL'),
    gone: async () => {
      isWanted = false
      if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    ready: async () => {
      const ask = () => options.ask(logPathOf(options, starts))
      await pollUntilResolved(`${options.name} to answer`, ask, { timeoutMs: readyMs, intervalMs })
    },
    close: async () => {
      const timeout = setTimeout(() => child?.kill('SIGKILL'), closeMs)
      await end(options.closeSignal)
      clearTimeout(timeout)
    },
  }
}

function launch({ command, environment }: ChildOptions, logPath: string): ChildProcess {
  const log = openSync(logPath, 'a', 0o600)
  const [program = '', ...args] = [...withoutCore, ...command]
  const env = { PATH: process.env['PATH'], ...environment }
  const child = spawn(program, args, { env, cwd: '/', stdio: ['ignore', log, log] })
  closeSync(log)
  living.add(child)
  child.once('exit', () => living.delete(child))
  return child
}

async function gone(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

function logPathOf({ logDirectory, name }: ChildOptions, starts: number): string {
  return join(logDirectory, `${name}.${starts}.log`)
}
