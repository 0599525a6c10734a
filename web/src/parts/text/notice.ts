// The line at the foot of the page that says what was done, with Undo for ten seconds. A new one takes the place of the last.

import { useSyncExternalStore } from 'react'

type Notice = { readonly text: string; readonly undo?: () => void }

const shownMs = 10_000

let current: Notice | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function showNotice(notice: Notice): void {
  set(notice)
  clearTimeout(timer)
  timer = setTimeout(() => set(undefined), shownMs)
}

export function hideNotice(): void {
  set(undefined)
}

export function useNotice(): Notice | undefined {
  return useSyncExternalStore(subscribe, () => current)
}

function set(next: Notice | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
