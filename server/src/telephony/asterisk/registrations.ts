// Reads the state of our outbound registrations. ARI does not report it; Asterisk's Prometheus metrics do.

import { type TrunkState, trunkReasons } from '../../domain/trunks/trunk.ts'
import { type AsteriskAccess, readFromAsterisk } from './http.ts'

export type Registrations = ReadonlyMap<string, TrunkState>

export const unregistered: TrunkState = { isUp: false, reason: trunkReasons.unregistered, fault: 'unregistered' }

// By the value of the metric.
const states: Readonly<Record<string, TrunkState>> = {
  0: unregistered,
  1: { isUp: true, reason: trunkReasons.registered },
  2: { isUp: false, reason: trunkReasons.rejected, fault: 'rejected' },
}

// Keyed by the SIP address that we register as.
export async function readRegistrations(access: AsteriskAccess): Promise<Registrations> {
  return registrationsIn(await readFromAsterisk(access, 'metrics'))
}

export function registrationsIn(metrics: string): Registrations {
  const lines = metrics.matchAll(/^asterisk_pjsip_outbound_registration_status\{.*username="([^"]+)".*\} (\d)$/gm)
  return new Map(
    [...lines].flatMap(([, username = '', state = '']) => (states[state] ? [[username, states[state]]] : [])),
  )
}
