// What `ringproof doctor` finds, for the operator console: as this process and its database login see the installation.

import type { SlotMap } from '../db/core/slot-map.ts'
import type { Finding } from '../domain/installation/finding.ts'
import { createClock } from '../process/clock.ts'
import type { Config } from '../process/config/config.ts'

type Examination = { readonly atMs: number; readonly findings: readonly Finding[] }

// However many operators look, servers are examined once in this time. A wall that is never switched off asks for less.
const keptMs = 15_000

export function createExamination(config: Config, slots: SlotMap): (maxAgeMs?: number) => Promise<Examination> {
  // Real time: the limits are for servers, not for calls.
  const clock = createClock(1)
  let newest: { readonly startedMs: number; readonly examination: Promise<Examination> } | undefined
  const examine = async (): Promise<Examination> => {
    const [{ examineInstallation }, { createInstallationProbes }] = await Promise.all([
      import('../actions/installation/examine-installation.ts'),
      import('./installation-probes.ts'),
    ])
    const probes = createInstallationProbes(config, clock)
    const findings = await examineInstallation({ config, slots, clock, probes })
    return { atMs: clock.timeOfDayMs(), findings }
  }
  return (maxAgeMs = keptMs) => {
    const nowMs = clock.monotonicMs()
    if (newest === undefined || nowMs - newest.startedMs > maxAgeMs)
      newest = { startedMs: nowMs, examination: examine() }
    return newest.examination
  }
}
