// Evaluates the signalling edge of this node.

import { bad, codeOf, type Finding, good, reasonOf, warning } from './finding.ts'
import { kamailioAdvice, kamailioFault } from './schema-version.ts'

type EdgeSettings = {
  readonly edgeSipHost: string | undefined
  readonly edgeSipPort: number
  readonly edgeCallsPerSecond: number
  readonly sipHost: string
  readonly sipPort: number
  readonly sipTlsPort: number
  readonly sipPublicAddress: string | undefined
}

// The machine that is examined.
export type EdgeMachine = {
  // Undefined if Kamailio is not installed here.
  readonly version: string | undefined
  readonly addresses: readonly string[]
  // Undefined if the kernel does not say it, as in a container.
  readonly receiveBufferBytesMax: number | undefined
}

export type EdgeAddress = { readonly host: string; readonly port: number }

const restarting = 'systemctl restart ringproof-edge'
const unspecified: ReadonlySet<string> = new Set(['0.0.0.0', '::'])
// A call is five packets to us, a process may pause for a fifth of a second, and the kernel counts up to 1160 bytes for a packet.
const bufferBytesPerCall = 1_160
// Our socket asks for no more.
const bufferBytesMax = 4_194_304

export function evaluateEdge(subject: string, { version }: EdgeMachine): Finding {
  const fault = version === undefined ? undefined : kamailioFault(version)
  if (fault !== undefined) return bad('edge', subject, fault, `install ${kamailioAdvice}, then: ${restarting}`)
  return good('edge', subject, `${version === undefined ? 'The edge' : `Kamailio ${version}`} responds.`)
}

export function unreachableEdge(subject: string, machine: EdgeMachine, error: unknown): Finding {
  const found = evaluateEdge(subject, machine)
  // Such a Kamailio is not started.
  if (found.level === 'bad') return found
  const fix =
    codeOf(error) === 'ECONNREFUSED'
      ? 'systemctl start ringproof-edge'
      : 'correct RINGPROOF_EDGE_URL, or allow UDP between this node and its edge'
  return bad('edge', subject, `The edge does not respond, so calls wait: ${reasonOf(error)}.`, fix)
}

// Where carriers reach the edge. The contact is what the running one writes into calls; undefined if it does not respond.
export function evaluateEdgeAddress(
  subject: string,
  inside: EdgeAddress,
  settings: EdgeSettings,
  { addresses }: EdgeMachine,
  contact: string | undefined,
): Finding {
  const { edgeSipHost: host, edgeSipPort: port, sipHost, sipPort, sipTlsPort } = settings
  const isFault = (cause: string, fix: string) => bad('edge-address', subject, cause, `${fix}, then: ${restarting}`)
  const own = addresses.find((address) => !/^(127\.|::1$|fe80:)/.test(address)) ?? '127.0.0.1'
  if (host === undefined || unspecified.has(host)) {
    const cause = `RINGPROOF_EDGE_SIP_HOST is ${host ?? 'empty'}: the edge needs the one address that carriers reach.`
    return isFault(cause, `RINGPROOF_EDGE_SIP_HOST=${own}`)
  }
  const isLocal = addresses.includes(inside.host)
  if (isLocal && !addresses.includes(host)) {
    const cause = `This machine has no address ${host}, so the edge cannot start with this RINGPROOF_EDGE_SIP_HOST.`
    return isFault(cause, `RINGPROOF_EDGE_SIP_HOST=${own}`)
  }
  const isShared = isLocal && (sipHost === host || unspecified.has(sipHost))
  if (isShared && [sipPort, sipTlsPort].includes(port)) {
    const cause = `Asterisk listens on port ${port} of ${host}, too: only the first of the two can start.`
    return isFault(cause, `RINGPROOF_EDGE_SIP_PORT=${sipPort + 20}`)
  }
  const wanted = formatted({ host: settings.sipPublicAddress ?? host, port })
  if (contact !== undefined && contact !== wanted) {
    const cause = `The edge writes ${contact} into calls, but by the settings carriers reach it at ${wanted}.`
    return bad('edge-address', subject, cause, restarting)
  }
  return good('edge-address', subject, `Carriers reach the edge at ${wanted}.`)
}

export function evaluateEdgeBuffers(
  subject: string,
  { edgeCallsPerSecond }: EdgeSettings,
  { receiveBufferBytesMax: max }: EdgeMachine,
): readonly Finding[] {
  if (max === undefined) return []
  const needed = Math.min(bufferBytesMax, edgeCallsPerSecond * bufferBytesPerCall)
  if (max >= needed)
    return [good('edge-buffers', subject, `Sockets may buffer enough for ${edgeCallsPerSecond} calls a second.`)]
  const calls = Math.floor(max / bufferBytesPerCall)
  const cause = `Sockets may buffer ${max} bytes (net.core.rmem_max), enough for ${calls} calls a second, but RINGPROOF_EDGE_CALLS_PER_SECOND is ${edgeCallsPerSecond}: a short pause loses packets.`
  const fix = `echo net.core.rmem_max=${bufferBytesMax} >/etc/sysctl.d/60-ringproof.conf && sysctl --system && ${restarting}`
  return [warning('edge-buffers', subject, cause, fix)]
}

function formatted({ host, port }: EdgeAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
