// The user agent of this process behind an edge, with one trunk.

import { type Trunk, trunkDefaults } from '../../../server/src/domain/trunks/trunk.ts'
import { createClock } from '../../../server/src/process/clock.ts'
import { createLog } from '../../../server/src/process/log/log.ts'
import type { EdgeConfig } from '../../../server/src/telephony/edge/config.ts'
import { createEdge, type Edge } from '../../../server/src/telephony/edge/edge.ts'
import { noCapture } from '../../../server/src/telephony/sip/capture.ts'

export const edgeTrunk = { ...trunkDefaults, name: 'carrier', channels: 100_000, callsPerSecond: 10_000 }

export async function edgeSwitch(
  { insideHost, insidePort, keys }: Pick<EdgeConfig, 'insideHost' | 'insidePort' | 'keys'>,
  trunk: Pick<Trunk, 'address'> & Partial<Trunk>,
): Promise<Edge> {
  const edge = createEdge({
    host: insideHost,
    port: insidePort,
    keys,
    callsPerSecond: 10_000,
    trunks: () => [{ ...edgeTrunk, ...trunk }],
    passwordOf: () => undefined,
    isGuest: false,
    capture: noCapture,
    clock: createClock(1),
    log: createLog({ write: () => undefined }),
  })
  await edge.opened
  return edge
}
