// A Docker daemon in a box, from the packages of a newer Debian than the machine's, unpacked and not installed. Its images,
// containers and volumes are deleted with it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unpackWithLibraries } from '../stack/debian.ts'
import { draftDirectory } from '../stack/draft.ts'
import { run } from '../stack/process.ts'
import { cacheDirectory } from './base.ts'
import { openBox } from './box.ts'
import { installImageTools } from './tools.ts'

export type Docker = {
  /** Runs a command in the box, with `docker` on its path; returns its standard output. */
  readonly inside: (command: readonly string[], cwd?: string) => Promise<string>
  /** Starts bash in the box. */
  readonly shell: (cwd: string) => ChildProcess
  readonly close: () => Promise<void>
}

// Debian 12 has Compose 1. The newer runc needs a newer C library, so runc is the machine's.
const suite = 'forky'
const packages = ['docker.io', 'docker-cli', 'containerd', 'docker-compose'] as const
const commandTimeoutMs = 600_000
const startTimeoutMs = 60_000
const pollMs = 100

export async function startDocker(): Promise<Docker> {
  await installImageTools([
    ['runc', ['runc', '--version']],
    ['iptables', ['iptables', '--version']],
    ['iproute2', ['ip', '-V']],
  ])
  const programs = await installDocker()
  const directory = join(cacheDirectory, 'docker')
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(join(directory, 'config/cli-plugins'), { recursive: true })
  const plugins = join(programs, 'usr/libexec/docker/cli-plugins')
  for (const name of readdirSync(plugins))
    copyFileSync(join(plugins, name), join(directory, 'config/cli-plugins', name))
  const path = ['usr/bin', 'usr/sbin'].map((folder) => join(programs, folder)).join(':')
  const env = {
    PATH: `${path}:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: directory,
    DOCKER_CONFIG: join(directory, 'config'),
    // A short path: a socket's is limited to 107 bytes.
    DOCKER_HOST: 'unix:///run/docker.sock',
  }
  const box = await openBox()
  const inside = (command: readonly string[], cwd?: string) =>
    run(box.inside(command, cwd), { env, timeoutMs: commandTimeoutMs })
  const shell = (cwd: string) => {
    const [program = '', ...args] = box.inside(['bash', '--noprofile', '--norc'], cwd)
    return spawn(program, args, { env, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] })
  }
  const log = join(directory, 'dockerd.log')
  const daemon = startDaemon(box.inside(['dockerd', ...daemonOptions(directory)]), env, log)
  const ended = once(daemon, 'close')
  const close = async () => {
    // The daemon would give every container its grace period.
    await inside(['sh', '-c', 'docker ps --all --quiet | xargs -r docker rm --force']).catch(() => undefined)
    // Not a signal to our child: that is nsenter, which does not pass it on.
    await inside(['sh', '-c', 'kill "$(cat /run/docker.pid)"']).catch(() => undefined)
    await Promise.race([ended, sleep(startTimeoutMs, undefined, { ref: false })])
    await box.close()
    await deleteDirectory(directory)
  }
  try {
    await untilReady(() => inside(['docker', 'version']), daemon, log)
  } catch (error) {
    await close()
    throw error
  }
  return { inside, shell, close }
}

async function installDocker(): Promise<string> {
  const tree = join(cacheDirectory, 'docker-programs')
  if (existsSync(tree)) return tree
  const draft = await draftDirectory(tree)
  renameSync(await unpackWithLibraries(packages, /^$/, suite, draft), tree)
  rmSync(draft, { recursive: true })
  return tree
}

function daemonOptions(directory: string): readonly string[] {
  // Without the right to raise limits, containers can have at most this machine's.
  const files = /^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '1024'
  return [
    '--host=unix:///run/docker.sock',
    `--data-root=${join(directory, 'data')}`,
    '--exec-root=/run/docker',
    '--pidfile=/run/docker.pid',
    '--storage-driver=overlay2',
    `--default-ulimit=nofile=${files}:${files}`,
    '--log-level=warn',
  ]
}

function startDaemon(command: readonly string[], env: NodeJS.ProcessEnv, log: string): ChildProcess {
  const [program = '', ...args] = command
  const output = openSync(log, 'a', 0o600)
  return spawn(program, args, { env, cwd: '/', stdio: ['ignore', output, output] })
}

async function untilReady(ask: () => Promise<unknown>, daemon: ChildProcess, log: string): Promise<void> {
  for (const deadlineMs = performance.now() + startTimeoutMs; ; await sleep(pollMs)) {
    try {
      await ask()
      return
    } catch (error) {
      if (daemon.exitCode === null && performance.now() < deadlineMs) continue
      const end = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-10).join('\n')
      throw new Error(`Docker did not start:\n${end}`, { cause: error })
    }
  }
}

// A container that was killed a moment ago may still hold a mount.
async function deleteDirectory(directory: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
}
