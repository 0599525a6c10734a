import type { WebInput } from '@ringproof/contract/web/api.ts'
import { showAuditLog } from '../../../actions/installation/audit-log.ts'
import type { AuditFilter } from '../../../db/core/action-log.ts'
import type { AccountId } from '../../../domain/core/slot.ts'
import type { WebDeps } from '../core/deps.ts'
import type { HandlersOf } from '../core/handlers.ts'

const pageRows = 50

export function auditHandlers(deps: WebDeps): HandlersOf<'audit-log'> {
  return { 'audit-log': async (_, input) => showAuditLog(deps, auditFilter(input), pageRows) }
}

export function auditFilter({ account, action, who, before }: WebInput<'audit-log'>): AuditFilter {
  return {
    accountId: account === undefined ? undefined : (Number(account) as AccountId),
    action,
    who,
    beforeMicros: before,
  }
}
