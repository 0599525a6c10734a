import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useSells } from '../queries.ts'
import { type Audience, addressOf, placesOf, type Traffic } from './places.ts'

const sequenceMs = 1200

// Ctrl K and / find, ? lists the keys, g and a letter open a screen. Esc is the dialogs' own.
export function useKeys({
  audience,
  traffic,
  onFind,
  onHelp,
}: {
  readonly audience: Audience
  readonly traffic: Traffic
  readonly onFind: () => void
  readonly onHelp: () => void
}): void {
  const navigate = useNavigate()
  const goneAtMs = useRef(Number.NEGATIVE_INFINITY)
  const sells = useSells()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isFind = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)
    if (isFind || (event.key === '/' && isFree(event))) {
      event.preventDefault()
      onFind()
      return
    }
    if (!isFree(event)) return
    if (event.key === '?') onHelp()
    if (event.timeStamp - goneAtMs.current < sequenceMs) {
      const place = placesOf(audience, sells).find(({ key }) => key === event.key)
      if (place?.path.startsWith('/') === true) location.assign(place.path)
      else if (place !== undefined) navigate({ to: addressOf(place, traffic) }).catch(() => undefined)
    }
    goneAtMs.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

// No field has the focus and no dialog is open.
function isFree({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector('[role=dialog], [role=menu]') !== null) return false
  return !(target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null)
}
