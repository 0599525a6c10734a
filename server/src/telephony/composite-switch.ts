// Flash calls over the edge, everything else over Asterisk. A flash call over a TLS trunk goes over Asterisk, too: Kamailio verifies who
// signed a carrier's certificate, but not the name in it (ADR 34).

import type { Trunk } from '../domain/trunks/trunk.ts'
import type { AsteriskSwitch } from './asterisk.ts'
import type { Edge } from './edge.ts'
import type { Dial } from './switch.ts'

export function createCompositeSwitch(
  asterisk: AsteriskSwitch,
  edge: Edge,
  trunks: () => readonly Trunk[],
): AsteriskSwitch {
  const isOverTls = ({ trunk }: Dial) => trunks().find(({ name }) => name === trunk)?.transport === 'tls'
  return {
    ...asterisk,
    opened: Promise.all([asterisk.opened, edge.opened]).then(() => undefined),
    isReady: (kind) => {
      if (kind === undefined) return edge.isReady() || asterisk.isReady()
      return kind === 'flash' ? edge.isReady() : asterisk.isReady()
    },
    dial: (call) => (call.flashRingMs === undefined || isOverTls(call) ? asterisk.dial(call) : edge.dial(call)),
    close: async () => {
      await Promise.all([edge.close(), asterisk.close()])
    },
  }
}
