// The conditions of a list. One is left out when its value is: a plan is made for the conditions that are there.

// What each field of a filter means in SQL, with its value at the question mark.
export type Meanings<Filter> = Readonly<Record<keyof Filter, string>>

export function conditionsOf<Filter extends object>(
  meanings: Meanings<Filter>,
  filter: Partial<Filter>,
  // Parameters of the statement that come before these.
  before = 0,
): { readonly where: string; readonly values: unknown[] } {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  const where = given.map(([name], index) => meanings[name as keyof Filter].replace('?', `$${before + index + 1}`))
  return { where: where.join(' AND '), values: given.map(([, value]) => value) }
}
