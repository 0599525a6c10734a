// Of a company or an address: "My shop" is MS, "you@example.org" is YE.
export function initials(name: string): string {
  const parts = name.split(/[\s@.]+/).filter((part) => part !== '')
  return parts
    .slice(0, 2)
    .map((part) => part[0]?.toUpperCase() ?? '')
    .join('')
}
