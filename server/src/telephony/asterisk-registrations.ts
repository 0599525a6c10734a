// Whether carriers take our registrations. ARI does not tell it; Asterisk's metrics do.

import type { TrunkState } from './asterisk-trunks.ts'

export type Registrations = ReadonlyMap<string, TrunkState>

type Access = { readonly url: string; readonly user: string; readonly password: string }

// As the metric numbers them.
const states: Readonly<Record<string, TrunkState>> = {
  0: { isUp: false, reason: 'not registered' },
  1: { isUp: true, reason: 'registered' },
  2: { isUp: false, reason: 'the carrier rejects our registration' },
}

// By the address that we register as.
export async function readRegistrations({ url, user, password }: Access): Promise<Registrations> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const answer = await fetch(`${url}/metrics`, { headers: { authorization } })
  if (!answer.ok) throw new Error(`Asterisk answers ${answer.status} to whoever asks for its metrics`)
  return registrationsIn(await answer.text())
}

export function registrationsIn(metrics: string): Registrations {
  const lines = metrics.matchAll(/^asterisk_pjsip_outbound_registration_status\{.*username="([^"]+)".*\} (\d)$/gm)
  return new Map(
    [...lines].flatMap(([, username = '', state = '']) => (states[state] ? [[username, states[state]]] : [])),
  )
}
