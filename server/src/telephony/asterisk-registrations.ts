// Reads the state of our outbound registrations. ARI does not report it; Asterisk's Prometheus metrics do.

import { once } from 'node:events'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getOverTls } from 'node:https'
import { text } from 'node:stream/consumers'
import { tlsTrust } from './asterisk-tls.ts'
import type { TrunkState } from './asterisk-trunks.ts'

export type Registrations = ReadonlyMap<string, TrunkState>

type Access = {
  readonly url: string
  readonly user: string
  readonly password: string
  readonly caFile?: string | undefined
}

const timeoutMs = 5_000

// By the value of the metric.
const states: Readonly<Record<string, TrunkState>> = {
  0: { isUp: false, reason: 'not registered' },
  1: { isUp: true, reason: 'registered' },
  2: { isUp: false, reason: 'the carrier rejects our registration' },
}

// Keyed by the SIP address that we register as.
export async function readRegistrations({ url, user, password, caFile }: Access): Promise<Registrations> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const get = url.startsWith('https:') ? getOverTls : getPlain
  const request = get(`${url}/metrics`, { headers: { authorization }, timeout: timeoutMs, ...tlsTrust(caFile) })
  request.on('timeout', () => request.destroy(new Error(`Asterisk metrics did not arrive within ${timeoutMs} ms`)))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const metrics = await text(response)
  if (response.statusCode !== 200) throw new Error(`Asterisk metrics request failed with status ${response.statusCode}`)
  return registrationsIn(metrics)
}

export function registrationsIn(metrics: string): Registrations {
  const lines = metrics.matchAll(/^asterisk_pjsip_outbound_registration_status\{.*username="([^"]+)".*\} (\d)$/gm)
  return new Map(
    [...lines].flatMap(([, username = '', state = '']) => (states[state] ? [[username, states[state]]] : [])),
  )
}
