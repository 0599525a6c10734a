// Renders the configuration of the signalling edge from this installation's settings.

import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { UsageError } from '../errors.ts'
import { parseEdgeUrl, renderEdgeConfig } from '../telephony/edge-config.ts'
import { hepKey } from '../telephony/hep.ts'

export async function prepareEdge(config: Config, directory: string): Promise<string> {
  const { edgeUrl, edgeSipHost } = config
  if (edgeUrl === undefined) throw new UsageError('Set RINGPROOF_EDGE_URL: where this node reaches its edge.')
  if (edgeSipHost === undefined || /^(0\.0\.0\.0|::)$/.test(edgeSipHost))
    throw new UsageError('Set RINGPROOF_EDGE_SIP_HOST to the address of this machine that carriers reach.')
  const { host, port } = parseEdgeUrl(edgeUrl)
  return renderEdgeConfig({
    ...config,
    directory: resolve(directory),
    insideHost: host,
    insidePort: port,
    sipHost: edgeSipHost,
    sipPort: config.edgeSipPort,
    publicAddress: config.sipPublicAddress,
    hepKey: hepKey(config.ariPassword, 'edge'),
  })
}
