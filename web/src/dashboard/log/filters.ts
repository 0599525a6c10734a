// What the page shows is in its address, so that a link shows the same.

import { logPeriods, requestResults } from '@ringproof/contract/lists/requests.ts'
import type { WebInput } from '@ringproof/contract/web/api.ts'
import { useFilters } from '../../shell/use-filters.ts'
import { useTraffic } from '../../shell/use-traffic.ts'

export type Period = (typeof logPeriods)[number]

export type LogInput = WebInput<'api-requests'>

// The filters, as the list takes them, and how to change them.
export function useLogFilters() {
  const traffic = useTraffic()
  const [filters, change] = useFilters()
  const { method, code, service } = filters
  const input: LogInput = {
    traffic,
    period: logPeriods.find((one) => one === filters['period']) ?? '24h',
    ...given(
      'result',
      requestResults.find((one) => one === filters['result']),
    ),
    ...given('method', method as LogInput['method']),
    ...given('code', code),
    ...given('serviceId', service),
  }
  return { input, change }
}

// Without the field if it has no value.
function given<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value }
}
