// Renders the configuration of one signalling edge (Kamailio) from the templates in deploy/edge/. Production, the development
// stack and the tests use the same code.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Transport } from '../../domain/trunks/trunk.ts'
import { renderTemplate } from '../asterisk/config.ts'
import { formatSipAddress, type SipAddress } from '../sip/hep.ts'
import { asteriskKey, type EdgeKeys } from './key.ts'

export type EdgeConfig = {
  // Holds all files of the edge.
  readonly directory: string
  // Where Ringproof sends to.
  readonly insideHost: string
  readonly insidePort: number
  // What carriers see.
  readonly sipHost: string
  readonly sipPort: number
  // UDP is always there. Calls over TLS do not go over the edge.
  readonly sipTransports: readonly Transport[]
  // Our address as carriers see it, behind NAT.
  readonly publicAddress: string | undefined
  // Loopback port to which it sends copies of SIP messages, and the key in them.
  readonly hepPort: number
  readonly hepKey: string
  // Sign what passes between Ringproof and the edge.
  readonly keys: EdgeKeys
  // Where the other edge of a pair sends its table to, and where we send ours.
  readonly pair: { readonly own: SipAddress; readonly peer: SipAddress } | undefined
}

const templatesDirectory = new URL('../../../../deploy/edge/', import.meta.url)

// Returns the path of the file to start Kamailio with.
export function renderEdgeConfig(config: EdgeConfig): string {
  mkdirSync(join(config.directory, 'run'), { recursive: true, mode: 0o700 })
  const values = valuesOf(config)
  for (const file of readdirSync(templatesDirectory)) {
    const text = renderTemplate(file, readFileSync(new URL(file, templatesDirectory), 'utf8'), values)
    writeFileSync(join(config.directory, file), text, { mode: 0o600 })
  }
  return join(config.directory, 'kamailio.cfg')
}

// In the foreground, with twice the memory that its legs can take, by the allocator that is cheapest.
export function edgeArguments(directory: string): readonly string[] {
  const run = join(directory, 'run')
  const memory = '-m 512 -M 16 -x tlsf -X tlsf'.split(' ')
  return ['-f', join(directory, 'kamailio.cfg'), '-DD', '-E', ...memory, '-Y', run, '-w', run]
}

// Of an udp:// URL.
export function parseEdgeUrl(url: string): SipAddress {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}

function valuesOf(config: EdgeConfig): ReadonlyMap<string, readonly string[]> {
  const { sipHost, sipPort, sipTransports, publicAddress, pair } = config
  const hasTcp = sipTransports.includes('tcp')
  const address = formatSipAddress({ host: sipHost, port: sipPort })
  const contact = formatSipAddress({ host: publicAddress ?? sipHost, port: sipPort })
  const listener = publicAddress === undefined ? address : `${address} advertise ${contact}`
  return new Map<string, readonly string[]>([
    ['insideAddress', [formatSipAddress({ host: config.insideHost, port: config.insidePort })]],
    ['sipAddress', [address]],
    ['udpListener', [`udp:${listener}`]],
    ['tcpListener', hasTcp ? [`tcp:${listener}`] : []],
    ['tcpSocket', hasTcp ? ['outside-tcp'] : []],
    ['disableTcp', hasTcp ? [] : ['yes']],
    ['contact', [contact]],
    ['hepPort', [String(config.hepPort)]],
    ['hepKey', [config.hepKey]],
    ['innerKey', [config.keys.inner]],
    ['outerKey', [config.keys.outer]],
    ['asteriskKey', [asteriskKey(config.keys)]],
    ['pairAddress', pair ? [formatSipAddress(pair.own)] : []],
    ['pairPeer', pair ? [formatSipAddress(pair.peer)] : []],
    ['pairPeerHost', pair ? [pair.peer.host] : []],
    ['dmqModule', pair ? ['dmq.so'] : []],
    ['pairWorkers', pair ? ['1'] : []],
    ['isPair', [pair ? '1' : '0']],
  ])
}
