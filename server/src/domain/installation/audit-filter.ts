// What the audit log is filtered by, as the console and the command line write it, and the columns of its files.

import type { WebInput } from '@ringproof/contract/web/api.ts'
import type { AccountId } from '../core/slot.ts'
import type { CsvColumns } from '../values/text.ts'

export type AuditFilter = {
  readonly accountId: AccountId | undefined
  readonly action: string | undefined
  readonly who: string | undefined
  readonly beforeMicros: string | undefined
}

export function auditFilter({ account, action, who, before }: WebInput<'audit-log'>): AuditFilter {
  const accountId = account === undefined ? undefined : (Number(account) as AccountId)
  return { accountId, action, who, beforeMicros: before }
}

type Entry = {
  readonly database: number
  readonly id: number
  readonly atMicros: string
  readonly accountId: AccountId | null
  readonly action: string
  readonly who: string
  readonly address: string
  readonly details: Readonly<Record<string, unknown>>
}

export const auditColumns: CsvColumns<Entry> = [
  ['time', ({ atMicros }) => new Date(Number(atMicros) / 1_000).toISOString()],
  ['database', ({ database }) => database],
  ['id', ({ id }) => id],
  ['account_id', ({ accountId }) => accountId],
  ['action', ({ action }) => action],
  ['who', ({ who }) => who],
  ['address', ({ address }) => address],
  ['details', ({ details }) => JSON.stringify(details)],
]
