// Two URLs that differ in user, password or spelling may name one database: host, port and database name decide.
export function databaseAddress(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  // Parameters take precedence over the parts of the URL, as in the driver; a socket path is given that way.
  const host = searchParams.get('host') || hostname.toLowerCase()
  return `${host} ${searchParams.get('port') || port || '5432'} ${pathname}`
}

export function isSameDatabase(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && databaseAddress(a) === databaseAddress(b)
}

// Each database once, by address, with the first URL that names it.
export function distinctDatabases(urls: Iterable<string>): ReadonlyMap<string, string> {
  const distinct = new Map<string, string>()
  for (const url of urls) {
    const address = databaseAddress(url)
    if (!distinct.has(address)) distinct.set(address, url)
  }
  return distinct
}
