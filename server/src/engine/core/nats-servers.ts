// Connects to NATS. With tls:// the client refuses a server without TLS, or with a certificate for none of the configured
// hosts, before it sends any credentials.

import { readFileSync } from 'node:fs'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { type ConnectionOptions, connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { UsageError } from '../../process/errors.ts'

export type NatsServers = {
  readonly natsUrls: readonly string[]
  readonly natsCaFile?: string | undefined
  readonly natsCredsFile?: string | undefined
}

const timeoutMs = 3_000

export async function connectTo(servers: NatsServers, options: ConnectionOptions): Promise<NatsConnection> {
  const urls = servers.natsUrls.map((url) => new URL(url))
  const isTls = urls.some(({ protocol }) => protocol === 'tls:')
  try {
    return await connect({
      servers: urls.map(({ host }) => host),
      name: 'ringproof',
      timeout: timeoutMs,
      ...loginOf(urls, servers.natsCredsFile),
      ...(isTls ? { tls: tlsOptions(urls, servers.natsCaFile) } : {}),
      ...options,
    })
  } catch (error) {
    const where = urls.map(({ protocol, host }) => `${protocol}//${host}`).join(', ')
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`RINGPROOF_NATS_URL: NATS at ${where} cannot be used: ${why}. ${adviceFor(isTls)}`, {
      cause: error,
    })
  }
}

// The file is read at every connect, so it can be replaced while the process runs. A user without a password is a token, as
// usual in NATS.
function loginOf(urls: readonly URL[], credsFile: string | undefined): ConnectionOptions {
  if (credsFile !== undefined) return { authenticator: credsAuthenticator(() => readFileSync(credsFile)) }
  const login = urls.find(({ username }) => username !== '')
  if (!login) return {}
  const user = decodeURIComponent(login.username)
  return login.password === '' ? { token: user } : { user, pass: decodeURIComponent(login.password) }
}

// A server discovered through the cluster has an address that no certificate names, so its certificate must be for one of
// the configured hosts.
function tlsOptions(urls: readonly URL[], caFile: string | undefined): NonNullable<ConnectionOptions['tls']> {
  const hosts = urls.map(({ hostname }) => hostname.replace(/^\[(.*)\]$/, '$1'))
  const verify = {
    checkServerIdentity: (_host: string, certificate: PeerCertificate) => {
      const faults = hosts.map((host) => checkServerIdentity(host, certificate))
      return faults.includes(undefined) ? undefined : faults[0]
    },
  }
  return { ...verify, ...(caFile === undefined ? {} : { caFile }) }
}

function adviceFor(isTls: boolean): string {
  return isTls
    ? 'Is it running, does it offer TLS, and is its certificate for this host and from RINGPROOF_NATS_CA_FILE?'
    : 'Is it running, and are address and credentials right?'
}
