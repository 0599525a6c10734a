// What customers and the public may know of the installation: one word, without names and counts.

import type { severities } from '@ringproof/contract/lists/installation.ts'
import type { HealthState } from '../trunks/trunk-health.ts'

export type Severity = (typeof severities)[number]
export type Status = 'ok' | 'degraded' | 'outage' | 'maintenance'

export const announcementTextMax = 300

type Facts = {
  // Of current announcements.
  readonly announced: readonly Severity[]
  // Of the carriers' trunks.
  readonly trunks: readonly HealthState[]
  readonly areCallsStopped: boolean
}

// An operator knows more than we measure, but an announcement of something small hides no outage. During maintenance stopped calls are
// expected.
export function evaluateStatus({ announced, trunks, areCallsStopped }: Facts): Status {
  if (announced.includes('outage')) return 'outage'
  if (announced.includes('maintenance')) return 'maintenance'
  const isUp = trunks.some((state) => state === 'healthy' || state === 'degraded')
  if (areCallsStopped || !isUp) return 'outage'
  // Another trunk takes the calls of one that fails.
  return announced.includes('degraded') || !trunks.includes('healthy') ? 'degraded' : 'ok'
}
