// Asterisk from a newer Debian than the machine's, unpacked into a directory with its libraries and run by that directory's
// loader: nothing is installed into the system. The configuration is the same as in production.

import { existsSync, readdirSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sipTransports } from '@ringproof/contract/lists/trunks.ts'
import {
  type AsteriskConfig,
  modulesDirectory,
  renderAsteriskConfig,
} from '../../../server/src/telephony/asterisk/config.ts'
import { unpackWithLibraries } from '../debian.ts'
import { draftDirectory } from '../draft.ts'
import { run } from '../process.ts'
import { programsDirectory, type State, stackDirectory } from '../state.ts'
import type { Part } from './part.ts'

export const asterisk: Part = {
  name: 'asterisk',
  title: 'Asterisk',
  stopSignal: 'SIGTERM',
  install,
  prepare: async (state) => asteriskCommand(renderAsteriskConfig(asteriskConfigOf(state))),
  probe,
  environment: ({ ports, passwords }) => [
    ['RINGPROOF_ARI_URL', `http://127.0.0.1:${ports.asterisk}`],
    ['RINGPROOF_ARI_USER', ariUser],
    ['RINGPROOF_ARI_PASSWORD', passwords.ari],
    ['RINGPROOF_NODE', node],
    ['RINGPROOF_HEP_PORT', String(ports.asterisk)],
    ['RINGPROOF_SIP_TRANSPORTS', sipTransports.join(',')],
  ],
}

// Older versions do not report the SIP status of a refused call over ARI and do not support REST over the WebSocket.
const versionMin = '22.10.1'
const suites = ['forky', 'sid'] as const
export const asteriskPackages = [
  'asterisk',
  'asterisk-modules',
  'asterisk-core-sounds-en-wav',
  'asterisk-core-sounds-ru-wav',
] as const
// The libraries that the modules in deploy/asterisk/modules.conf are linked against. Package names end with a version.
export const asteriskLibraries =
  /^(lib(bsd|cap|crypt|c|edit|gcc-s|gsm|jansson|md|nspr|nss|sqlite3-|srtp2-|ssl|stdc\+\+|systemd|tinfo|uriparser|uuid|xml2|xslt|zstd)[\d.-]*(t64)?|zlib1g)$/

const ariUser = 'ringproof'
const node = 'development'

const directory = join(stackDirectory, 'asterisk')
export const asteriskTree = join(programsDirectory, 'asterisk/tree')
const programs = join(asteriskTree, 'usr')

async function install(): Promise<string> {
  const present = await versionIn(asteriskTree).catch(() => undefined)
  if (present !== undefined && isRecent(present)) return `${present} is there`
  const problems: string[] = []
  for (const suite of suites) {
    // A newer version may be linked against other libraries; then all of them are taken.
    for (const selected of [asteriskLibraries, /^(lib|zlib)/]) {
      try {
        const draft = await draftDirectory(asteriskTree)
        const tree = await unpackWithLibraries(asteriskPackages, selected, suite, draft)
        await assertLinked(tree)
        const version = await versionIn(tree)
        if (!isRecent(version)) throw new Error(`${suite} has only ${version}`)
        await rm(asteriskTree, { recursive: true, force: true })
        await rename(tree, asteriskTree)
        await rm(draft, { recursive: true })
        return `${version} from Debian's ${suite}`
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error))
      }
    }
  }
  throw new Error(`Asterisk ${versionMin} or newer is needed: ${problems.join('\n')}`)
}

/** The command line that runs Asterisk with a configuration, in the foreground. */
export function asteriskCommand(configPath: string): string[] {
  return [...loaderOf(asteriskTree), join(programs, 'sbin/asterisk'), '-f', '-C', configPath]
}

/** Queries ARI as the server does and returns the version; throws if it is too old. */
export async function askAri(port: number, password: string, host = '127.0.0.1'): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${ariUser}:${password}`).toString('base64')}`
  const response = await fetch(`http://${host}:${port}/ari/asterisk/info?only=system`, { headers: { authorization } })
  if (!response.ok) throw new Error(`ARI request failed with status ${response.status}`)
  const info = (await response.json()) as { system?: { version?: string } }
  const version = /^\d+\.\d+\.\d+/.exec(info.system?.version ?? '')?.[0] ?? ''
  if (!isRecent(version)) throw new Error(`Asterisk ${version} is too old: version ${versionMin} or newer is required`)
  const modules = await fetch(`http://${host}:${port}/ari/asterisk/modules`, { headers: { authorization } })
  const listed = (await modules.json()) as { name: string; status: string }[]
  const running = new Set(listed.filter(({ status }) => status === 'Running').map(({ name }) => name))
  const idle = (await wantedModules()).filter((name) => !running.has(name))
  if (idle.length > 0) throw new Error(`Asterisk modules are not running: ${idle.join(', ')}`)
  return version
}

async function wantedModules(): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, '../../../deploy/asterisk/modules.conf'), 'utf8')
  return [...text.matchAll(/^load = (\S+)$/gm)].map(([, module = '']) => module)
}

/** A node on loopback, in a separate directory. */
export function localAsteriskConfig(
  place: Pick<AsteriskConfig, 'directory' | 'node' | 'ariPort' | 'sipPort' | 'sipTlsPort' | 'hepPort' | 'ariPassword'>,
): AsteriskConfig {
  return {
    ...place,
    programs,
    ariHost: '127.0.0.1',
    ariUser,
    sipHost: '127.0.0.1',
    sipTransports,
    publicAddress: undefined,
    localNetworks: [],
    rtpPorts: { first: 20_000, last: 29_999 },
    caFile: undefined,
    kazakhPrompts: undefined,
  }
}

function asteriskConfigOf({ ports, passwords }: State): AsteriskConfig {
  const place = { directory: join(directory, 'site'), node, ariPort: ports.asterisk, ariPassword: passwords.ari }
  return localAsteriskConfig({ ...place, sipPort: ports.sip, sipTlsPort: ports.sipTls, hepPort: ports.asterisk })
}

async function probe({ ports, passwords }: State): Promise<string> {
  return askAri(ports.asterisk, passwords.ari)
}

async function versionIn(tree: string): Promise<string> {
  const response = await run([...loaderOf(tree), join(tree, 'usr/sbin/asterisk'), '-V'])
  const version = /Asterisk (\d+\.\d+\.\d+)/.exec(response)?.[1]
  if (version === undefined) throw new Error(`Asterisk printed no version: ${response}`)
  return version
}

async function assertLinked(tree: string): Promise<void> {
  const modules = modulesDirectory(join(tree, 'usr'))
  const loaded = (await wantedModules()).map((module) => join(modules, module))
  for (const file of [join(tree, 'usr/sbin/asterisk'), ...loaded]) {
    const linked = await run([...loaderOf(tree), '--list', file])
    const missing = /^\s*(\S+) => not found$/m.exec(linked)?.[1]
    if (missing !== undefined) throw new Error(`${file} needs ${missing}`)
  }
}

function loaderOf(tree: string): string[] {
  const place = join(tree, 'usr/lib64')
  const kinds = existsSync(place) ? place : join(tree, 'usr/lib')
  const loader = readdirSync(kinds).find((name) => /^ld-linux.*\.so\.\d+$/.test(name))
  if (loader === undefined) throw new Error(`no dynamic loader found in ${kinds}`)
  return [join(kinds, loader), '--library-path', join(modulesDirectory(join(tree, 'usr')), '../..')]
}

function isRecent(version: string): boolean {
  return version.localeCompare(versionMin, 'en', { numeric: true }) >= 0
}
