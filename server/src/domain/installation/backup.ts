// Evaluates what `pgbackrest info --output=json` prints about a stanza.

import { dayMs } from '../values/time.ts'
import { bad, counted, days, type Finding, good, reasonOf, warning } from './finding.ts'
import { backupBadDays, backupWarningDays } from './thresholds.ts'

export type Backup = {
  readonly label: string
  readonly type: string
  readonly endedMs: number
  // Of the database, not of what was stored.
  readonly bytes: number
}

export const unknownBackup: Finding = warning(
  'backup',
  '',
  'No backup is known: RINGPROOF_BACKUP_STANZAS is empty.',
  'set up pgBackRest as docs/operations/backup.md describes, and RINGPROOF_BACKUP_STANZAS=STANZA',
)

export function unreadableBackup(stanza: string, error: unknown): Finding {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  const cause = isMissing ? 'pgbackrest is not installed here' : reasonOf(error)
  return bad(
    'backup',
    stanza,
    `The backups cannot be listed: ${cause}.`,
    isMissing ? 'apt-get install pgbackrest' : `pgbackrest --stanza=${stanza} check`,
  )
}

export function evaluateBackup(stanza: string, info: unknown, nowMs: number): Finding {
  const full = `pgbackrest --stanza=${stanza} --type=full backup`
  const found = stanzaOf(info)
  const message = found?.status?.message ?? 'the stanza is missing'
  if (found === undefined || found.status?.code === stanzaMissing) {
    return bad(
      'backup',
      stanza,
      `There is no backup: ${message}.`,
      `pgbackrest --stanza=${stanza} stanza-create && ${full}`,
    )
  }
  if (found.cipher === 'none') {
    const fix = `set repo1-cipher-type and repo1-cipher-pass, delete the repository, pgbackrest --stanza=${stanza} stanza-create && ${full}`
    return bad('backup', stanza, 'The backups are not encrypted.', fix)
  }
  const usable = backupsIn(info)
  const newest = usable.at(-1)
  if (newest === undefined) return bad('backup', stanza, `There is no backup: ${message}.`, full)
  const ageMs = nowMs - newest.endedMs
  const cause = `The newest of ${counted(usable.length, 'backup')} is ${days(ageMs)} old.`
  const fix = `pgbackrest --stanza=${stanza} --type=incr backup`
  if (ageMs > backupBadDays * dayMs) return bad('backup', stanza, cause, fix)
  return ageMs > backupWarningDays * dayMs ? warning('backup', stanza, cause, fix) : good('backup', stanza, cause)
}

// Backups that can be restored, the newest last.
export function backupsIn(info: unknown): readonly Backup[] {
  return (stanzaOf(info)?.backup ?? [])
    .filter(({ error }) => error !== true)
    .map(({ label = '', type = '', timestamp, info: size }) => ({
      label,
      type,
      endedMs: (timestamp?.stop ?? 0) * 1_000,
      bytes: size?.size ?? 0,
    }))
    .toSorted((a, b) => a.endedMs - b.endedMs)
}

function stanzaOf(info: unknown): StanzaInfo | undefined {
  const [found] = (Array.isArray(info) ? info : []) as readonly StanzaInfo[]
  return found
}

// Its code for a stanza without a directory in the repository.
const stanzaMissing = 1

type StanzaInfo = {
  readonly status?: { readonly code?: number; readonly message?: string }
  readonly cipher?: string
  readonly backup?: readonly {
    readonly label?: string
    readonly type?: string
    readonly error?: boolean | null
    readonly timestamp?: { readonly stop?: number }
    readonly info?: { readonly size?: number }
  }[]
}
