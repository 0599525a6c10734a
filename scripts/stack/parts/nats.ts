import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { unpackPackage } from '../debian.ts'
import { draftDirectory } from '../draft.ts'
import { run } from '../process.ts'
import { programsDirectory, type State, stackDirectory } from '../state.ts'
import type { Part } from './part.ts'

export const nats: Part = {
  name: 'nats',
  title: 'NATS',
  stopSignal: 'SIGTERM',
  install,
  prepare,
  probe,
  environment: ({ ports, passwords }) => [
    ['RINGPROOF_NATS_URL', `nats://${user}:${passwords.nats}@127.0.0.1:${ports.nats}`],
  ],
}

// 2.12.3 fixes losses of acknowledged messages that an independent test of 2.12.1 found. Debian 12 has 2.9.
const versionMin = '2.12.3'
const suites = ['forky', 'sid'] as const

const user = 'ringproof'
const askTimeoutMs = 2000

const directory = join(stackDirectory, 'nats')
const installedDirectory = join(programsDirectory, 'nats/server')
const configPath = join(directory, 'nats-server.conf')

async function install(): Promise<string> {
  const present = await versionIn(installedDirectory).catch(() => undefined)
  if (present !== undefined && isRecent(present)) return `${present} is there`
  const problems: string[] = []
  for (const suite of suites) {
    try {
      const draft = await draftDirectory(installedDirectory)
      const tree = await unpackPackage('nats-server', suite, draft)
      const version = await versionIn(tree)
      if (!isRecent(version)) throw new Error(`${suite} has only ${version}`)
      await rm(installedDirectory, { recursive: true, force: true })
      await rename(tree, installedDirectory)
      await rm(draft, { recursive: true })
      return `${version} from Debian's ${suite}`
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(`nats-server ${versionMin} or newer is needed: ${problems.join('\n')}`)
}

async function prepare(state: State): Promise<string[]> {
  const storeDirectory = join(directory, 'store')
  await mkdir(storeDirectory, { recursive: true, mode: 0o700 })
  await rm(configPath, { force: true })
  await writeFile(configPath, natsConfig(state.ports.nats, state.passwords.nats, storeDirectory), { mode: 0o600 })
  return natsCommand(configPath)
}

/** The command line that runs the unpacked server. */
export function natsCommand(path: string): string[] {
  return [programIn(installedDirectory), '--config', path]
}

/** As in production: a message is on disk before it is acknowledged. */
export function natsConfig(port: number, password: string, storeDirectory: string): string {
  return `# Written anew at every start.

listen: "127.0.0.1:${port}"

authorization {
  user: ${user}
  # Quoted, because NATS parses some unquoted words as numbers with a unit.
  password: "${password}"
}

jetstream {
  store_dir: ${JSON.stringify(storeDirectory)}
  # By default an acknowledged message may be only in memory for two minutes. Accepted calls must survive a crash, so each
  # write is synced before it is acknowledged.
  sync_interval: always
}
`
}

/** Logs in as a client does; the server's first line describes it. */
async function probe(state: State): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: state.ports.nats })
  try {
    socket.setTimeout(askTimeoutMs, () => socket.destroy(new Error('no response in time')))
    let version = ''
    for await (const line of createInterface({ input: socket })) {
      if (line.startsWith('INFO ')) {
        version = versionOf(JSON.parse(line.slice('INFO '.length)))
        const login = { user, pass: state.passwords.nats, verbose: false, pedantic: false, lang: 'node', version: '0' }
        socket.write(`CONNECT ${JSON.stringify(login)}\r\nPING\r\n`)
      } else if (line === 'PONG') {
        return version
      } else if (line.startsWith('-ERR')) {
        throw new Error(line)
      }
    }
    throw new Error('the connection was closed')
  } finally {
    socket.destroy()
  }
}

function versionOf(info: unknown): string {
  if (typeof info !== 'object' || info === null) throw new Error('the first line is not from NATS')
  if (!('jetstream' in info) || info.jetstream !== true) throw new Error('JetStream is disabled')
  if (!('version' in info) || typeof info.version !== 'string') throw new Error('the first line has no version')
  return info.version
}

async function versionIn(unpackedDirectory: string): Promise<string> {
  const response = await run([programIn(unpackedDirectory), '--version'])
  const version = /v(\d+\.\d+\.\d+)/.exec(response)?.[1]
  if (version === undefined) throw new Error(`nats-server printed no version: ${response}`)
  return version
}

function programIn(unpackedDirectory: string): string {
  return join(unpackedDirectory, 'usr/sbin/nats-server')
}

function isRecent(version: string): boolean {
  return version.localeCompare(versionMin, 'en', { numeric: true }) >= 0
}
