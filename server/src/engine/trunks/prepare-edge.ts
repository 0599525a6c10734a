// Renders the configuration of the signalling edge from this installation's settings.

import { resolve } from 'node:path'
import { kamailioAdvice, kamailioFault } from '../../domain/installation/schema-version.ts'
import type { Config } from '../../process/config/config.ts'
import { UsageError } from '../../process/errors.ts'
import { type EdgeConfig, parseEdgeUrl, renderEdgeConfig } from '../../telephony/edge/config.ts'
import { kamailioVersion } from '../../telephony/edge/kamailio-version.ts'
import { edgeKeys } from '../../telephony/edge/key.ts'
import { hepKey } from '../../telephony/sip/hep.ts'

export async function prepareEdge(config: Config, directory: string): Promise<string> {
  const { edgeUrl, edgeSipHost } = config
  if (edgeUrl === undefined) throw new UsageError('Set RINGPROOF_EDGE_URL: where this node reaches its edge.')
  if (edgeSipHost === undefined || /^(0\.0\.0\.0|::)$/.test(edgeSipHost))
    throw new UsageError('Set RINGPROOF_EDGE_SIP_HOST to the address of this machine that carriers reach.')
  await assertUsableKamailio()
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
    keys: edgeKeys(config.ariPassword),
    pair: pairOf(config),
  })
}

function pairOf({ edgePairUrl, edgePeerUrl }: Config): EdgeConfig['pair'] {
  if (edgePairUrl === undefined && edgePeerUrl === undefined) return undefined
  if (edgePairUrl === undefined || edgePeerUrl === undefined)
    throw new UsageError('Set both RINGPROOF_EDGE_PAIR_URL and RINGPROOF_EDGE_PEER_URL, or neither.')
  return { own: parseEdgeUrl(edgePairUrl), peer: parseEdgeUrl(edgePeerUrl) }
}

async function assertUsableKamailio(): Promise<void> {
  const version = await kamailioVersion()
  const fault = version === undefined ? undefined : kamailioFault(version)
  if (fault !== undefined) throw new UsageError(`${fault} Install ${kamailioAdvice}.`)
}
