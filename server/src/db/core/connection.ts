// Turns a database URL into connection options: plain, or TLS with the server's certificate and name verified. There is no
// mode in between, and the environment (PGSSLMODE) cannot weaken it.

import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import { eachHost } from '../../domain/core/database-address.ts'

// Session options are appended to those in the URL. Of several hosts the first is named; db/core/primary.ts finds the right one.
export function connectionOf(url: string, options = ''): Pick<ClientConfig, 'connectionString' | 'ssl'> {
  const [first = url] = eachHost(url)
  const plain = new URL(first)
  const parameters = plain.searchParams
  const isVerified = parameters.get('sslmode') === 'verify-full'
  const files = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' }
  const read = Object.entries(files).flatMap(([option, name]) => {
    const path = parameters.get(name)
    return path && isVerified ? [[option, readFileSync(path, 'utf8')]] : []
  })
  // Removed from the URL, because the driver would prefer them to the options given.
  for (const name of ['sslmode', 'ssl', 'uselibpqcompat', ...Object.values(files)]) parameters.delete(name)
  if (options) parameters.set('options', `${parameters.get('options') ?? ''} ${options}`.trim())
  return {
    connectionString: plain.href,
    ssl: isVerified && { ...Object.fromEntries(read), rejectUnauthorized: true },
  }
}
