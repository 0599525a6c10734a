// The title of the tab: what the page is of, the screen, whose it is. History and bookmarks show nothing else.

import { useEffect, useSyncExternalStore } from 'react'

// Of one thing, such as a call; its list has the name of the screen.
let subject: string | undefined
const listeners = new Set<() => void>()

export function useSubject(text: string): void {
  useEffect(() => {
    set(text)
    return () => set(undefined)
  }, [text])
}

export function usePageTitle(parts: readonly (string | undefined)[]): void {
  const current = useSyncExternalStore(subscribe, () => subject)
  const title = [current, ...parts, 'Ringproof'].filter((part) => part !== undefined && part !== '').join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}

function set(next: string | undefined): void {
  subject = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
