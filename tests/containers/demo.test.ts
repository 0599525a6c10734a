// Runs as `npm run verify -- demo-image`, as root: builds the image ringproof-demo for both architectures and types docs/operations/demo.md
// in a real Docker. Needs a clean working tree, because images are built from HEAD.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { thisArchitecture } from '../../scripts/image/architecture.ts'
import { cacheDirectory } from '../../scripts/image/base.ts'
import { type Docker, startDocker } from '../../scripts/image/docker.ts'
import { repository } from '../../scripts/image/program.ts'
import { installImageTools } from '../../scripts/image/tools.ts'
import { version } from '../../scripts/release/version.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { commandsOf } from './typed-page.ts'

const ringSecondsMax = 60
// Docker's own: then it kills.
const stopSecondsMax = 10
const building = { timeout: 1_500_000 }
const url = 'http://localhost:8080'
const reference = `localhost/ringproof-demo:${version}`
const page = readFileSync(join(repository, 'docs/operations/demo.md'), 'utf8')
const [simple = ''] = commandsOf(page, 'Run it')
const [restricted = ''] = commandsOf(page, 'With the fewest rights')
const directory = fileDirectory()
const run = promisify(execFile)
let docker: Docker

before(async () => {
  await run('npm', ['run', '-s', 'image', '--', 'demo', 'amd64', 'arm64'], { cwd: repository, ...building })
  docker = await startDocker()
  await load(thisArchitecture())
}, building)

after(() => docker?.close())

test('one command: a phone rings within a minute, an operator signs in, docker stop ends it within 10 s', async (t) => {
  const demo = start(simple)
  const [, key = ''] = await demo.shows(/Bearer (\S+)'/)
  const secondsToPage = demo.seconds()
  await inside('ring', key, ...(await demo.person('Dashboard')))
  const secondsToRing = demo.seconds()
  t.diagnostic(`page after ${secondsToPage.toFixed(0)} s, the phone rings after ${secondsToRing.toFixed(0)} s`)
  const used = await docker.inside(['docker', 'stats', '--no-stream', '--format', '{{.MemUsage}}', await container()])
  t.diagnostic(`memory: ${used.trim()}`)

  const session = await inside('sign-in', ...(await demo.person('Console')))
  const [, code = ''] = await demo.shows(/operator's code is (\d{6})\n(?![^]*operator's code)/)
  assert.match(await inside('second-step', session, code), /ops@example\.org/)
  t.diagnostic(`docker stop: ${(await stop(demo)).toFixed(1)} s`)
  assert(secondsToRing <= ringSecondsMax, `it took ${secondsToRing.toFixed(0)} s`)
})

test('with the fewest rights and without a network it starts again after a stop in the middle of the first start', async () => {
  const alone = restricted.replace(/--publish \S+/, '--network=none')
  assert.match(alone, /--network=none/)
  const interrupted = start(alone)
  await interrupted.shows(/demo: the past/)
  await stop(interrupted)

  const demo = start(alone)
  const [, key = ''] = await demo.shows(/Bearer (\S+)'/)
  const pid = (await docker.inside(['docker', 'inspect', '--format', '{{.State.Pid}}', await container()])).trim()
  const inItsNetwork = ['nsenter', `--target=${pid}`, '--net']
  await docker.inside([...inItsNetwork, ...insideCommand('ring', key, ...(await demo.person('Dashboard')))])
  const status = await docker.inside(['docker', 'exec', await container(), 'cat', '/proc/1/status'])
  for (const line of [/^Uid:\t65532\t65532\t/m, /^CapEff:\t0{16}$/m, /^NoNewPrivs:\t1$/m]) assert.match(status, line)
  await stop(demo)
})

test('every program of the arm64 image runs under emulation', { skip: thisArchitecture() === 'arm64' }, async () => {
  await installImageTools([['qemu-user-static', ['qemu-aarch64-static', '--version']]])
  await load('arm64')
  const tree = join(directory, 'arm64')
  mkdirSync(tree)
  const script = 'id=$(docker create "$1" 2>/dev/null) && docker export "$id" | tar -x -C "$2" && docker rm "$id"'
  await docker.inside(['sh', '-c', script, 'sh', reference, tree])
  copyFileSync('/usr/bin/qemu-aarch64-static', join(tree, 'qemu'))
  const emulate = async (...command: string[]) => (await run('chroot', [tree, '/qemu', ...command])).stdout
  const servers = '/opt/servers'
  const loaded = (server: string, libraries: string, program: string) => [
    `${servers}/${server}/usr/lib/ld-linux-aarch64.so.1`,
    '--library-path',
    `${servers}/${server}/usr/lib/aarch64-linux-gnu${libraries}`,
    `${servers}/${server}/usr/sbin/${program}`,
  ]
  assert.match(await emulate('/usr/local/bin/node', '/usr/local/bin/ringproof', '--help'), /^Usage: ringproof/)
  assert.match(await emulate('/usr/lib/postgresql/17/bin/postgres', '--version'), /PostgreSQL/)
  assert.match(await emulate(`${servers}/nats/server/usr/sbin/nats-server`, '--version'), /v2\./)
  assert.match(await emulate(...loaded('asterisk/tree', '', 'asterisk'), '-V'), /^Asterisk 22\./)
  assert.match(await emulate(...loaded('edge/trixie', '/kamailio', 'kamailio'), '-v'), /kamailio 6\.0\./)
  assert.match(await emulate('/usr/bin/espeak-ng', '--version'), /eSpeak NG/)
})

type Running = {
  readonly seconds: () => number
  /** What the command has printed, as soon as it matches. */
  readonly shows: (text: RegExp) => Promise<RegExpExecArray>
  /** Who signs in to the pages of this name. */
  readonly person: (pages: string) => Promise<readonly [email: string, password: string]>
  readonly ended: Promise<unknown[]>
}

function start(command: string): Running {
  const startedMs = performance.now()
  const shell = docker.shell(directory)
  const ended = once(shell, 'close')
  const waiting = new Set<() => void>()
  let shown = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      for (const look of waiting) look()
    })
  }
  shell.stdin?.end(`exec ${command}`)
  const shows = async (text: RegExp) => {
    const found = Promise.withResolvers<RegExpExecArray>()
    const look = () => {
      const match = text.exec(shown)
      if (match) found.resolve(match)
    }
    waiting.add(look)
    look()
    const early = ended.then(() => Promise.reject(new Error(`it ended before it printed ${text}:\n${shown}`)))
    return await Promise.race([found.promise, early]).finally(() => waiting.delete(look))
  }
  return {
    seconds: () => (performance.now() - startedMs) / 1_000,
    shows,
    person: async (pages) => {
      const [, email = '', password = ''] = await shows(RegExp(`${pages} .*\\n +sign in with +(\\S+) +(\\S+)`))
      return [email, password]
    },
    ended,
  }
}

// Returns how many seconds it took.
async function stop(demo: Running): Promise<number> {
  const startedMs = performance.now()
  await docker.inside(['docker', 'stop', await container()])
  const [code] = await demo.ended
  const seconds = (performance.now() - startedMs) / 1_000
  assert.equal(code, 0)
  assert(seconds <= stopSecondsMax, `it took ${seconds.toFixed(1)} s`)
  return seconds
}

async function container(): Promise<string> {
  return (await docker.inside(['docker', 'ps', '--quiet'])).trim()
}

function inside(what: string, ...args: readonly string[]): Promise<string> {
  return docker.inside(insideCommand(what, ...args))
}

function insideCommand(what: string, ...args: readonly string[]): readonly string[] {
  const file = join(import.meta.dirname, 'demo-inside.ts')
  return [process.execPath, '--disable-warning=ExperimentalWarning', file, what, url, ...args]
}

async function load(architecture: string): Promise<void> {
  const archive = join(cacheDirectory, `ringproof-demo-${version}-${architecture}.tar`)
  await docker.inside(['docker', 'load', '--quiet', '--input', archive])
}
