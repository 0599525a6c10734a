// Number check.

import { checkNumbers, previewNumberCheck } from '../../../actions/numbers/check-numbers.ts'
import type { ServiceId } from '../../../domain/core/slot.ts'
import { Denial } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, type Handlers } from '../core/handlers.ts'

export function numberHandlers(deps: WebDeps) {
  return {
    'preview-number-check': async (visit, input) =>
      previewNumberCheck(deps, accountOf(visit), { ...input, serviceId: input.serviceId as ServiceId }),
    'check-numbers': async (visit, input) => {
      const accountId = accountOf(visit)
      const waitSeconds = deps.limitLookups(visit.actor.address, input.numbers.length)
      if (waitSeconds !== undefined) throw new Denial('throttled', [], waitSeconds)
      const checked = await checkNumbers(deps, accountId, { ...input, serviceId: input.serviceId as ServiceId })
      if (checked.charged > 0) deps.noteChange(accountId, 'verifications')
      return checked
    },
  } satisfies Partial<Handlers>
}
