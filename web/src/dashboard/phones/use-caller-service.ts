import { useRead } from '../../queries.ts'

// They belong to every account: the first always rings, the second always fails.
export const fixedNumbers: ReadonlySet<string> = new Set(['79000000001', '79000000002'])

// The service that may call a virtual phone: any that is on may call the two fixed numbers, only a test service the others.
// Undefined while it loads, null if there is none.
export function useCallerService(number: string): number | null | undefined {
  const { data } = useRead('services')
  if (data === undefined) return undefined
  const on = data.services.filter(({ state }) => state === 'on')
  const test = on.find(({ isTest }) => isTest)
  const any = on.find(({ areTestNumbersOn }) => areTestNumbersOn)
  return (fixedNumbers.has(number) ? (test ?? any) : test)?.id ?? null
}
