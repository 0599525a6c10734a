// Inbound verifications.

import { addConfirmationNumbers, showInbound } from '../../../actions/trunks/confirmation-numbers.ts'
import { removeNumbers } from '../../../actions/trunks/number-removal.ts'
import { Denial } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { actorOf, type Handlers } from '../core/handlers.ts'
import { inOrder } from './caller-numbers.ts'

// A typo must not create a million rows.
const addedMax = 10_000

export function inboundHandlers(deps: WebDeps) {
  return {
    inbound: async () => {
      const { pool, free, open, openCount, unmatched, trunks } = await showInbound(deps)
      return {
        pool: pool.map(({ trunk, first, last, isRemoved }) => ({ trunk, first, last, isRemoved })),
        free,
        open: open.map((one) => ({ ...one, ageSeconds: Math.max(0, one.ageSeconds) })),
        openCount,
        unmatched: unmatched.map(({ lastAt, ...one }) => ({ ...one, lastAt: lastAt.getTime() })),
        trunks: trunks.map(({ name, isOn }) => ({ name, isOn })),
      }
    },
    'add-confirmation-numbers': async (visit, input) => {
      const span = inOrder(input)
      if (span.last - span.first >= addedMax) throw new Denial('too-many', ['last'])
      await addConfirmationNumbers(deps, actorOf(visit), span)
    },
    'remove-confirmation-numbers': async (visit, input) => {
      await removeNumbers(deps, actorOf(visit), { ...inOrder(input), kind: 'confirmation' })
    },
  } satisfies Partial<Handlers>
}
