// Kamailio, the signalling edge, unpacked like Asterisk: 6.0 from Debian 13, or another suite's for a comparison. The configuration is
// the same as in production.

import { existsSync, readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type EdgeConfig, edgeArguments, renderEdgeConfig } from '../../../server/src/telephony/edge/config.ts'
import { edgeKeys } from '../../../server/src/telephony/edge/key.ts'
import { hepKey } from '../../../server/src/telephony/sip/hep.ts'
import { unpackWithLibraries } from '../debian.ts'
import { draftDirectory } from '../draft.ts'
import { run } from '../process.ts'
import { programsDirectory, type State, stackDirectory } from '../state.ts'
import { askCarrier } from './carrier.ts'
import type { Part } from './part.ts'

export const edge: Part = {
  name: 'edge',
  title: 'Edge (Kamailio)',
  stopSignal: 'SIGTERM',
  install: () => installKamailio(newest),
  prepare: async (state) => {
    const config = edgeConfigOf(state)
    renderEdgeConfig(config)
    return kamailioCommand(config.directory, newest)
  },
  probe: async ({ ports }) => {
    await askCarrier(ports.edgeSip)
    return versionIn(treeOf(newest))
  },
  environment: ({ ports }) => [['RINGPROOF_EDGE_URL', `udp://127.0.0.1:${ports.edge}`]],
}

// 6.1 loses transactions whose INVITE is repeated quickly; 5.6 is what Debian 12 has.
export type KamailioSuite = 'trixie' | 'bookworm'
const newest: KamailioSuite = 'trixie'
export const edgePackages = ['kamailio'] as const

export async function installKamailio(suite: KamailioSuite): Promise<string> {
  const tree = treeOf(suite)
  const present = await versionIn(tree).catch(() => undefined)
  if (present !== undefined) return `${present} is there`
  const draft = await draftDirectory(tree)
  const unpacked = await unpackWithLibraries(edgePackages, /^(lib|zlib)/, suite, draft)
  const version = await versionIn(unpacked)
  await rm(tree, { recursive: true, force: true })
  await rename(unpacked, tree)
  await rm(draft, { recursive: true })
  return `${version} from Debian's ${suite}`
}

/** The command line that runs Kamailio with a rendered configuration, in the foreground. */
export function kamailioCommand(directory: string, suite: KamailioSuite): string[] {
  const tree = treeOf(suite)
  return [...programIn(tree), ...edgeArguments(directory), '-L', join(librariesIn(tree), 'kamailio/modules')]
}

function edgeConfigOf({ ports, passwords }: State): EdgeConfig {
  return {
    directory: join(stackDirectory, 'edge/site'),
    insideHost: '127.0.0.1',
    insidePort: ports.edge,
    sipHost: '127.0.0.1',
    sipPort: ports.edgeSip,
    sipTransports: ['udp', 'tcp'],
    publicAddress: undefined,
    pair: undefined,
    hepPort: ports.asterisk,
    hepKey: hepKey(passwords.ari, 'edge'),
    keys: edgeKeys(passwords.ari),
  }
}

function treeOf(suite: KamailioSuite): string {
  return join(programsDirectory, 'edge', suite)
}

async function versionIn(tree: string): Promise<string> {
  const response = await run([...programIn(tree), '-v'])
  const version = /kamailio (\d+\.\d+\.\d+)/.exec(response)?.[1]
  if (version === undefined) throw new Error(`Kamailio printed no version: ${response}`)
  return version
}

function programIn(tree: string): string[] {
  const place = join(tree, 'lib64')
  const kinds = existsSync(place) ? place : join(tree, 'lib')
  const loader = readdirSync(kinds).find((name) => /^ld-linux.*\.so\.\d+$/.test(name))
  if (loader === undefined) throw new Error(`no dynamic loader found in ${kinds}`)
  const libraries = librariesIn(tree)
  const path = [libraries, join(libraries, 'kamailio')].join(':')
  return [join(kinds, loader), '--library-path', path, join(tree, 'usr/sbin/kamailio')]
}

// Debian keeps libraries in a directory named after the architecture.
function librariesIn(tree: string): string {
  const kind = readdirSync(join(tree, 'usr/lib')).find((name) => existsSync(join(tree, 'usr/lib', name, 'kamailio')))
  if (kind === undefined) throw new Error(`no Kamailio below ${tree}`)
  return join(tree, 'usr/lib', kind)
}
