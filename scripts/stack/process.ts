// Runs other programs: short ones to their end, and servers that outlive this process.
//
// A server is recorded in `.stack/run/<name>`: boot ID, PID and start time. The three together are unique, so a PID that was
// reused by another process is never mistaken for ours or signalled.

import { execFile, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stackDirectory } from './state.ts'

type Server = { readonly pid: number; readonly startTicks: string; readonly since: Date }

const runTimeoutMs = 240_000
const runFileTimeoutMs = 10_000
const stopTimeoutMs = 60_000
const pollMs = 20

/** Runs a program and returns its standard output; on failure the error contains the end of its standard error. */
export async function run(
  command: readonly string[],
  options: {
    readonly input?: string
    readonly env?: NodeJS.ProcessEnv
    readonly cwd?: string
    readonly timeoutMs?: number
  } = {},
): Promise<string> {
  const { input = '', env = process.env, cwd = '/', timeoutMs = runTimeoutMs } = options
  const [program = '', ...args] = command
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const limits = { timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 }
  const child = execFile(program, args, { env, cwd, ...limits }, (error, stdout, stderr) => {
    if (error === null) return resolve(stdout)
    const complaint = stderr.trim().split('\n').slice(-5).join('\n')
    return reject(new Error(`${program} failed: ${complaint === '' ? error.message : complaint}`, { cause: error }))
  })
  // A program that ends without reading its input closes the pipe; its exit is handled above.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  return await promise
}

/** A minimal environment, independent of the user's. */
export const plainEnvironment: NodeJS.ProcessEnv = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

// The process writes its own run file and only then becomes the server, so that no server runs without one, even if `up` is
// killed; exec keeps the PID and the start time. Core dumps are off: they would contain passwords and phone numbers. All
// other inherited descriptors are closed, so that no reader of a pipe waits for the server to end. It uses bash, because
// dash cannot close a descriptor above 9.
const startScript = `set -e
ulimit -c 0
for path in /proc/self/fd/*; do
  descriptor=\${path##*/}
  if [ "$descriptor" -gt 2 ]; then exec {descriptor}>&-; fi
done
record=$1
shift
cat /proc/sys/kernel/random/boot_id "/proc/$$/stat" >"$record.new"
mv "$record.new" "$record"
exec "$@"`

/** Starts a server in a new session, so that it survives the end of npm and of the terminal. */
export async function startServer(name: string, command: readonly string[]): Promise<void> {
  for (const directory of ['run', 'log']) mkdirSync(join(stackDirectory, directory), { recursive: true })
  rmSync(runFilePath(name), { force: true })
  const log = openSync(logPath(name), 'a', 0o600)
  const args = ['-c', startScript, 'bash', runFilePath(name), ...command]
  const child = spawn('bash', args, { detached: true, stdio: ['ignore', log, log], cwd: '/', env: plainEnvironment })
  closeSync(log)
  child.unref()
  const deadlineMs = performance.now() + runFileTimeoutMs
  while (readRunFile(name) === undefined) {
    if (performance.now() > deadlineMs) throw new Error(`${name} did not write ${runFilePath(name)}`)
    await sleep(pollMs)
  }
}

/** Returns the server started under this name, if that same process still runs. */
export function runningServer(name: string): Server | undefined {
  const record = readRunFile(name)
  if (record === undefined || record.bootId !== readText('/proc/sys/kernel/random/boot_id')?.trim()) return undefined
  const now = parseStat(readText(`/proc/${record.pid}/stat`))
  // A zombie counts as dead; if process 1 does not reap, it stays one.
  const alive = now !== undefined && now.startTicks === record.startTicks && now.state !== 'Z' && now.state !== 'X'
  return alive ? record : undefined
}

/** By name. */
export function runningServers(): ReadonlyMap<string, Server> {
  const directory = join(stackDirectory, 'run')
  const names = existsSync(directory) ? readdirSync(directory) : []
  return new Map(
    names.toSorted().flatMap((name) => {
      const server = runningServer(name)
      return server ? [[name, server] as const] : []
    }),
  )
}

/** Stops the server, waits until it is gone and returns its PID; undefined if it was not running. */
export async function stopServer(name: string, signal: NodeJS.Signals): Promise<number | undefined> {
  const server = runningServer(name)
  if (server === undefined) return undefined
  process.kill(server.pid, signal)
  const deadlineMs = performance.now() + stopTimeoutMs
  while (runningServer(name) !== undefined) {
    if (performance.now() > deadlineMs) {
      throw new Error(`${name} (pid ${server.pid}) did not end in ${stopTimeoutMs / 1000} s after ${signal}`)
    }
    await sleep(pollMs)
  }
  rmSync(runFilePath(name), { force: true })
  return server.pid
}

export function logPath(name: string): string {
  return join(stackDirectory, 'log', `${name}.log`)
}

/** The processes whose working directory is in this directory, as far as this user can see. */
export function processesIn(directory: string): number[] {
  const place = realpathSync(directory)
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  return pids.filter((pid) => workingDirectory(pid) === place).map(Number)
}

function workingDirectory(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

function runFilePath(name: string): string {
  return join(stackDirectory, 'run', name)
}

function readRunFile(name: string): (Server & { readonly bootId: string }) | undefined {
  const [bootId = '', stat] = readText(runFilePath(name))?.split('\n') ?? []
  const started = parseStat(stat)
  if (started === undefined) return undefined
  return { bootId, pid: started.pid, startTicks: started.startTicks, since: statSync(runFilePath(name)).mtime }
}

/** Parses `/proc/<pid>/stat`: the name may contain anything and ends at the last parenthesis; see proc(5) for the fields. */
function parseStat(text: string | undefined): { pid: number; state: string; startTicks: string } | undefined {
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, startTicks] = [fields[0], fields[19]]
  const pid = Number.parseInt(text, 10)
  return state === undefined || startTicks === undefined ? undefined : { pid, state, startTicks }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
