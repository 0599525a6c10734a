import { Refusal, unavailable } from '../../errors.ts'
import type { ApiClient } from '../accounts/api-client.ts'

type Decision = { readonly decision: string; readonly retryMs: number | null }

// The refusal that a decision of the database stands for.
export function refuseDecision(
  { decision, retryMs }: Decision,
  apiClient: Pick<ApiClient, 'calls10Minutes' | 'callsDay'>,
): Refusal {
  const retrySeconds = Math.max(1, Math.ceil((retryMs ?? 0) / 1000))
  switch (decision) {
    case 'cap-hour':
      return new Refusal('capReached', { cap: { en: 'verifications an hour', ru: 'верификаций в час' } })
    case 'cap-day':
      return new Refusal('capReached', { cap: { en: 'verifications a day', ru: 'верификаций в день' } })
    case 'cap-spend':
      return new Refusal('capReached', { cap: { en: 'roubles a day', ru: 'рублей в день' } })
    case 'cap-prefix':
      return new Refusal('prefixCapReached', {}, retrySeconds)
    case 'opted-out':
      return new Refusal('phoneOptedOut')
    case 'no-money':
      return new Refusal('insufficientFunds')
    case 'too-soon':
      return new Refusal('numberCooldown', {}, retrySeconds)
    case 'used-up-all':
      return new Refusal('numberLimitReached', { limit: { en: '30 a day', ru: '30 в день' } }, retrySeconds)
    case 'used-up-10-minutes': {
      const limit = {
        en: `${apiClient.calls10Minutes} in ten minutes`,
        ru: `${apiClient.calls10Minutes} за десять минут`,
      }
      return new Refusal('numberLimitReached', { limit }, retrySeconds)
    }
    case 'used-up-day': {
      const limit = { en: `${apiClient.callsDay} a day`, ru: `${apiClient.callsDay} в день` }
      return new Refusal('numberLimitReached', { limit }, retrySeconds)
    }
    case 'inbound-limit': {
      const limit = { en: '5 waits for one number at once', ru: '5 ожиданий одного номера сразу' }
      return new Refusal('numberLimitReached', { limit }, retrySeconds)
    }
    case 'inbound-limit-account': {
      const limit = { en: '10 waits of one account for one number', ru: '10 ожиданий одного номера на аккаунт' }
      return new Refusal('numberLimitReached', { limit }, retrySeconds)
    }
    case 'tests-used-up':
      return new Refusal('unavailable', {}, retrySeconds)
    case 'no-number':
      return unavailable('noCapacity')
    default:
      throw new Error(`unknown decision from the database: ${decision}`)
  }
}
