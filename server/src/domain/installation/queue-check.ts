// Evaluates NATS, which carries the call queue.

import { bad, codeOf, counted, type Finding, good, reasonOf, warning } from './finding.ts'
import { isOlder, natsVersionMin } from './schema-version.ts'

export type NatsFacts = {
  readonly version: string
  // Undefined for a single server.
  readonly cluster: string | undefined
  // Streams and buckets of this installation, as far as they exist.
  readonly streams: readonly { readonly name: string; readonly replicas: number }[]
}

// What one server reports on its monitoring port.
export type NatsStorage = {
  readonly isSyncedAlways: boolean
  readonly syncIntervalMs: number
}

// Three copies survive the loss of one server.
const replicasMin = 3

export function evaluateNats(subject: string, { version, cluster, streams }: NatsFacts): readonly Finding[] {
  const server = isOlder(version, natsVersionMin)
    ? bad(
        'nats',
        subject,
        `NATS ${version} may lose acknowledged messages: ${natsVersionMin} or newer is needed.`,
        'apt-get install nats-server',
      )
    : good('nats', subject, `NATS ${version} responds, with JetStream.`)
  return [server, evaluateReplicas(subject, cluster, streams)]
}

function evaluateReplicas(subject: string, cluster: string | undefined, streams: NatsFacts['streams']): Finding {
  const single = streams.filter(({ replicas }) => replicas < replicasMin)
  const [first] = single
  if (cluster === undefined) {
    return good('nats-replicas', subject, 'NATS is one server: while it is down, no call starts and none is lost.')
  }
  if (first === undefined) return good('nats-replicas', subject, `Every stream has ${replicasMin} copies.`)
  const cause = `${counted(single.length, 'stream')} of the cluster ${cluster} would stop with one server, such as ${first.name}.`
  return warning('nats-replicas', subject, cause, `RINGPROOF_NATS_REPLICAS=${replicasMin}`)
}

export function unreachableNats(subject: string, error: unknown): Finding {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const isRefused = codeOf(cause) === 'ECONNREFUSED' || /refused/i.test(reasonOf(cause))
  const reason = isRefused ? 'nothing listens on this port' : reasonOf(cause)
  const fix = isRefused
    ? 'systemctl start nats-server'
    : 'correct RINGPROOF_NATS_URL, and RINGPROOF_NATS_CA_FILE for TLS'
  return bad('nats', subject, `NATS cannot be used, so no call starts: ${reason}.`, fix)
}

export const unmonitoredNats: Finding = warning(
  'nats-sync',
  '',
  'Whether NATS writes a call to disk before it acknowledges it is unknown: only its monitoring port says so.',
  'set http: "127.0.0.1:8222" in nats-server.conf, and RINGPROOF_NATS_MONITOR_URLS=http://127.0.0.1:8222',
)

export function evaluateNatsStorage(monitor: string, { isSyncedAlways, syncIntervalMs }: NatsStorage): Finding {
  if (isSyncedAlways) return good('nats-sync', monitor, 'A call is on disk before it is acknowledged.')
  const seconds = Math.round(syncIntervalMs / 1_000)
  const cause = `JetStream syncs every ${seconds} s: a power loss takes calls that were acknowledged and charged.`
  return bad('nats-sync', monitor, cause, syncFix)
}

const syncFix =
  "sed -i 's/^ *jetstream *{/&\\n  sync_interval: always/' /etc/nats-server.conf && systemctl restart nats-server"

export function unreachableMonitor(monitor: string, error: unknown): Finding {
  const cause = `The monitoring port of NATS cannot be read: ${reasonOf(error)}.`
  return bad('nats-sync', monitor, cause, 'correct RINGPROOF_NATS_MONITOR_URLS, or http in nats-server.conf')
}

// Loopback never needs TLS.
export function evaluateNatsTls(urls: readonly string[], isLoopback: (host: string) => boolean): Finding {
  const first = urls
    .map((url) => new URL(url))
    .find(({ protocol, hostname }) => protocol === 'nats:' && !isLoopback(hostname))
  if (first === undefined) return good('nats-tls', '', 'No password or call order leaves this machine in clear.')
  const cause = `Passwords and call orders travel to ${first.host} in clear.`
  return warning('nats-tls', '', cause, `RINGPROOF_NATS_URL=tls://${first.host}`)
}
