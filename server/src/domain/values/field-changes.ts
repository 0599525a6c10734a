// What a change did, for the action log: only the fields that differ.

type Fields = Readonly<Record<string, unknown>>

export function fieldChanges(before: Fields, after: Fields): { readonly before: Fields; readonly after: Fields } {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const only = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
  return { before: only(before), after: only(after) }
}
