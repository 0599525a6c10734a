// What Asterisk is asked to dial. It becomes an INVITE, so nothing may come into it but digits that we have looked at: the
// number as the trunk wants it spelled, our own number likewise, and names that we have given ourselves.

import { writeNumber } from '../domain/numbers/number-format.ts'
import type { PhoneNumber } from '../domain/numbers/phone-number.ts'
import type { Trunk } from '../domain/trunks/trunk.ts'
import type { AriRequest } from './ari-connection.ts'
import { endpointOf } from './asterisk-trunks.ts'
import type { Dial } from './switch.ts'

export function inviteRequest(
  node: string,
  trunk: Trunk,
  { channelId, to, from, originateTimeoutMs }: Dial,
): AriRequest {
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

// The name of the node comes first, so that each finds its own among all channels of an Asterisk.
export function channelOf(node: string, channelId: string): string {
  if (!/^[\w-]{1,64}$/.test(channelId)) throw new RangeError('a channel is named by letters, digits and dashes')
  return `${node}.${channelId}`
}

function numberOf(text: string): PhoneNumber {
  if (!/^[1-9]\d{6,14}$/.test(text)) throw new RangeError('only a phone number of 7 to 15 digits is dialled')
  return text as PhoneNumber
}
