// The `ringproof` CLI as a process, the way a person runs it.

import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../server/bin/ringproof.js', import.meta.url))

export type Said = { readonly status: number; readonly out: string; readonly err: string }
export type Environment = Readonly<Record<string, string>>

export type Running = {
  readonly process: ChildProcess
  // Resolves when the text appears on standard output; rejects when the program ends without it.
  readonly says: (text: string) => Promise<void>
  readonly ended: Promise<Said>
  // Its output so far, standard output and standard error.
  readonly output: () => string
}

export async function ringproof(environment: Environment, ...args: string[]): Promise<Said> {
  return start(environment, ...args).ended
}

// For commands that must succeed and print JSON.
export async function ringproofJson<T>(environment: Environment, ...args: string[]): Promise<T> {
  const { status, out, err } = await ringproof(environment, ...args, '--json')
  if (status !== 0) throw new Error(`ringproof ${args.join(' ')} failed: ${err}`)
  return JSON.parse(out) as T
}

export function start(environment: Environment, ...args: string[]): Running {
  // Only the settings that a test passes: the environment must not decide its outcome.
  const child = spawn(process.execPath, [program, ...args], {
    // And no test fetches the registry from its public address.
    env: { PATH: process.env['PATH'], RINGPROOF_REGISTRY_URL: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  const received = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
    for (const listener of received) listener()
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
  })
  const ended = new Promise<Said>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ status: code ?? -1, out, err }))
  })
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const listen = () => (out.includes(text) ? resolve() : undefined)
      received.add(listen)
      listen()
      ended.then(() => reject(new Error(`ringproof ended without printing "${text}": ${out}${err}`)), reject)
    })
  return { process: child, says, ended, output: () => out + err }
}
