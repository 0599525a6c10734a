import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../api.ts'
import { useReadWith } from '../../queries.ts'
import { useTraffic } from '../../shell/use-traffic.ts'

export function useWebhooks() {
  const traffic = useTraffic()
  return useReadWith('webhooks', { traffic })
}

// Pages before the first one; none is read until somebody asks.
export function useOlderWebhooks(before: number | undefined) {
  const traffic = useTraffic()
  return useInfiniteQuery({
    queryKey: ['webhooks-older', traffic, before],
    enabled: false,
    initialPageParam: String(before ?? 0),
    queryFn: ({ pageParam }) => call('webhooks', { traffic, before: pageParam }),
    getNextPageParam: (page) => (page.hasMore ? String(page.webhooks.at(-1)?.verificationId ?? 0) : undefined),
  })
}
