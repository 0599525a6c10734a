// How a database URL is connected to: in clear, or over TLS with the server's certificate and name verified. Nothing
// in between, and nothing that the surroundings of the process could weaken (PGSSLMODE).

import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'

// Options of the session go behind those that the URL has.
export function connectionOf(url: string, options = ''): Pick<ClientConfig, 'connectionString' | 'ssl'> {
  const plain = new URL(url)
  const parameters = plain.searchParams
  const isVerified = parameters.get('sslmode') === 'verify-full'
  const files = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' }
  const read = Object.entries(files).flatMap(([option, name]) => {
    const path = parameters.get(name)
    return path && isVerified ? [[option, readFileSync(path, 'utf8')]] : []
  })
  // The driver's own reading of them would go before the options that it is given.
  for (const name of ['sslmode', 'ssl', 'uselibpqcompat', ...Object.values(files)]) parameters.delete(name)
  if (options) parameters.set('options', `${parameters.get('options') ?? ''} ${options}`.trim())
  return {
    connectionString: plain.href,
    ssl: isVerified && { ...Object.fromEntries(read), rejectUnauthorized: true },
  }
}
