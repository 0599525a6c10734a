// The ARI request that dials. It becomes an INVITE, so only validated digits and our own names go into it: the called number
// and the caller ID, both in the trunk's format.

import { writeNumber } from '../domain/numbers/number-format.ts'
import type { PhoneNumber } from '../domain/numbers/phone-number.ts'
import { carries, type Trunk } from '../domain/trunks/trunk.ts'
import type { AriRequest } from './ari-connection.ts'
import { endpointOf } from './asterisk-trunks.ts'
import type { Dial } from './switch.ts'

export function inviteRequest(
  node: string,
  trunk: Trunk,
  { channelId, to, from, originateTimeoutMs }: Dial,
): AriRequest {
  // The last place before the wire.
  if (!carries(trunk, to)) throw new RangeError('this trunk does not carry calls to this number')
  const called = `${trunk.calledPrefix}${writeNumber(trunk.calledFormat, numberOf(to))}`
  return {
    method: 'POST',
    path: 'channels',
    query: {
      endpoint: `PJSIP/${called}@${endpointOf(trunk.name)}`,
      app: node,
      channelId: channelOf(node, channelId),
      callerId: writeNumber(trunk.callerFormat, numberOf(from)),
      timeout: String(Math.ceil(originateTimeoutMs / 1_000)),
    },
  }
}

// Prefixed with the node name, so that each node finds its channels in a shared Asterisk.
export function channelOf(node: string, channelId: string): string {
  if (!/^[\w-]{1,64}$/.test(channelId))
    throw new RangeError('a channel ID consists of 1 to 64 letters, digits, underscores and dashes')
  return `${node}.${channelId}`
}

function numberOf(text: string): PhoneNumber {
  if (!/^[1-9]\d{6,14}$/.test(text)) throw new RangeError('a dialled number has 7 to 15 digits')
  return text as PhoneNumber
}
