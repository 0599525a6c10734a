import { useNavigate, useSearch } from '@tanstack/react-router'
import { queryClient, readOptions } from '../queries.ts'

type Stage = 'second-step' | 'signed-in'

// Goes on after the password or the second step: to the page that asked for the sign-in, or home.
export function useEnter(): (stage: Stage) => Promise<void> {
  const navigate = useNavigate()
  const next = useNext()
  return async (stage) => {
    await queryClient.fetchQuery({ ...readOptions('me'), staleTime: 0 })
    if (stage === 'second-step')
      await navigate({ to: '/dashboard/second-step', search: next === undefined ? {} : { next } })
    else await navigate({ href: next ?? '/dashboard' })
  }
}

// Only our own pages: the parameter may come from a link that somebody else wrote.
function useNext(): string | undefined {
  const { next }: { next?: unknown } = useSearch({ strict: false })
  return typeof next === 'string' && /^\/(dashboard|console)(\/[\w/-]*)?(\?[\w=&.,%-]*)?$/.test(next) ? next : undefined
}
