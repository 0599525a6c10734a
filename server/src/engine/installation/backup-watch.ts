// Reads the age of the newest backup of every stanza for the metrics, every ten minutes. If the backups cannot be listed, the
// last known time stays, and so gets old.

import { listBackups } from '../../actions/installation/restores.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'

type BackupWatchDeps = {
  readonly backupStanzas: readonly string[]
  // What `pgbackrest info` prints; rejects with the reason.
  readonly readBackups: (stanza: string, signal: AbortSignal) => Promise<unknown>
  // Real time, whatever the time scale.
  readonly clock: Clock
  readonly events: Pick<Events, 'backupSeen'>
  readonly log: Logger
}

const roundMs = 600_000

export function startBackupWatch(deps: BackupWatchDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const watching = deps.backupStanzas.length === 0 ? undefined : keepReading(deps, closing.signal)
  return {
    close: async () => {
      closing.abort()
      await watching
    },
  }
}

async function keepReading(deps: BackupWatchDeps, closing: AbortSignal): Promise<void> {
  const { backupStanzas, readBackups, clock, events, log } = deps
  for (const stanza of backupStanzas) events.backupSeen(stanza, undefined)
  while (!closing.aborted) {
    const stanzas = await listBackups({ config: { backupStanzas }, clock, probes: { backups: readBackups } })
    for (const { stanza, backups, finding } of stanzas) {
      const newest = backups.at(-1)
      if (newest) events.backupSeen(stanza, newest.endedMs)
      else log.warn({ stanza, reason: finding.cause }, 'no backup found')
    }
    await clock.sleep(roundMs, closing)
  }
}
