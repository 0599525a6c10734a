// Renders the Asterisk configuration from this installation's settings.

import { resolve } from 'node:path'
import type { Config } from '../../process/config/config.ts'
import { UsageError } from '../../process/errors.ts'
import { renderAsteriskConfig } from '../../telephony/asterisk/config.ts'

export async function prepareAsterisk(config: Config, directory: string, programs: string): Promise<string> {
  const { protocol, hostname, port } = new URL(config.ariUrl)
  return renderAsteriskConfig({
    ...config,
    directory: resolve(directory),
    programs: resolve(programs),
    ariHost: hostname,
    ariPort: Number(port || '8088'),
    ariTls: protocol === 'https:' ? ariCertificate(config) : undefined,
    publicAddress: config.sipPublicAddress,
    localNetworks: config.sipLocalNetworks,
    caFile: config.sipCaFile,
    kazakhPrompts: config.kazakhPromptsDir,
  })
}

function ariCertificate({ ariCertFile, ariKeyFile }: Config): { readonly certFile: string; readonly keyFile: string } {
  if (ariCertFile !== undefined && ariKeyFile !== undefined) return { certFile: ariCertFile, keyFile: ariKeyFile }
  throw new UsageError(
    'RINGPROOF_ARI_URL is https, so Asterisk needs a certificate: set RINGPROOF_ARI_CERT_FILE and RINGPROOF_ARI_KEY_FILE.',
  )
}
