import { readFileSync } from 'node:fs'

// TLS options that trust only this CA; without a file, Node's default CAs. Ignored on plain connections.
export function tlsTrust(caFile: string | undefined): { readonly ca?: Buffer } {
  return caFile === undefined ? {} : { ca: readFileSync(caFile) }
}
