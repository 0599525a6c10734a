import { showAuditLog } from '../../../actions/installation/audit-log.ts'
import { auditFilter } from '../../../domain/installation/audit-filter.ts'
import type { WebDeps } from '../core/deps.ts'
import type { Handlers } from '../core/handlers.ts'

const pageRows = 50

export function auditHandlers(deps: WebDeps) {
  return {
    'audit-log': async (_, input) => showAuditLog(deps, auditFilter(input), pageRows),
  } satisfies Partial<Handlers>
}
