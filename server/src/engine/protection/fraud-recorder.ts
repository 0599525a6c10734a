// Counts and records every request that a fraud rule refused. The number itself is not stored: only its prefix, sealed.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { createFraudHits } from '../../db/protection/fraud-hit.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import { type KeyRing, nonceBytes, seal } from '../../domain/crypto/sealing.ts'
import { numberPrefix, prefixText } from '../../domain/numbers/number-prefix.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { fraudRuleOf } from '../../domain/protection/fraud-limits.ts'
import type { Clock } from '../../process/clock.ts'
import { Refusal } from '../../process/errors.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'

export type FraudDeps = {
  readonly slots: SlotMap
  readonly clock: Clock
  readonly log: Logger
  readonly events: Pick<Events, 'fraudBlocked'>
  readonly keys: { readonly phoneSlot: KeyRing; readonly sealRecords: KeyRing }
  readonly randomBytes: (bytes: number) => Uint8Array
}

type FraudRecorder = {
  // Wraps an action: a refusal by a fraud rule is recorded, then thrown on.
  readonly watch: <Start, Command extends { readonly phone: PhoneNumber }, Result>(
    action: (deps: Start, apiClient: ApiClient, command: Command) => Promise<Result>,
  ) => typeof action
  readonly close: () => Promise<void>
}

export function createFraudRecorder({ slots, clock, log, events, keys, randomBytes }: FraudDeps): FraudRecorder {
  const hits = createFraudHits(slots, clock, log)
  return {
    watch: (action) => async (deps, apiClient, command) => {
      const { phone } = command
      const { serviceId } = apiClient
      try {
        return await action(deps, apiClient, command)
      } catch (error) {
        const rule = error instanceof Refusal ? fraudRuleOf(error.refusal) : undefined
        if (rule) {
          events.fraudBlocked(rule)
          hits.note({ rule, serviceId, prefix: numberPrefix(keys.phoneSlot, phone) }, () =>
            seal(keys.sealRecords, 'fraud-prefix', serviceId, prefixText(phone), randomBytes(nonceBytes)),
          )
        }
        throw error
      }
    },
    close: hits.close,
  }
}
