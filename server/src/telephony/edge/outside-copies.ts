// Copies of what carriers sent and got. With an edge, Asterisk and the edge both copy what passes between them, and the edge copies the
// same request again when it leaves: only those that leave or come in count.

import type { SipAddress } from '../sip/hep.ts'
import type { SipReader } from './return-path.ts'

export function outsideCopies(edge: SipAddress | undefined, readers: readonly SipReader[]): SipReader {
  const isEdge = ({ host, port }: SipAddress) => host === edge?.host && port === edge.port
  return {
    add: (copy) => {
      if (isEdge(copy.source) || isEdge(copy.destination)) return
      for (const reader of readers) reader.add(copy)
    },
  }
}
