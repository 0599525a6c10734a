import { showDeliverability } from '../../../actions/trunks/routing-view.ts'
import type { WebDeps } from '../core/deps.ts'
import type { Handlers } from '../core/handlers.ts'

export function deliverabilityHandlers(deps: WebDeps) {
  return {
    deliverability: async (_, { hours }) => showDeliverability(deps, Number(hours ?? 3)),
  } satisfies Partial<Handlers>
}
