// Data of the server in the pages: one cache entry per read, refreshed by changes and by live updates.

import type { EndpointName, WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import {
  keepPreviousData,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { call, RefusedError } from './api.ts'

type Nothing = Record<string, never>
type ReadName = {
  [Name in EndpointName]: Nothing extends WebInput<Name> ? Name : never
}[EndpointName]

export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 15_000, retry: shouldRetry, throwOnError: false } },
})

export function readOptions<Name extends ReadName>(name: Name) {
  return queryOptions({
    queryKey: [name],
    queryFn: (): Promise<WebOutput<Name>> => call(name, {} as WebInput<Name>),
  })
}

export function useRead<Name extends ReadName>(name: Name, isEnabled = true) {
  return useQuery({ ...readOptions(name), enabled: isEnabled })
}

// A read with an input, such as a list with its filters. Another input shows the last data until its own have come.
export function useReadWith<Name extends EndpointName>(
  name: Name,
  input: WebInput<Name>,
  // Read again after so long: operators see all accounts, and live updates are of one.
  refreshMs?: number,
) {
  return useQuery({
    queryKey: [name, input],
    queryFn: (): Promise<WebOutput<Name>> => call(name, input),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs ?? false,
  })
}

// What changes by itself and is announced by no event.
export function useLiveRead<Name extends ReadName>(name: Name, everyMs: number, isEnabled = true) {
  return useQuery({ ...readOptions(name), refetchInterval: everyMs, enabled: isEnabled })
}

// Until it has come to its end.
export function useLiveReadWith<Name extends EndpointName>(
  name: Name,
  input: WebInput<Name>,
  everyMs: (data: WebOutput<Name>) => number | undefined,
) {
  return useQuery({
    queryKey: [name, input],
    queryFn: (): Promise<WebOutput<Name>> => call(name, input),
    refetchInterval: ({ state: { data } }) => (data === undefined ? false : (everyMs(data) ?? false)),
  })
}

export type Me = WebOutput<'me'>

// Routes load it before any screen is drawn.
export function useMe(): Me {
  return useSuspenseQuery(readOptions('me')).data
}

// Without customers no page speaks of money.
export function useSells(): boolean {
  return useMe().installation.purpose === 'provider'
}

export function useChange<Name extends EndpointName>(name: Name, refreshes: readonly EndpointName[] = []) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: WebInput<Name>): Promise<WebOutput<Name>> => call(name, input),
    // Not awaited: what the reads bring may remove the part that waits for this change, and with it what the change returned.
    onSuccess: () => {
      Promise.all(refreshes.map((read) => client.invalidateQueries({ queryKey: [read] }))).catch(() => undefined)
    },
  })
}

// What the server refused it refuses again.
function shouldRetry(count: number, error: Error): boolean {
  return count < 1 && !(error instanceof RefusedError)
}
