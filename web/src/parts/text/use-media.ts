import { useSyncExternalStore } from 'react'

// For what must exist once in the page and stands elsewhere on a narrow screen; everything else is CSS.
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}
