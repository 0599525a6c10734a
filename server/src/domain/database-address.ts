// Two URLs that differ in user, password or spelling may lead to one database: host, port and name decide.
export function databaseAddress(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  // Parameters go before the parts of the URL, as they do for the driver; that is how the path of a socket is given.
  const host = searchParams.get('host') || hostname.toLowerCase()
  return `${host} ${searchParams.get('port') || port || '5432'} ${pathname}`
}

export function isSameDatabase(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && databaseAddress(a) === databaseAddress(b)
}

// Every database once, by its address, with the first URL that leads there.
export function distinctDatabases(urls: Iterable<string>): ReadonlyMap<string, string> {
  const distinct = new Map<string, string>()
  for (const url of urls) {
    const address = databaseAddress(url)
    if (!distinct.has(address)) distinct.set(address, url)
  }
  return distinct
}
