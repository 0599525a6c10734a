// Two URLs that differ in user, password or spelling may name one database: hosts, ports and database name decide.
export function databaseAddress(url: string): string {
  return eachHost(url).map(addressOfOne).toSorted().join(',')
}

function addressOfOne(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  // Parameters take precedence over the parts of the URL, as in the driver; a socket path is given that way.
  const host = searchParams.get('host') || hostname.toLowerCase()
  return `${host} ${searchParams.get('port') || port || '5432'} ${pathname}`
}

// postgres://login@a:5432,b:5432/name as one URL for each host. Any other text is returned as it is.
export function eachHost(url: string): readonly string[] {
  const [, before = '', hosts = '', after = ''] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${after}`) : [url]
}

// The database's hosts with their ports, separated by commas.
export function hostsOf(url: string): string {
  return eachHost(url)
    .map((one) => new URL(one).host)
    .join(',')
}

export function parametersOf(url: string): URLSearchParams {
  const [first = url] = eachHost(url)
  return new URL(first).searchParams
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
