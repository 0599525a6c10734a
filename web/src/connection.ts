// When the server last answered this tab: a request, the event stream, or another tab. A page to which nothing comes asks, and says so
// when there is no answer.

import { useSyncExternalStore } from 'react'
import { isLost } from './headline.ts'

// The stream has a heartbeat every few seconds; without it the page asks.
const quietMs = 5_000
const answerMsMax = 3_000
const tickMs = 1_000

// Whether the server answered, and whether it says that calls can be placed.
export type Health = 'well' | 'ill' | 'lost'

let answeredAt = performance.now()
let isUnreachable = false
let lostSince: number | undefined
let asking: Promise<Health> | undefined
let ticking: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

export function noteContact(): void {
  answeredAt = performance.now()
  isUnreachable = false
  update()
}

// Asks the server how it is; what comes from something between is no answer.
export function askHealth(): Promise<Health> {
  asking ??= readHealth().finally(() => {
    asking = undefined
  })
  return asking
}

// When the server last answered, once that is too long ago; undefined while it is there.
export function useLostSince(): number | undefined {
  return useSyncExternalStore(subscribe, currentLoss)
}

export function currentLoss(): number | undefined {
  return lostSince
}

export function watchConnection(): void {
  noteContact()
  ticking ??= setInterval(tick, tickMs)
  globalThis.addEventListener('offline', ask)
}

export function stopWatching(): void {
  clearInterval(ticking)
  ticking = undefined
  globalThis.removeEventListener('offline', ask)
}

export function onConnectionChange(listener: () => void): () => void {
  return subscribe(listener)
}

function tick(): void {
  if (performance.now() - answeredAt > quietMs) ask()
  update()
}

function ask(): void {
  askHealth().catch(() => undefined)
}

async function readHealth(): Promise<Health> {
  try {
    const response = await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(answerMsMax) })
    const { status, providers }: { status?: unknown; providers?: unknown } = await response.json()
    if (typeof status !== 'boolean') throw new TypeError('This is not the health of the server.')
    noteContact()
    return status && providers === true ? 'well' : 'ill'
  } catch {
    isUnreachable = true
    update()
    return 'lost'
  }
}

function update(): void {
  const ageMs = performance.now() - answeredAt
  const next = isLost({ ageMs, isUnreachable }) ? (lostSince ?? Date.now() - ageMs) : undefined
  if (next === lostSince) return
  lostSince = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
