// Caddy with the example configuration, as an operator would run it. The program is Debian's package, unpacked into
// .stack once and kept there.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unpackPackage } from '../../../scripts/stack/debian.ts'
import { draftDirectory } from '../../../scripts/stack/draft.ts'
import { withLock } from '../../../scripts/stack/lock.ts'
import { freePort } from '../../../scripts/stack/ports.ts'
import { run } from '../../../scripts/stack/process.ts'
import { stackDirectory } from '../../../scripts/stack/state.ts'
import { atEnd } from '../at-end.ts'
import { fileDirectory } from '../temporary-directory.ts'

export type Proxy = {
  readonly base: string
  // All log output so far.
  readonly log: () => string
  // Resolves when the text was logged.
  readonly logs: (text: string) => Promise<void>
}

const sampleFile = fileURLToPath(new URL('../../../deploy/caddy/Caddyfile', import.meta.url))
const installedDirectory = join(stackDirectory, 'caddy')
const program = join(installedDirectory, 'usr/bin/caddy')

// A current Caddy: that of Debian 12 works (`npm run deb:test`), but parses malformed requests less strictly.
const suites = ['forky', 'sid'] as const

export async function caddyProgram(): Promise<string> {
  await installCaddy()
  return program
}

// In front of the given address, without TLS, on a free loopback port. Stopped after the tests of the file.
export async function startProxy(upstream: string): Promise<Proxy> {
  const command = await caddyProgram()
  const base = `http://127.0.0.1:${await freePort()}`
  const environment = { PROXY_SITE: base, PROXY_BIND: '127.0.0.1', PROXY_ADMIN: 'off', PROXY_UPSTREAM: upstream }
  const child = spawn(command, ['run', '--config', sampleFile, '--adapter', 'caddyfile'], {
    env: { ...environment, ...ownDirectories() },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const closed = once(child, 'close')
  atEnd(async () => {
    child.kill('SIGTERM')
    await closed
  })
  let log = ''
  const received = new Set<() => void>()
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk
    for (const listener of received) listener()
  })
  const logs = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const listen = () => {
        if (log.includes(text)) resolve()
      }
      received.add(listen)
      listen()
      closed.then(() => reject(new Error(`Caddy ended without writing "${text}": ${log}`)), reject)
    })
  await logs('"msg":"serving initial configuration"')
  return { base, log: () => log, logs }
}

// The example, converted by Caddy to its JSON configuration.
export async function adaptSample(environment: Readonly<Record<string, string>>): Promise<string> {
  await installCaddy()
  return run([program, 'adapt', '--config', sampleFile, '--adapter', 'caddyfile'], {
    env: { ...environment, ...ownDirectories() },
  })
}

// Fails when the file is not formatted as Caddy's own formatter would.
export async function checkSampleFormat(): Promise<void> {
  await installCaddy()
  await run([program, 'fmt', '--diff', sampleFile])
}

// Test files run in parallel, and each may be the first. The program is moved to its name only when complete.
async function installCaddy(): Promise<void> {
  if (existsSync(program)) return
  await withLock(async () => {
    if (existsSync(program)) return
    const problems: string[] = []
    for (const suite of suites) {
      try {
        const draft = await draftDirectory(installedDirectory)
        const tree = await unpackPackage('caddy', suite, draft)
        await run([join(tree, 'usr/bin/caddy'), 'version'])
        await rm(installedDirectory, { recursive: true, force: true })
        await rename(tree, installedDirectory)
        await rm(draft, { recursive: true })
        return
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error))
      }
    }
    throw new Error(`Caddy could not be installed: ${problems.join('\n')}`)
  })
}

// Caddy writes certificates and its last configuration somewhere; not into the home directory of the person who runs
// the tests.
function ownDirectories(): Record<string, string> {
  const directory = fileDirectory()
  return { HOME: directory, XDG_DATA_HOME: `${directory}/data`, XDG_CONFIG_HOME: `${directory}/config` }
}
