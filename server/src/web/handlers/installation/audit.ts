import { showAuditLog } from '../../../actions/installation/audit-log.ts'
import { auditFilter } from '../../../domain/installation/audit-filter.ts'
import type { WebDeps } from '../core/deps.ts'
import type { HandlersOf } from '../core/handlers.ts'

const pageRows = 50

export function auditHandlers(deps: WebDeps): HandlersOf<'audit-log'> {
  return { 'audit-log': async (_, input) => showAuditLog(deps, auditFilter(input), pageRows) }
}
