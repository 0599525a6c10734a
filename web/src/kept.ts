// Small choices that this browser remembers, such as the columns of a table. Without storage they last until the page is left.

import { useState } from 'react'

export function useKept<Value>(name: string, usual: Value): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => (read(name) as Value | undefined) ?? usual)
  const keep = (next: Value) => {
    setValue(next)
    try {
      localStorage.setItem(name, JSON.stringify(next))
    } catch {
      // Storage is full or forbidden.
    }
  }
  return [value, keep]
}

function read(name: string): unknown {
  try {
    return (JSON.parse(localStorage.getItem(name) ?? 'null') as unknown) ?? undefined
  } catch {
    return undefined
  }
}
