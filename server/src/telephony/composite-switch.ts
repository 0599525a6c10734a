// Flash calls over the edge, everything else over Asterisk; calls to our numbers over both. A flash call over a TLS trunk goes over Asterisk, too: Kamailio verifies who
// signed a carrier's certificate, but not the name in it (ADR 34).

import type { Trunk } from '../domain/trunks/trunk.ts'
import type { AsteriskSwitch } from './asterisk/asterisk.ts'
import type { Edge, EdgeFigures } from './edge/edge.ts'
import { joinInbound } from './inbound-queue.ts'
import type { Dial } from './switch.ts'

// Undefined without an edge.
export type NodeSwitch = AsteriskSwitch & { readonly edgeFigures?: () => EdgeFigures }

export function createCompositeSwitch(
  asterisk: AsteriskSwitch,
  edge: Edge,
  trunks: () => readonly Trunk[],
): NodeSwitch {
  const isOverTls = ({ trunk }: Dial) => trunks().find(({ name }) => name === trunk)?.transport === 'tls'
  return {
    ...asterisk,
    inbound: joinInbound([asterisk.inbound, edge.inbound]),
    edgeFigures: edge.figures,
    opened: Promise.all([asterisk.opened, edge.opened]).then(() => undefined),
    // Asterisk's calls go through the edge, too.
    isReady: (kind) => edge.isReady() && (kind !== 'spoken' || asterisk.isReady()),
    dial: (call) => (call.flashRingMs === undefined || isOverTls(call) ? asterisk.dial(call) : edge.dial(call)),
    close: async () => {
      await Promise.all([edge.close(), asterisk.close()])
    },
  }
}
