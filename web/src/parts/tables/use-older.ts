import { useState } from 'react'

type Before = string | number | null
type Page<Field extends string, Key extends string> = {
  readonly [Name in Field]: readonly Readonly<Record<Key, string | number>>[]
} & { readonly nextBefore: Before }

// A list whose first page is read again and again, and the older pages that a person asked for.
export function useOlder<Field extends string, Key extends string, One extends Page<Field, Key>>(
  first: One,
  field: Field,
  key: Key,
  load: (before: string) => Promise<One>,
) {
  type Item = One[Field][number]
  const [older, setOlder] = useState<{ readonly items: readonly Item[]; readonly nextBefore: Before }>()
  const [error, setError] = useState<unknown>()
  // What has been read last counts: a call that was ringing may have ended.
  const merged = (newer: readonly Item[], others: readonly Item[]): readonly Item[] => {
    const known = new Set(newer.map((item) => item[key]))
    return [...newer, ...others.filter((item) => !known.has(item[key]))]
  }
  const items = merged(first[field], older?.items ?? [])
  const { nextBefore } = older ?? first
  const loadOlder = async () => {
    try {
      const page = await load(String(nextBefore))
      setError(undefined)
      setOlder({ items: merged(items, page[field]), nextBefore: page.nextBefore })
    } catch (failure) {
      setError(failure)
    }
  }
  return { items, nextBefore, error, loadOlder, hasOlder: (older?.items.length ?? 0) > 0 }
}
