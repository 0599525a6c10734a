import type { Sentences } from '@ringproof/contract/errors.ts'
import { Refusal, unavailable } from '../../process/errors.ts'
import type { ApiClient } from '../accounts/api-client.ts'
import { inboundRequestsMax, inboundRequestsPerAccountMax } from './inbound-request.ts'
import { callsPerDayOverAll } from './number-limits.ts'

type ServiceLimits = Pick<ApiClient, 'calls10Minutes' | 'callsDay'>
type Decision = { readonly decision: string; readonly retryMs: number | null }

// The refusal that a decision of the database stands for.
export function refuseDecision({ decision, retryMs }: Decision, apiClient: ServiceLimits): Refusal {
  const retrySeconds = Math.max(1, Math.ceil((retryMs ?? 0) / 1000))
  switch (decision) {
    case 'cap-hour':
      return new Refusal('capReached', { cap: { en: 'verifications an hour', ru: 'верификаций в час' } }, retrySeconds)
    case 'cap-day':
      return new Refusal('capReached', { cap: { en: 'verifications a day', ru: 'верификаций в день' } }, retrySeconds)
    case 'cap-spend':
      return new Refusal('capReached', { cap: { en: 'spend a day', ru: 'расходы в день' } }, retrySeconds)
    case 'cap-prefix':
      return new Refusal('prefixCapReached', {}, retrySeconds)
    case 'opted-out':
      return new Refusal('phoneOptedOut')
    case 'repeat-too-late':
      return new Refusal('repeatTooLate')
    case 'repeats-used-up':
      return new Refusal('repeatLimitReached')
    case 'no-money':
      return new Refusal('insufficientFunds')
    case 'too-soon':
      return new Refusal('numberCooldown', {}, retrySeconds)
    case 'used-up-all':
    case 'used-up-10-minutes':
    case 'used-up-day':
    case 'inbound-limit':
    case 'inbound-limit-account':
      return new Refusal('numberLimitReached', { limit: limitWords(decision, apiClient) }, retrySeconds)
    case 'tests-used-up':
      return unavailable('test_limit', { retrySeconds })
    case 'no-number':
      return unavailable('confirmation_numbers_in_use')
    default:
      throw new Error(`unknown decision from the database: ${decision}`)
  }
}

type NumberLimit = 'used-up-all' | 'used-up-10-minutes' | 'used-up-day' | 'inbound-limit' | 'inbound-limit-account'

function limitWords(limit: NumberLimit, { calls10Minutes, callsDay }: ServiceLimits): Sentences {
  switch (limit) {
    case 'used-up-all':
      return { en: `${callsPerDayOverAll} a day`, ru: `${callsPerDayOverAll} в день` }
    case 'used-up-10-minutes':
      return { en: `${calls10Minutes} in ten minutes`, ru: `${calls10Minutes} за десять минут` }
    case 'used-up-day':
      return { en: `${callsDay} a day`, ru: `${callsDay} в день` }
    case 'inbound-limit':
      return {
        en: `${inboundRequestsMax} waits for one number at once`,
        ru: `${inboundRequestsMax} ожиданий одного номера сразу`,
      }
    case 'inbound-limit-account':
      return {
        en: `${inboundRequestsPerAccountMax} waits of one account for one number`,
        ru: `${inboundRequestsPerAccountMax} ожиданий одного номера на аккаунт`,
      }
  }
}
