// The backups of every stanza, and whether they are in order.

import { type Backup, backupsIn, evaluateBackup, unreadableBackup } from '../../domain/installation/backup.ts'
import type { Finding } from '../../domain/installation/finding.ts'
import { checkMsMax } from '../../domain/installation/thresholds.ts'
import { type Clock, withTimeLimit } from '../../process/clock.ts'
import type { Config } from '../../process/config/config.ts'

type Deps = {
  readonly config: Pick<Config, 'backupStanzas'>
  // Real time, whatever the time scale.
  readonly clock: Clock
  // What `pgbackrest info` prints; rejects with the reason.
  readonly probes: { readonly backups: (stanza: string, signal: AbortSignal) => Promise<unknown> }
}

export type StanzaBackups = {
  readonly stanza: string
  // The newest last.
  readonly backups: readonly Backup[]
  readonly finding: Finding
}

export async function listBackups({ config, clock, probes }: Deps): Promise<readonly StanzaBackups[]> {
  return Promise.all(
    config.backupStanzas.map((stanza) =>
      withTimeLimit<StanzaBackups>(
        clock,
        checkMsMax,
        async (signal) => {
          const info = await probes.backups(stanza, signal)
          return { stanza, backups: backupsIn(info), finding: evaluateBackup(stanza, info, clock.timeOfDayMs()) }
        },
        (error) => ({ stanza, backups: [], finding: unreadableBackup(stanza, error) }),
      ),
    ),
  )
}
