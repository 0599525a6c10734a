import { readFileSync } from 'node:fs'

// Options of a TLS connection that trusts this CA alone; without one, those of Node. A plain connection ignores them.
export function trusting(caFile: string | undefined): { readonly ca?: Buffer } {
  return caFile === undefined ? {} : { ca: readFileSync(caFile) }
}
